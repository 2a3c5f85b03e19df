// The warp schedulers there are, and their constants as machine files give them.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CONFIG_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CONFIG_H_

#include <cstdint>
#include <string_view>

namespace flagstone {

// One visible table: `flagstone list schedulers`, --help and completions take names from here, and
// MakeWarpScheduler() (factory.h) makes each of them.
struct WarpSchedulerName {
  std::string_view name;
  std::string_view summary;
};
inline constexpr WarpSchedulerName kWarpSchedulers[] = {
    {"lrr", "loose round-robin over the ready warps"},
    {"gto", "greedy then oldest: stay with a warp until it stalls, then the oldest ready one"},
    {"two-level",
     "a small ready queue; warps that wait for memory give their place to pending ones"},
    {"orch", "two-level, with consecutive warps in different groups that take turns"},
    {"swl", "static limit: greedy then oldest among the oldest few warps"},
    {"ccws", "cache-conscious: warps that lose their lines keep the others from loading"},
    {"priority-group", "a high-priority group of the oldest warps first, then the others"},
    {"pas", "CAPS: two-level, leading warps first, and warps whose data was prefetched (RTL)"},
    {"pas-lrr", "CAPS on loose round-robin: leading warps first (RTL)"},
    {"pas-gto", "CAPS on greedy then oldest: leading warps first (RTL)"},
};

// Per scheduler; each constant serves the scheduler whose name it bears.
struct WarpSchedulerConfig {
  uint32_t two_level_ready = 8;  // warps in the ready queue, also of `orch` and `pas`
  uint32_t orch_groups = 3;      // of warps
  uint32_t swl_warps = 8;        // warps that may issue
  uint32_t priority_warps = 4;   // of the high-priority group
  // CCWS (Rogers et al., MICRO 2012).
  uint32_t ccws_base_score = 100;
  uint32_t ccws_throttle = 8;      // K_throttle
  uint32_t ccws_victim_tags = 16;  // of one warp
  uint32_t ccws_victim_ways = 8;
  uint32_t num_warps = 48;  // of the SM; not in machine files
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CONFIG_H_
