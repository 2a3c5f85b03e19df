// The warp schedulers' constants, as machine files give them.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CONFIG_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CONFIG_H_

#include <cstdint>
#include <string_view>

namespace flagstone {

// Until when the first warp of a TB leads it, for PAS (CAPS, section V.A): as long as it lives,
// until it has told the base address of one load, or of all loads that prefetches are for.
enum class LeadingMark : uint8_t { kPermanent, kFirstBase, kAllBases };
inline constexpr std::string_view kLeadingMarks[] = {"permanent", "first-base", "all-bases"};

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
  LeadingMark pas_leading_mark = LeadingMark::kAllBases;
  uint32_t duel_epoch = 768;  // `pas+`: cycles
  // `group` and its relatives.
  uint32_t group_window = 7;      // loads that a warp may be ahead of the slowest of its group
  uint32_t group_patience = 256;  // issues of which one is a turn of all warps; 0: none is
  // Of the SM; not in machine files.
  uint32_t num_warps = 48;
  uint32_t tb_slots = 8;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CONFIG_H_
