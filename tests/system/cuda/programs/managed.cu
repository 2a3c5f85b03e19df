// Memory that host and device share: managed allocations and variables, pinned and registered.
#include "check.h"

__managed__ int counter = 5;
__device__ __managed__ float field[1500];

__global__ void step(int* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] += counter;
  if (i < 1500) field[i] += 1;
}
__global__ void count() { ++counter; }

static int ordinary = 77;  // lies near the managed ones

int main() {
  CHECK(counter == 5);  // before any call
  int* numbers;
  OK(cudaMallocManaged(&numbers, 2000 * sizeof(int)));
  for (int i = 0; i < 2000; ++i) numbers[i] = i;
  for (int i = 0; i < 1500; ++i) field[i] = 2 * i;
  step<<<16, 128>>>(numbers, 2000);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 2000; ++i) CHECK(numbers[i] == i + 5);
  for (int i = 0; i < 1500; ++i) CHECK(field[i] == 2 * i + 1);
  counter = 9;
  count<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  CHECK(counter == 10 && ordinary == 77);

  int* pinned;
  OK(cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocMapped));
  for (int i = 0; i < 64; ++i) pinned[i] = -i;
  int* device;
  OK(cudaHostGetDevicePointer(&device, pinned, 0));
  step<<<1, 64>>>(device, 64);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK(pinned[i] == 10 - i);

  int own[64] = {};
  OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(&device, own, 0));
  step<<<1, 64>>>(device, 64);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK(own[i] == 10);
  OK(cudaHostUnregister(own));
  OK(cudaFreeHost(pinned));
  OK(cudaFree(numbers));
  puts("managed: good");
}
