// A kernel that cannot run: the launch says so, and so does who waits for it.
#include "check.h"

__global__ void refused() { asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;"); }
__global__ void good(int* p) { *p = 3; }

int main() {
  int* p;
  OK(cudaMallocManaged(&p, 4));
  refused<<<1, 1>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
  CHECK(cudaDeviceSynchronize() == cudaErrorInvalidDeviceFunction);
  CHECK(cudaDeviceSynchronize() == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  good<<<1, 1>>>(p);
  CHECK(cudaGetLastError() == cudaSuccess && *p == 3);
  printf("refused: seen\n");
}
