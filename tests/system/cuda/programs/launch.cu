// Launches: three dimensions, a struct by value, arguments of all sizes, dynamic shared memory.
#include "check.h"

struct Parameters {
  char tag;
  double factor;
  short counts[3];
  float* out;
};

__global__ void fill(Parameters p, signed char byte, short half, long long wide, float3 v) {
  extern __shared__ float row[];
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  row[i] = v.x + v.y * v.z;
  __syncthreads();
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int size = blockDim.x * blockDim.y * blockDim.z;
  p.out[block * size + i] = static_cast<float>(p.factor) * row[size - 1 - i] + p.counts[2] + byte +
                            half + static_cast<float>(wide) + (p.tag == 'x' ? 0.5f : 0);
}

__global__ void reverse(int* data, int n) {
  extern __shared__ int held[];
  held[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = held[n - 1 - threadIdx.x];
}

template <class T>
__global__ void twice(T* data) {
  data[threadIdx.x] *= 2;
}

int main() {
  const dim3 grid(3, 2, 2), block(4, 2, 4);
  const int n = 12 * 32;
  float *out, host[n];
  OK(cudaMalloc(&out, sizeof host));
  Parameters p = {'x', 2.0, {1, 2, 3}, out};
  fill<<<grid, block, 32 * sizeof(float)>>>(p, -1, -20, 1LL << 12, make_float3(1, 2, 3));
  OK(cudaGetLastError());
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(host[i] == 2 * 7 + 3 - 1 - 20 + 4096 + 0.5f);

  int *data, numbers[100];
  for (int i = 0; i < 100; ++i) numbers[i] = i;
  OK(cudaMalloc(&data, sizeof numbers));
  OK(cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  reverse<<<1, 100, sizeof numbers>>>(data, 100);
  twice<<<1, 100>>>(data);
  OK(cudaMemcpy(numbers, data, sizeof numbers, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; ++i) CHECK(numbers[i] == 2 * (99 - i));
  OK(cudaFree(out));
  OK(cudaFree(data));
  puts("launch: good");
}
