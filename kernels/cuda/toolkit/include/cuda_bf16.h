// Floats of which 16 bits are left.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_BF16_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_BF16_H_

#include "flagstone/small_floats.h"

using __nv_bfloat16 = flagstone::SmallFloat<flagstone::Bf16>;
using __nv_bfloat162 = flagstone::SmallFloat2<flagstone::Bf16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
FLAGSTONE_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_BF16_H_
