// Textures by reference and by object, over linear memory and over arrays.
#include "check.h"

texture<float, 1> line;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image(0, cudaFilterModePoint,
                                                             cudaAddressModeClamp);
texture<int4, 1, cudaReadModeElementType> quads;

__global__ void by_reference(float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(line, i) + tex2D(image, i % 4 + 0.5f, i / 4 + 0.5f);
  const int4 q = tex1Dfetch(quads, i % 2);
  if (i < n) out[i] += q.x + q.w;
}
__global__ void by_object(cudaTextureObject_t linear, cudaTextureObject_t array, float* out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(linear, i) + 100 * tex2D<float>(array, i % 4 + 1.0f, i / 4 + 0.5f);
}

int main() {
  float values[16], got[16];
  unsigned char pixels[16];
  for (int i = 0; i < 16; ++i) values[i] = i * 0.25f;
  for (int i = 0; i < 16; ++i) pixels[i] = static_cast<unsigned char>(i * 17);
  float *linear, *out;
  OK(cudaMalloc(&linear, sizeof values));
  OK(cudaMalloc(&out, sizeof got));
  OK(cudaMemcpy(linear, values, sizeof values, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(0, line, linear, sizeof values));
  cudaArray_t bytes;
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  OK(cudaMallocArray(&bytes, &byte, 4, 4));
  OK(cudaMemcpyToArray(bytes, 0, 0, pixels, sizeof pixels, cudaMemcpyHostToDevice));
  OK(cudaBindTextureToArray(image, bytes));
  const int four[8] = {1, 2, 3, 4, 10, 20, 30, 40};
  int* quad;
  OK(cudaMalloc(&quad, sizeof four));
  OK(cudaMemcpy(quad, four, sizeof four, cudaMemcpyHostToDevice));
  OK(cudaBindTexture(0, quads, quad, sizeof four));
  by_reference<<<1, 16>>>(out, 16);
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) {
    CHECK(got[i] == i * 0.25f + i * 17 / 255.0f + (i % 2 == 0 ? 5 : 50));
  }
  OK(cudaUnbindTexture(line));

  cudaArray_t floats;
  const cudaChannelFormatDesc real = cudaCreateChannelDesc<float>();
  OK(cudaMallocArray(&floats, &real, 4, 4));
  OK(cudaMemcpy2DToArray(floats, 0, 0, values, 16, 16, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = real;
  resource.res.linear.sizeInBytes = sizeof values;
  cudaTextureDesc how = {};
  cudaTextureObject_t of_line, of_array;
  OK(cudaCreateTextureObject(&of_line, &resource, &how, 0));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = floats;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  OK(cudaCreateTextureObject(&of_array, &resource, &how, 0));
  by_object<<<1, 16>>>(of_line, of_array, out);
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; ++i) {
    const float right = i % 4 == 3 ? values[i] : values[i + 1];
    CHECK(got[i] == values[i] + 100 * (0.5f * values[i] + 0.5f * right));
  }
  OK(cudaDestroyTextureObject(of_line));
  OK(cudaDestroyTextureObject(of_array));
  OK(cudaFreeArray(floats));
  OK(cudaFreeArray(bytes));
  puts("texture: good");
}
