// Ends of a program that nobody plans for, by its argument.
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__global__ void spin(int* data, int rounds) {
  int value = data[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 3 + data[value & 31];
  data[threadIdx.x] = value;
}
__global__ void nothing() {}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  int* data;
  OK(cudaMalloc(&data, 32 * sizeof(int)));
  spin<<<1, 32>>>(data, 3);
  OK(cudaDeviceSynchronize());
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exit") == 0) _exit(7);
  if (strcmp(how, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      const cudaError_t error = cudaMalloc(&data, 4);
      _exit(error == cudaErrorInitializationError ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    spin<<<1, 32>>>(data, 3);
    OK(cudaDeviceSynchronize());
  }
  if (strcmp(how, "long") == 0) {
    printf("%d\n", getpid());
    fflush(stdout);
    spin<<<1, 32>>>(data, 2000000000);
    CHECK(!"the long launch has ended");
  }
  if (strcmp(how, "many") == 0) {
    for (int i = 0; i < atoi(argv[2]); ++i) nothing<<<1, 1>>>();
    OK(cudaGetLastError());
  }
  puts("ends: good");
}
