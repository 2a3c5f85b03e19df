// Warps of a TB go side by side: eight of them add the same to the same sums, as in suites whose
// blocks have a row too many, and each sees what the others saw.
#include <memory>

#include "check.h"

__global__ void rows(const float* a, const float* x, float* y) {
  for (int k = 0; k < 64; ++k) y[threadIdx.x] += a[threadIdx.x * 64 + k] * x[k];
}
__device__ __noinline__ int twice(int value) { return 2 * value; }
__global__ void change(int* p) { *p = twice(*p); }

int main() {
  float *a, *x, *y;
  OK(cudaMallocManaged(&a, 32 * 64 * sizeof *a));
  OK(cudaMallocManaged(&x, 64 * sizeof *x));
  OK(cudaMallocManaged(&y, 32 * sizeof *y));
  for (int i = 0; i < 32 * 64; ++i) a[i] = i % 7;
  for (int i = 0; i < 64; ++i) x[i] = i % 5;
  for (int i = 0; i < 32; ++i) y[i] = 1;
  rows<<<1, dim3(32, 8)>>>(a, x, y);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    float sum = 1;
    for (int k = 0; k < 64; ++k) sum += a[i * 64 + k] * x[k];
    CHECK(y[i] == sum);
  }
  const auto shared = std::make_shared<int*>();  // __noinline__ and <memory> get along
  OK(cudaMallocManaged(shared.get(), sizeof(int)));
  **shared = 21;
  change<<<1, 1>>>(*shared);
  OK(cudaDeviceSynchronize());
  CHECK(**shared == 42);
  puts("side: good");
}
