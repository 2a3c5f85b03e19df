// Floats of 16 bits, on both sides alike.
// As Thrust and others declare them: structs by their own names.
struct __half;
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <string.h>

#include "check.h"

__host__ __device__ unsigned results(unsigned short bits) {
  const __half h = __ushort_as_half(bits);
  const __half2 pair = __hfma2(__half2half2(h), __floats2half2_rn(3.0f, 0.5f), __float2half2_rn(1));
  const unsigned short mixed = __half_as_ushort(__hadd(__low2half(pair), __high2half(pair)));
  return mixed | static_cast<unsigned>(__bfloat16_as_ushort(__float2bfloat16(h))) << 16;
}
__global__ void all(unsigned* out, int* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half(static_cast<unsigned short>(i));
  if (!__hisnan(h) && __half_as_ushort(__float2half(__half2float(h))) != i) atomicAdd(wrong, 1);
  out[i] = results(static_cast<unsigned short>(i));
}
__global__ void add(__half2* pair, __half* one, __nv_bfloat16* third) {
  atomicAdd(pair, __floats2half2_rn(1, 2));
  atomicAdd(one, __float2half(0.5f));
  atomicAdd(third, __float2bfloat16(1.0f));
}

int main() {
  unsigned* out;
  int* wrong;
  OK(cudaMallocManaged(&out, 65536 * sizeof *out));
  OK(cudaMallocManaged(&wrong, sizeof *wrong));
  *wrong = 0;
  all<<<256, 256>>>(out, wrong);
  OK(cudaDeviceSynchronize());
  CHECK(*wrong == 0);
  for (unsigned i = 0; i < 65536; ++i) {
    const auto bits = static_cast<unsigned short>(i);
    const __half h = __ushort_as_half(bits);
    if (__hisnan(h)) continue;
    CHECK(__half_as_ushort(__float2half(__half2float(h))) == bits);
    const unsigned here = results(bits);
    if (!__hisnan(__ushort_as_half(static_cast<unsigned short>(here)))) CHECK(out[i] == here);
  }
  CHECK(__half2float(__float2half(65519.0f)) == 65504.0f);
  CHECK(isinf(__half2float(__float2half(65520.0f))));
  CHECK(__half2float(__float2half(1.0f + 1.0f / 2048)) == 1.0f);  // a tie goes to the even one
  CHECK(__half2float(__float2half(ldexpf(3, -25))) == ldexpf(2, -24));
  CHECK(__bfloat162float(__float2bfloat16(1.0f + 1.0f / 256)) == 1.0f);
  __half2* pair;
  __half* one;
  __nv_bfloat16* third;
  OK(cudaMallocManaged(&pair, sizeof *pair));
  OK(cudaMallocManaged(&one, 2 * sizeof *one));
  OK(cudaMallocManaged(&third, sizeof *third));
  *pair = __floats2half2_rn(0, 0);
  one[0] = 7, one[1] = 0;
  *third = 0;
  add<<<2, 32>>>(pair, one + 1, third);
  OK(cudaDeviceSynchronize());
  CHECK(__low2float(*pair) == 64 && __high2float(*pair) == 128);
  CHECK(__half2float(one[0]) == 7 && __half2float(one[1]) == 32);
  CHECK(__bfloat162float(*third) == 64);
  puts("halves: good");
}
