// A launch that fails for the reason that the argument names, and the error that the host gets.
#include <assert.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

__global__ void outside(int* p) { p[1 << 20] = 1; }
__global__ void misaligned(char* p) { *reinterpret_cast<int*>(p + 1) = 1; }
__global__ void trap() { __trap(); }
__global__ void fails(int n) { assert(n == 0); }
__global__ void endless(volatile int* p) {
  while (*p == 0) {
  }
}

int main(int, char** argv) {
  const char* how = argv[1];
  int* p;
  cudaMalloc(&p, 64);
  cudaMemset(p, 0, 64);
  if (strcmp(how, "outside") == 0) outside<<<1, 1>>>(p);
  if (strcmp(how, "misaligned") == 0) misaligned<<<1, 1>>>(reinterpret_cast<char*>(p));
  if (strcmp(how, "trap") == 0) trap<<<1, 1>>>();
  if (strcmp(how, "assert") == 0) fails<<<1, 1>>>(1);
  if (strcmp(how, "endless") == 0) endless<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  puts(cudaGetErrorName(cudaGetLastError()));
}
