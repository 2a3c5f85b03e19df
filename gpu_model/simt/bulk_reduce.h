// cp.reduce.async.bulk and cp.reduce.async.bulk.tensor (PTX ISA, sections 9.7.9.25.5 and
// 9.7.9.27.1.3): copies that combine each element of their source with the one at the destination.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_

#include "gpu_model/simt/code.h"
#include "kernels/launch/tensor_map.h"
#include "kernels/ptx/opcode.h"
#include "kernels/ptx/types.h"

namespace flagstone::simt {

BulkSlots::Reducer ReducerOf(ptx::AtomicOp op, ptx::Type type);
// Null where the operation does not take the elements of such a tensor.
BulkSlots::Reducer TensorReducer(ptx::AtomicOp op, TensorType type);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_
