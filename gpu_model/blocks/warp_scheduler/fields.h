// The ports of the warp scheduler that has RTL, CAPS's, as field tables, in the order of its port
// list.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_FIELDS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_FIELDS_H_

#include "gpu_model/blocks/field.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

// `num_warps`: 2 to kMaxWarps.
FieldTable<WarpSchedulerIn> WarpSchedulerInputs(uint32_t num_warps);
FieldTable<WarpSchedulerOut> WarpSchedulerOutputs(uint32_t num_warps);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_FIELDS_H_
