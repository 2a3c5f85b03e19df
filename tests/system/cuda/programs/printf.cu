// printf of kernels: on the program's standard output, between its own lines.
#include "check.h"

__global__ void speak(int n, const char* word) { printf("%d %s %.2f\n", n, "kernel", n * 0.5); }

int main() {
  puts("before");
  speak<<<1, 1>>>(3, 0);
  OK(cudaDeviceSynchronize());
  puts("between");
  speak<<<2, 1>>>(4, 0);
  OK(cudaDeviceSynchronize());
  puts("after");
}
