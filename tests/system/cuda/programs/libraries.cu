// Headers that come with CUDA: random numbers, complex numbers, floats of 8 bits, atomics and
// barriers of libcu++, copies that are waited for, marks for profilers.
#include <cuComplex.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <nvtx3/nvToolsExt.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <nvtx3/nvtx3.hpp>

#include "check.h"

// The published vectors of Random123 for Philox4x32-10.
__global__ void philox(uint4* out) {
  out[0] = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  out[1] = curand_Philox4x32_10(make_uint4(~0U, ~0U, ~0U, ~0U), make_uint2(~0U, ~0U));
  out[2] = curand_Philox4x32_10(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
                                make_uint2(0xa4093822, 0x299f31d0));
}

template <class State>
__global__ void draw(float* sums, unsigned* words) {
  State state, later;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(42, thread, 0, &state);
  curand_init(42, thread, 5, &later);
  float uniform = 0, squares = 0, poisson = 0;
  for (int i = 0; i < 5; ++i) curand(&state);
  if (curand(&state) != curand(&later)) words[0] = 1;
  words[1 + thread] = curand(&state);
  for (int i = 0; i < 50; ++i) {
    const float u = curand_uniform(&state), n = curand_normal(&state);
    uniform += u > 0 && u <= 1 ? u : 1e9f;
    squares += n * n;
    poisson += curand_poisson(&state, 4);
  }
  atomicAdd(&sums[0], uniform / 50);
  atomicAdd(&sums[1], squares / 50);
  atomicAdd(&sums[2], poisson / 50);
}

// Marsaglia's generator, with his own first words.
__global__ void xorwow(unsigned* out) {
  curandState state = {6615241, {123456789, 362436069, 521288629, 88675123, 5783321}};
  for (int i = 0; i < 3; ++i) out[i] = curand(&state);
}

__global__ void meet(cuda::atomic<int, cuda::thread_scope_device>* count, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int s[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&s[threadIdx.x], out + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  barrier.arrive_and_wait();
  out[64 + threadIdx.x] = s[63 - threadIdx.x];
  count->fetch_add(2, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> most(out[200]);
  most.fetch_max(static_cast<int>(threadIdx.x));
}

int main() {
  NVTX3_FUNC_RANGE();
  nvtxRangePush("all");
  uint4* blocks;
  float* sums;
  unsigned* words;
  int* out;
  cuda::atomic<int, cuda::thread_scope_device>* count;
  OK(cudaMallocManaged(&blocks, 64));
  OK(cudaMallocManaged(&sums, 64));
  OK(cudaMallocManaged(&words, 4096));
  OK(cudaMallocManaged(&out, 1024));
  OK(cudaMallocManaged(&count, 4));
  philox<<<1, 1>>>(blocks);
  OK(cudaDeviceSynchronize());
  const unsigned expected[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                   {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                   {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  CHECK(memcmp(blocks, expected, sizeof expected) == 0);
  for (int kind = 0; kind < 2; ++kind) {
    memset(sums, 0, 64);
    memset(words, 0, 4096);
    if (kind == 0) draw<curandStatePhilox4_32_10_t><<<4, 64>>>(sums, words);
    if (kind == 1) draw<curandState><<<4, 64>>>(sums, words);
    OK(cudaDeviceSynchronize());
    CHECK(words[0] == 0);  // an offset is as many draws
    CHECK(words[1] != words[2] && words[2] != words[3]);
    CHECK(sums[0] / 256 > 0.48f && sums[0] / 256 < 0.52f);
    CHECK(sums[1] / 256 > 0.95f && sums[1] / 256 < 1.05f);
    CHECK(sums[2] / 256 > 3.9f && sums[2] / 256 < 4.1f);
  }
  xorwow<<<1, 1>>>(words);
  OK(cudaDeviceSynchronize());
  unsigned x = 123456789, y = 362436069, z = 521288629, w = 88675123, v = 5783321, d = 6615241;
  for (int i = 0; i < 3; ++i) {
    const unsigned t = x ^ x >> 2;
    x = y, y = z, z = w, w = v;
    v = (v ^ v << 4) ^ (t ^ t << 1);
    CHECK(words[i] == (d += 362437) + v);
  }

  count->store(1);
  for (int i = 0; i < 64; ++i) out[i] = 3 * i;
  out[200] = 0;
  meet<<<1, 64>>>(count, out);
  OK(cudaDeviceSynchronize());
  const volatile auto* seen = count;  // as programs see what a kernel changes
  CHECK(seen->load() == 129 && out[64] == 189 && out[127] == 0 && out[200] == 63);

  const cuFloatComplex q = cuCdivf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, -4));
  CHECK(q.x > -0.2001f && q.x < -0.1999f && q.y > 0.3999f && q.y < 0.4001f);
  CHECK(cuCabs(make_cuDoubleComplex(3, 4)) == 5);
  // The OCP specification's largest, least and halves.
  CHECK(float(__nv_fp8_e4m3(500.0f)) == 448 && float(__nv_fp8_e4m3(-17.0f)) == -16);
  CHECK(float(__nv_fp8_e4m3(0.001953125f)) == 0.001953125f && float(__nv_fp8_e4m3(19.0f)) == 20);
  CHECK(float(__nv_fp8_e5m2(70000.0f)) == 57344 && float(__nv_fp8_e5m2(9.0f)) == 8);
  for (int i = 0; i < 256; ++i) {
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = static_cast<unsigned char>(i);
    CHECK(float(a) != float(a) || __nv_fp8_e4m3(float(a)).__x == i);
    const bool finite = (i & 0x7f) < 0x7c;
    CHECK(!finite || __nv_fp8_e5m2(float(b)).__x == i);
  }
  // The header of kernels brings that of the host, as cuRAND's does.
  curandGenerator_t generator;
  CHECK(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  nvtxRangePop();
  printf("libraries: good\n");
}
