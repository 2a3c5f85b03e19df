// A reduction and a scan that come and go with their buffers, as a library's calls do.
#include "check.h"

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

static float Sum(const float* host, int n) {
  float *in, *out;
  OK(cudaMalloc(&in, n * sizeof(float)));
  OK(cudaMemcpy(in, host, n * sizeof(float), cudaMemcpyHostToDevice));
  while (n > 1) {
    const int blocks = (n + 255) / 256;
    OK(cudaMalloc(&out, blocks * sizeof(float)));
    OK(cudaMemset(out, 0xff, blocks * sizeof(float)));
    reduce<<<blocks, 256>>>(in, out, n);
    OK(cudaFree(in));
    in = out;
    n = blocks;
  }
  float sum = 0;
  OK(cudaMemcpy(&sum, in, sizeof sum, cudaMemcpyDeviceToHost));
  OK(cudaFree(in));
  return sum;
}

int main() {
  static float host[70000];
  for (int i = 0; i < 70000; ++i) host[i] = i % 7;
  float expected = 0;
  for (int i = 0; i < 70000; ++i) expected += host[i];
  CHECK(Sum(host, 70000) == expected);
  CHECK(Sum(host, 700) == 2100);
  puts("reduction: good");
}
