// Floats of which 16 bits are left.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_BF16_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_BF16_H_

#include "flagstone/small_float_functions.h"

struct __nv_bfloat16 : flagstone::SmallFloat<__nv_bfloat16, flagstone::Bf16> {
  using SmallFloat::SmallFloat;
};
struct __nv_bfloat162 : flagstone::SmallFloat2<__nv_bfloat162, __nv_bfloat16> {
  using SmallFloat2::SmallFloat2;
};
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
FLAGSTONE_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_BF16_H_
