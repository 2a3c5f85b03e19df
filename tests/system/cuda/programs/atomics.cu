// Atomics, votes and shuffles; a launch whose tokens only nvcc joins; two kernels that share a
// name's start.
#include "check.h"

__global__ void count(const int* in, int* bins, double* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] & 7], 1);
  if (i < n) atomicAdd(sum, 0.5);
  const int lane_sum = __shfl_xor_sync(0xffffffff, threadIdx.x & 31, 1);
  if (lane_sum != ((threadIdx.x & 31) ^ 1)) atomicAdd(&bins[8], 1);
  if (__popc(__ballot_sync(0xffffffff, threadIdx.x & 1)) != 16) atomicExch(&bins[9], 1);
}
__global__ void count_more(int* bins) {
  atomicMax(&bins[threadIdx.x], 1000 + min(threadIdx.x, 3u));
}

int main() {
  int host[512], bins[10], *in, *out;
  double *sum, total;
  for (int i = 0; i < 512; ++i) host[i] = i;
  OK(cudaMalloc(&in, sizeof host));
  OK(cudaMalloc(&out, sizeof bins));
  OK(cudaMalloc(&sum, sizeof total));
  OK(cudaMemset(out, 0, sizeof bins));
  OK(cudaMemset(sum, 0, sizeof total));
  OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  count<<<2, 256>>>(in, out, sum, 512);
  OK(cudaMemcpy(bins, out, sizeof bins, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) CHECK(bins[i] == 64);
  CHECK(bins[8] == 0 && bins[9] == 0 && total == 256);
  count_more<<<1, 8>>>(out);
  OK(cudaMemcpy(bins, out, sizeof bins, cudaMemcpyDeviceToHost));
  CHECK(bins[0] == 1000 && bins[7] == 1003);
  puts("atomics: good");
}
