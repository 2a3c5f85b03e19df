// Errors: each comes as CUDA has it, and the program goes on.
#include <string.h>

#include "check.h"

__global__ void write(int* p) { *p = 1; }
__global__ __launch_bounds__(64) void small(int* p) { *p = 1; }

int main() {
  int* p;
  CHECK(cudaMalloc(&p, size_t{1} << 50) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
  OK(cudaMalloc(&p, 16));
  write<<<1, 4096>>>(p);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  write<<<0, 32>>>(p);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  small<<<1, 128>>>(p);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  write<<<1, 32, 1 << 20>>>(p);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  int host[8] = {};
  CHECK(cudaMemcpy(p, host, 32, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(host, host + 4, 16, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaFree(host) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyToSymbol("none", host, 4) == cudaErrorInvalidSymbol);
  CHECK(cudaIpcCloseMemHandle(0) == cudaErrorNotSupported);
  CHECK(cudaIpcCloseMemHandle(0) == cudaErrorNotSupported);
  CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  cudaGetLastError();
  write<<<1, 1>>>(p);
  OK(cudaGetLastError());
  OK(cudaMemcpy(host, p, 4, cudaMemcpyDeviceToHost));
  CHECK(host[0] == 1);
  cudaDeviceProp properties;
  int count = 0;
  OK(cudaGetDeviceCount(&count));
  OK(cudaGetDeviceProperties(&properties, 0));
  printf("%d device, %d SMs, %s\n", count, properties.multiProcessorCount, properties.name);
  puts("errors: good");
}
