// What a lane's tensor copy is asked for: its map, the elements that it takes, and its place in
// shared memory.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_TENSOR_OPERANDS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_TENSOR_OPERANDS_H_

#include <cstdint>

#include "gpu_model/simt/code.h"
#include "kernels/launch/tensor_box.h"

namespace flagstone::simt {

struct TensorOperands {
  TensorBox box;
  uint64_t shared = 0;  // the address that the lane gives; of a prefetch 0
};

// Throws where they break a rule: no map, a map that the ISA or the driver API rules out, a place
// that is not aligned.
TensorOperands TensorOperandsOf(Context& c, const Inst& inst, uint32_t lane);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_TENSOR_OPERANDS_H_
