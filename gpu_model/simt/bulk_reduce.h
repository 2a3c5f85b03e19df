// cp.reduce.async.bulk (PTX ISA, section 9.7.9.25.4.2): a bulk copy that combines each element of
// its source with the one at its destination.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_

#include <cstddef>
#include <cstdint>

#include "gpu_model/simt/code.h"

namespace flagstone::simt {

// Combines `bytes`, a multiple of the size of the elements.
using BulkReducer = void (*)(std::byte* to, const std::byte* from, uint64_t bytes);

// Null where the instruction only copies.
BulkReducer ReducerOf(const Inst& inst);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_BULK_REDUCE_H_
