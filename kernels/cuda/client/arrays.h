// CUDA's arrays, which are texels in device memory.
#ifndef FLAGSTONE_KERNELS_CUDA_CLIENT_ARRAYS_H_
#define FLAGSTONE_KERNELS_CUDA_CLIENT_ARRAYS_H_

#include "kernels/cuda/client/runtime.h"

struct cudaArray {
  cudaChannelFormatDesc desc;
  size_t width, height, depth;  // texels, each at least 1
  size_t texel;                 // bytes
  void* data;

  size_t RowBytes() const { return width * texel; }
};

#endif  // FLAGSTONE_KERNELS_CUDA_CLIENT_ARRAYS_H_
