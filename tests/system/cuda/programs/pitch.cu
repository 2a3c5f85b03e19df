// Pitched and three-dimensional memory, and copies of parts of it.
#include "check.h"

__global__ void add(char* base, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height) reinterpret_cast<int*>(base + y * pitch)[x] += 100 * y + x;
}

int main() {
  int host[6][10], got[6][10];
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 10; ++x) host[y][x] = y;
  }
  char* p;
  size_t pitch;
  OK(cudaMallocPitch(&p, &pitch, sizeof host[0], 6));
  CHECK(pitch % 256 == 0);
  OK(cudaMemcpy2D(p, pitch, host, sizeof host[0], sizeof host[0], 6, cudaMemcpyHostToDevice));
  add<<<6, 32>>>(p, pitch, 10, 6);
  OK(cudaMemcpy2D(got, sizeof got[0], p, pitch, sizeof got[0], 6, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 10; ++x) CHECK(got[y][x] == 101 * y + x);
  }
  OK(cudaMemset2D(p, pitch, 0, 8, 6));
  OK(cudaMemcpy2D(got, sizeof got[0], p, pitch, sizeof got[0], 6, cudaMemcpyDeviceToHost));
  CHECK(got[3][0] == 0 && got[3][1] == 0 && got[3][2] == 305);
  cudaPitchedPtr cube;
  OK(cudaMalloc3D(&cube, make_cudaExtent(40, 3, 2)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 40, 40, 3);
  copy.dstPtr = cube;
  copy.extent = make_cudaExtent(40, 3, 2);
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  copy.srcPtr = cube;
  copy.dstPtr = make_cudaPitchedPtr(got, 40, 40, 3);
  copy.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&copy));
  CHECK(got[5][9] == 5 && got[2][0] == 2);
  puts("pitch: good");
}
