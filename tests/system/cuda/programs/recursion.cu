// Functions that call themselves, on a stack whose size the program asks for.
#include "check.h"

__device__ __noinline__ int Ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return Ackermann(m - 1, 1);
  return Ackermann(m - 1, Ackermann(m, n - 1));
}
struct Tree {
  Tree *left, *right;
  int value;
};
__device__ __noinline__ int Sum(const Tree* tree) {
  return tree == nullptr ? 0 : tree->value + Sum(tree->left) + Sum(tree->right);
}
__device__ __noinline__ void Quicksort(int* p, int n) {
  if (n < 2) return;
  int store = 0;
  for (int i = 0; i + 1 < n; ++i) {
    if (p[i] < p[n - 1]) {
      const int t = p[i];
      p[i] = p[store];
      p[store++] = t;
    }
  }
  const int t = p[n - 1];
  p[n - 1] = p[store];
  p[store] = t;
  Quicksort(p, store);
  Quicksort(p + store + 1, n - store - 1);
}
__global__ void run(int* out, const Tree* trees, int* numbers) {
  const int i = threadIdx.x;
  out[i] = Ackermann(2, i % 4) * 1000 + Sum(trees + i % 7);
  if (i < 4) Quicksort(numbers + 16 * i, 16);
}

int main() {
  size_t stack = 0;
  OK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  CHECK(stack == 1024);
  OK(cudaDeviceSetLimit(cudaLimitStackSize, 8000));
  OK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  CHECK(stack == 8000);
  int *out, *numbers;
  Tree* trees;
  OK(cudaMallocManaged(&out, 128));
  OK(cudaMallocManaged(&numbers, 256));
  OK(cudaMallocManaged(&trees, 7 * sizeof(Tree)));
  for (int i = 0; i < 7; ++i) {
    trees[i] = {2 * i + 1 < 7 ? trees + 2 * i + 1 : nullptr,
                2 * i + 2 < 7 ? trees + 2 * i + 2 : nullptr, i + 1};
  }
  for (int i = 0; i < 64; ++i) numbers[i] = 37 * i % 64;
  run<<<1, 32>>>(out, trees, numbers);
  OK(cudaDeviceSynchronize());
  const int sums[7] = {28, 11, 16, 4, 5, 6, 7};
  for (int i = 0; i < 32; ++i) CHECK(out[i] == (2 * (i % 4) + 3) * 1000 + sums[i % 7]);
  for (int i = 0; i < 64; ++i) CHECK(i % 16 == 0 || numbers[i - 1] <= numbers[i]);
  printf("recursion: good\n");
}
