// A kernel that writes where nothing is: what follows fails too.
#include "check.h"

__global__ void write(int* p) { p[1 << 20] = threadIdx.x; }

int main() {
  int* p;
  OK(cudaMalloc(&p, 64));
  write<<<1, 32>>>(p);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaMalloc(&p, 64) == cudaErrorIllegalAddress);
  puts("fault: seen");
}
