// Surfaces over arrays: reads and writes of several sizes, and what is outside.
#include "check.h"

template <class T>
__global__ void grow(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  T value;
  surf2Dread(&value, surface, x * (int)sizeof(T), y);
  value.x += 1;
  if (surf2Dread<T>(surface, width * (int)sizeof(T), y, cudaBoundaryModeZero).x != 0) value.x = -1;
  const T edge = surf2Dread<T>(surface, 99 * (int)sizeof(T), y, cudaBoundaryModeClamp);
  value.x += (edge.x == -99) * 1000;
  surf2Dwrite(value, surface, x * (int)sizeof(T), y);
}

template <class T>
void Try() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  OK(cudaMallocArray(&array, &format, 32, 4, cudaArraySurfaceLoadStore));
  T host[128];
  memset(host, 0, sizeof host);
  for (int i = 0; i < 128; ++i) host[i].x = i;
  OK(cudaMemcpy2DToArray(array, 0, 0, host, 32 * sizeof(T), 32 * sizeof(T), 4,
                         cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  grow<T><<<4, 32>>>(surface, 32);
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy2DFromArray(host, 32 * sizeof(T), array, 0, 0, 32 * sizeof(T), 4,
                           cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) CHECK(host[i].x == i + 1);
  OK(cudaDestroySurfaceObject(surface));
}

int main() {
  Try<uchar1>();
  Try<short2>();
  Try<float1>();
  Try<float4>();
  printf("surfaces: good\n");
}
