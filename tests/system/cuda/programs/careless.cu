// A program that looks at no error of CUDA's but the last one, and uses what it has asked for.
// With an argument it keeps the device until it is killed.
#include <cuda_runtime.h>
#include <stdio.h>
#include <unistd.h>

__global__ void twice(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= 2;
}

int main(int argc, char**) {
  const int count = 64;
  int *host, *shared, *device;
  cudaStream_t stream;
  cudaEvent_t event;
  cudaMallocHost(&host, count * sizeof(int));
  cudaMallocManaged(&shared, count * sizeof(int));
  cudaMalloc(&device, count * sizeof(int));
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  for (int i = 0; i < count; ++i) host[i] = shared[i] = i;
  cudaMemcpyAsync(device, host, count * sizeof(int), cudaMemcpyHostToDevice, stream);
  twice<<<1, count, 0, stream>>>(device, count);
  cudaEventRecord(event, stream);
  cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
  const cudaError_t error = cudaGetLastError();
  printf("%d: %s\n", host[count - 1], cudaGetErrorName(error));
  fflush(stdout);
  if (argc > 1) pause();
  cudaFree(device);
  cudaFree(shared);
  cudaFreeHost(host);
  return error != cudaSuccess;
}
