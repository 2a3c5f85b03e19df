// Makes the C++ model of a warp scheduler by its name.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_FACTORY_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_FACTORY_H_

#include <memory>
#include <string_view>

#include "gpu_model/blocks/warp_scheduler/config.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

// After Reset(). Throws kBadInput, listing kWarpSchedulers, for an unknown name.
std::unique_ptr<WarpScheduler> MakeWarpScheduler(std::string_view name,
                                                 const WarpSchedulerConfig& config);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_FACTORY_H_
