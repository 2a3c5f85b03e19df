// Approximations that other files round again.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_APPROXIMATE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_APPROXIMATE_H_

#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

float Exp2(float x);
float Tanh(float x);

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_APPROXIMATE_H_
