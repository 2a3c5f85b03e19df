// Halves.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_FP16_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_FP16_H_

#include "flagstone/small_float_functions.h"

struct __half : flagstone::SmallFloat<__half, flagstone::Fp16> {
  using SmallFloat::SmallFloat;
};
struct __half2 : flagstone::SmallFloat2<__half2, __half> {
  using SmallFloat2::SmallFloat2;
};
using half = __half;
using half2 = __half2;
FLAGSTONE_NAMES(__half, __half2, half, half2)
FLAGSTONE_FUNCTION __half2 __float2half2(float a) { return {a, a}; }

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_FP16_H_
