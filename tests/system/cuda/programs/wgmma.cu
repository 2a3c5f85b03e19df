// Hopper's wgmma in inline PTX: a product of matrices whose tiles lie in shared memory with rows of
// 128 bytes, swizzled, two tiles deep; the factor A in registers in a second one. With an argument
// the first one leaves out a fence.
#include <cuda_fp16.h>

#include "check.h"

constexpr int kM = 128, kN = 64, kK = 192;
constexpr int kTile = 64;                         // rows, columns and k of a tile
constexpr int kTileBytes = kTile * kTile * 2;

__device__ unsigned sharedAddress(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// Rows of 128 bytes, swizzled; eight of them are 1024 bytes.
__device__ unsigned long long descriptorOf(unsigned address) {
  return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// A tile of rows of k, to the places that swizzling gives its units of 16 bytes.
__device__ void stage(unsigned char* tile, const __half* from, int row, int k) {
  for (int unit = threadIdx.x; unit < kTile * 8; unit += blockDim.x) {
    const int r = unit / 8, c = unit % 8;
    const uint4 value = *reinterpret_cast<const uint4*>(from + (row + r) * kK + k + 8 * c);
    *reinterpret_cast<uint4*>(tile + 128 * r + 16 * (c ^ (r % 8))) = value;
  }
}

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

#define SUMS(d)                                                                                 \
  "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),           \
      "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),   \
      "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),             \
      "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]),             \
      "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
#define LIST                                                                                   \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"

__device__ void multiply(float* d, unsigned long long a, unsigned long long b, int adds) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST
               ", %32, %33, p, 1, 1, 0, 0; }"
               : SUMS(d)
               : "l"(a), "l"(b), "r"(adds));
}

__device__ void multiplyRegisters(float* d, const unsigned* a, unsigned long long b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST
               ", {%32, %33, %34, %35}, %36, 1, 1, 1, 0;"
               : SUMS(d)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ void store(float* to, const float* d) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.x * kTile + warp * 16 + lane / 4;
#pragma unroll  // sums lie in registers
  for (int i = 0; i < 32; ++i) {
    to[(row + i % 4 / 2 * 8) * kN + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
  }
}

// A product is under way while the next tiles come.
template <bool kCareless>
__global__ void pipelined(const __half* a, const __half* b, float* to) {
  __shared__ __align__(1024) unsigned char tiles[2][2][kTileBytes];
  float d[32];
  const int row = blockIdx.x * kTile;
  stage(tiles[0][0], a, row, 0);
  stage(tiles[0][1], b, 0, 0);
  for (int step = 0; step < kK / kTile; ++step) {
    if (!kCareless) asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    fence();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      multiply(d, descriptorOf(sharedAddress(tiles[step % 2][0]) + 32 * k),
               descriptorOf(sharedAddress(tiles[step % 2][1]) + 32 * k), step + k != 0);
    }
    commit();
    if (step + 1 < kK / kTile) {
      wait<1>();
      __syncthreads();
      stage(tiles[(step + 1) % 2][0], a, row, (step + 1) * kTile);
      stage(tiles[(step + 1) % 2][1], b, 0, (step + 1) * kTile);
    }
  }
  wait<0>();
  store(to, d);
}

__global__ void fromRegisters(const __half* a, const __half* b, float* to) {
  __shared__ __align__(1024) unsigned char tile[kTileBytes];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.x * kTile + warp * 16 + lane / 4;
  float d[32] = {};
  for (int step = 0; step < kK / kTile; ++step) {
    stage(tile, b, 0, step * kTile);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      unsigned factor[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        factor[i] = *reinterpret_cast<const unsigned*>(
            a + (row + i % 2 * 8) * kK + step * kTile + 16 * k + i / 2 * 8 + lane % 4 * 2);
      }
      fence();
      multiplyRegisters(d, factor, descriptorOf(sharedAddress(tile) + 32 * k));
      commit();
      wait<0>();
    }
    __syncthreads();
  }
  store(to, d);
}

template <class Kernel>
void check(Kernel kernel, const __half* a, const __half* b, float* to) {
  for (int i = 0; i < kM * kN; ++i) to[i] = -1;
  kernel<<<kM / kTile, 128>>>(a, b, to);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < kM; ++i) {
    for (int j = 0; j < kN; ++j) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += float((i * 3 + k) % 7) * float((j * 5 + k) % 11 - 5);
      CHECK(to[i * kN + j] == sum);
    }
  }
}

int main(int argc, char**) {
  __half *a, *b;
  float* to;
  OK(cudaMallocManaged(&a, kM * kK * sizeof(__half)));
  OK(cudaMallocManaged(&b, kN * kK * sizeof(__half)));
  OK(cudaMallocManaged(&to, kM * kN * sizeof(float)));
  for (int i = 0; i < kM; ++i) {
    for (int k = 0; k < kK; ++k) a[i * kK + k] = __float2half(float((i * 3 + k) % 7));
  }
  for (int j = 0; j < kN; ++j) {
    for (int k = 0; k < kK; ++k) b[j * kK + k] = __float2half(float((j * 5 + k) % 11 - 5));
  }
  check(argc > 1 ? pipelined<true> : pipelined<false>, a, b, to);
  check(fromRegisters, a, b, to);
  printf("wgmma: good\n");
}
