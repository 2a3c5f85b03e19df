// cp.reduce.async.bulk (PTX ISA, section 9.7.9.25.4.2): a bulk copy that combines each element of
// its source with the one at its destination.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_

#include "gpu_model/simt/code.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

// Null where the instruction only copies.
BulkSlots::Reducer ReducerOf(const ptx::Instruction& instruction);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_
