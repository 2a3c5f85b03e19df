// The names under which a user chooses CAPS's prefetch-aware warp scheduler (PAS): on top of which
// policy it puts the leading warps first (section V.A).
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_CAPS_PAS_NAMES_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_CAPS_PAS_NAMES_H_

#include <optional>
#include <string_view>

#include "gpu_model/blocks/caps/caps_warp_scheduler.h"
#include "gpu_model/blocks/warp_scheduler/config.h"

namespace flagstone {

// None for the other schedulers.
inline std::optional<CapsWarpSchedulerConfig> PasConfig(std::string_view name,
                                                        const WarpSchedulerConfig& config) {
  using Policy = CapsWarpSchedulerConfig::Policy;
  CapsWarpSchedulerConfig pas{.num_warps = config.num_warps, .ready_warps = config.two_level_ready};
  if (name == "pas") return pas;
  pas.policy = name == "pas-lrr" ? Policy::kRoundRobin : Policy::kGreedy;
  if (name == "pas-lrr" || name == "pas-gto") return pas;
  return std::nullopt;
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_CAPS_PAS_NAMES_H_
