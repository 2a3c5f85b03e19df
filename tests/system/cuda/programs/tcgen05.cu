// Blackwell's tcgen05 in inline PTX: a product of matrices whose tiles lie in shared memory with rows
// of 128 bytes, swizzled, two tiles deep, with its sums in tensor memory; and one whose factor A is
// stored to tensor memory. One thread issues the products; with an argument it leaves out the commit
// of the last ones.
#include <cuda_fp16.h>

#include "check.h"

constexpr int kM = 256, kN = 32, kK = 192;
constexpr int kRows = 128, kDepth = 64;  // of a tile
constexpr int kTileBytes = kRows * kDepth * 2, kTileBytesOfB = kN * kDepth * 2;
// m128n32k16 of f16 with sums in f32.
constexpr unsigned kDescriptor = 1u << 4 | (kN / 8) << 17 | (kRows / 16) << 24;

__device__ unsigned sharedAddress(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

// Rows of 128 bytes, swizzled; eight of them are 1024 bytes.
__device__ unsigned long long descriptorOf(unsigned address) {
  return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 46 | 2ull << 61;
}

// A tile of rows of k, to the places that swizzling gives its units of 16 bytes.
__device__ void stage(unsigned char* tile, const __half* from, int rows, int row, int k) {
  for (int unit = threadIdx.x; unit < rows * 8; unit += blockDim.x) {
    const int r = unit / 8, c = unit % 8;
    const uint4 value = *reinterpret_cast<const uint4*>(from + (row + r) * kK + k + 8 * c);
    *reinterpret_cast<uint4*>(tile + 128 * r + 16 * (c ^ (r % 8))) = value;
  }
}

__device__ void fence() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }

template <int kColumns>
__device__ unsigned allocate(unsigned* slot) {
  if (threadIdx.x < 32) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(
                     sharedAddress(slot)),
                 "n"(kColumns)
                 : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  }
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  fence();
  return *slot;
}

template <int kColumns>
__device__ void deallocate(unsigned address) {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  if (threadIdx.x >= 32) return;
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address),
               "n"(kColumns));
}

__device__ void multiply(unsigned d, unsigned long long a, unsigned long long b, int adds) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(d),
               "l"(a), "l"(b), "r"(kDescriptor), "r"(adds)
               : "memory");
}
__device__ void multiplyStored(unsigned d, unsigned a, unsigned long long b, int adds) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }" ::"r"(d),
               "r"(a), "l"(b), "r"(kDescriptor), "r"(adds)
               : "memory");
}

__device__ void commit(unsigned long long* barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(
                   sharedAddress(barrier))
               : "memory");
}
__device__ void initialize(unsigned long long* barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(sharedAddress(barrier)) : "memory");
}
__device__ void wait(unsigned long long* barrier, int parity) {
  asm volatile("{ .reg .pred p; TRY: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"
               "@!p bra TRY; }" ::"r"(sharedAddress(barrier)),
               "r"(parity)
               : "memory");
  fence();
}

// Each thread has a row: 16 columns at a time.
__device__ void store(float* to, unsigned d) {
  const unsigned own = d + (threadIdx.x / 32 * 32 << 16);
  float* const row = to + (blockIdx.x * kRows + threadIdx.x) * kN;
  for (int column = 0; column < kN; column += 16) {
    float s[16];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
                 "%10, %11, %12, %13, %14, %15}, [%16];"
                 : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3]), "=f"(s[4]), "=f"(s[5]),
                   "=f"(s[6]), "=f"(s[7]), "=f"(s[8]), "=f"(s[9]), "=f"(s[10]), "=f"(s[11]),
                   "=f"(s[12]), "=f"(s[13]), "=f"(s[14]), "=f"(s[15])
                 : "r"(own + column));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
#pragma unroll  // sums lie in registers
    for (int i = 0; i < 16; ++i) row[column + i] = s[i];
  }
}

// A product is under way while the next tiles come.
template <bool kCareless>
__global__ void pipelined(const __half* a, const __half* b, float* to) {
  __shared__ __align__(1024) unsigned char tiles[2][kTileBytes], tilesOfB[2][kTileBytesOfB];
  __shared__ __align__(8) unsigned long long done[2];
  __shared__ unsigned slot;
  const int row = blockIdx.x * kRows, steps = kK / kDepth;
  if (threadIdx.x == 0) {
    initialize(&done[0]);
    initialize(&done[1]);
  }
  const unsigned d = allocate<32>(&slot);
  stage(tiles[0], a, kRows, row, 0);
  stage(tilesOfB[0], b, kN, 0, 0);
  for (int step = 0; step < steps; ++step) {
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      fence();
#pragma unroll
      for (int k = 0; k < kDepth / 16; ++k) {
        multiply(d, descriptorOf(sharedAddress(tiles[step % 2]) + 32 * k),
                 descriptorOf(sharedAddress(tilesOfB[step % 2]) + 32 * k), step + k != 0);
      }
      if (!kCareless || step + 1 < steps) commit(&done[step % 2]);
    }
    if (step + 1 == steps) break;
    if (step > 0) wait(&done[(step + 1) % 2], (step - 1) / 2 % 2);
    stage(tiles[(step + 1) % 2], a, kRows, row, (step + 1) * kDepth);
    stage(tilesOfB[(step + 1) % 2], b, kN, 0, (step + 1) * kDepth);
  }
  if (kCareless) {
    __syncthreads();
  } else {
    wait(&done[(steps - 1) % 2], (steps - 1) / 2 % 2);
  }
  store(to, d);
  deallocate<32>(d);
}

// Rows of A as words of two halves: 8 columns for 16 of k.
__global__ void fromTensorMemory(const __half* a, const __half* b, float* to) {
  __shared__ __align__(1024) unsigned char tile[kTileBytesOfB];
  __shared__ __align__(8) unsigned long long done;
  __shared__ unsigned slot;
  if (threadIdx.x == 0) initialize(&done);
  const unsigned d = allocate<128>(&slot), factor = d + 64;
  const unsigned own = factor + (threadIdx.x / 32 * 32 << 16);
  const unsigned* const row =
      reinterpret_cast<const unsigned*>(a + (blockIdx.x * kRows + threadIdx.x) * kK);
  for (int step = 0; step < kK / kDepth; ++step) {
    stage(tile, b, kN, 0, step * kDepth);
    for (int word = 0; word < kDepth / 2; word += 4) {
      const unsigned* const w = row + step * kDepth / 2 + word;
      asm volatile("tcgen05.st.sync.aligned.32x32b.x4.b32 [%0], {%1, %2, %3, %4};" ::"r"(own + word),
                   "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])
                   : "memory");
    }
    asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
    asm volatile("fence.proxy.async; tcgen05.fence::before_thread_sync;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      fence();
#pragma unroll
      for (int k = 0; k < kDepth / 16; ++k) {
        multiplyStored(d, factor + 8 * k, descriptorOf(sharedAddress(tile) + 32 * k),
                       step + k != 0);
      }
      commit(&done);
    }
    wait(&done, step % 2);
  }
  store(to, d);
  deallocate<128>(d);
}

template <class Kernel>
void check(Kernel kernel, const __half* a, const __half* b, float* to) {
  for (int i = 0; i < kM * kN; ++i) to[i] = -1;
  kernel<<<kM / kRows, 128>>>(a, b, to);
  OK(cudaGetLastError());
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
  check(fromTensorMemory, a, b, to);
  printf("tcgen05: good\n");
}
