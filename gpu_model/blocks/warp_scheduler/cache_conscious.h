// Cache-conscious wavefront scheduling (CCWS): warps that lose their lines keep others from
// loading.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CACHE_CONSCIOUS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CACHE_CONSCIOUS_H_

#include <array>

#include "gpu_model/blocks/warp_scheduler/basic_policies.h"
#include "gpu_model/blocks/warp_scheduler/config.h"

namespace flagstone {

// Rogers et al., MICRO 2012. Each warp has a lost-locality score, at least the base score. A miss
// on a line that stands in the warp's victim tags sets it to
//   (such misses so far) * K_throttle * cutoff / (instructions issued so far),
// where cutoff = live warps * base score; each cycle takes one off, down to the base. Warps are
// stacked by score, highest first: those that reach above the cutoff may not load or store. The
// order is greedy-then-oldest. Assumptions: scores and counts are of one scheduler, not of the SM;
// ties of the stack go to the older warp; its first warp may always load, however high its score.
class CacheConscious {
 public:
  static constexpr bool kEligibleOnly = false;

  explicit CacheConscious(const WarpSchedulerConfig& config)
      : base_(config.ccws_base_score), throttle_(config.ccws_throttle) {}

  uint32_t Next(const WarpSchedulerIn& in);
  bool Quiescent() const { return raised_ == 0; }

 private:
  WarpMask Barred() const;

  uint64_t base_;
  uint64_t throttle_;
  GreedyThenOldest order_;
  std::array<uint64_t, kMaxWarps> score_ = {};
  WarpMask raised_ = 0;  // warps with a score above the base
  uint64_t issued_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_CACHE_CONSCIOUS_H_
