// Streams and events: order is kept, and time is simulated.
#include "check.h"

__global__ void spin(int* data, int rounds) {
  int value = data[threadIdx.x];
  for (int i = 0; i < rounds; ++i) value = value * 3 + 1;
  data[threadIdx.x] = value;
}

int main() {
  int *a, *b, host[32];
  for (int i = 0; i < 32; ++i) host[i] = 1;
  OK(cudaMalloc(&a, sizeof host));
  OK(cudaMalloc(&b, sizeof host));
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t start, middle, end, never;
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&middle));
  OK(cudaEventCreate(&end));
  OK(cudaEventCreate(&never));
  OK(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, first));
  OK(cudaEventRecord(start, first));
  spin<<<1, 32, 0, first>>>(a, 100);
  OK(cudaEventRecord(middle, first));
  OK(cudaStreamWaitEvent(second, middle, 0));
  OK(cudaMemcpyAsync(b, a, sizeof host, cudaMemcpyDeviceToDevice, second));
  spin<<<1, 32, 0, second>>>(b, 2000);
  OK(cudaEventRecord(end, second));
  OK(cudaStreamSynchronize(second));
  OK(cudaEventSynchronize(end));
  float brief = -1, lengthy = -1;
  OK(cudaEventElapsedTime(&brief, start, middle));
  OK(cudaEventElapsedTime(&lengthy, middle, end));
  printf("brief %g ms, lengthy %g ms\n", brief, lengthy);
  if (brief != 0) CHECK(brief > 0 && lengthy > 5 * brief);  // 0 without timing
  CHECK(cudaEventElapsedTime(&brief, start, never) == cudaErrorInvalidResourceHandle);
  OK(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
  unsigned value = 1;
  for (int i = 0; i < 2100; ++i) value = value * 3 + 1;
  CHECK(host[5] == static_cast<int>(value));
  OK(cudaStreamDestroy(first));
  OK(cudaEventDestroy(start));
  puts("streams: good");
}
