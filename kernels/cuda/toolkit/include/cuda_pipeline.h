// Copies from global to shared memory that a thread waits for later.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_PIPELINE_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_PIPELINE_H_
