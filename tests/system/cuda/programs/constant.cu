// Variables: constant and device memory, copied to and from by name, by address, with offsets.
#include "check.h"

__constant__ int table[4] = {1, 2, 3, 4};
__device__ int total = 100;
__device__ float grid_values[8];

__global__ void sum() {
  if (threadIdx.x < 4) atomicAdd(&total, table[threadIdx.x]);
  if (threadIdx.x < 8) grid_values[threadIdx.x] = grid_values[threadIdx.x] * 3 + 1;
}

__global__ void look(int* out) { out[threadIdx.x] = table[threadIdx.x] + total; }

int main() {
  sum<<<1, 32>>>();
  int got = 0;
  OK(cudaMemcpyFromSymbol(&got, total, sizeof got));
  CHECK(got == 110);
  const int next[2] = {30, 40};
  OK(cudaMemcpyToSymbol(table, next, sizeof next, 2 * sizeof(int)));
  float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  OK(cudaMemcpyToSymbol(grid_values, values, sizeof values));
  got = 0;
  OK(cudaMemcpyToSymbol(total, &got, sizeof got));
  sum<<<1, 32>>>();
  OK(cudaMemcpyFromSymbol(&got, total, sizeof got));
  CHECK(got == 73);
  void* address;
  size_t size;
  OK(cudaGetSymbolAddress(&address, grid_values));
  OK(cudaGetSymbolSize(&size, grid_values));
  CHECK(size == sizeof values);
  OK(cudaMemcpy(values, address, size, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) CHECK(values[i] == 3 * i + 1);
  int *out, seen[4];
  OK(cudaMalloc(&out, sizeof seen));
  look<<<1, 4>>>(out);
  OK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK(seen[0] == 74 && seen[3] == 113);
  puts("constant: good");
}
