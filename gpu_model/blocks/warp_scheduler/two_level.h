// The two-level warp scheduler: a small ready queue that issues, and a pending queue.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_

#include "gpu_model/blocks/warp_scheduler/warp_queue.h"

namespace flagstone {

// After Narasiman et al. (MICRO 2011), in the form in which CAPS describes it (section IV): a warp
// whose next instruction waits for memory or for a barrier leaves the ready queue for the end of
// the pending queue; eligible warps of the pending queue take the free places, in order. Of the
// ready queue the first eligible one issues, in the order in which they came in.
class TwoLevel {
 public:
  static constexpr bool kEligibleOnly = false;

  explicit TwoLevel(uint32_t ready) : most_ready_(ready) {}

  uint32_t Next(const WarpSchedulerIn& in) {
    ready_.Remove(in.finished);
    pending_.Remove(in.finished);
    pending_.PushBackAll(in.started);
    Demote(ready_.mask() & (in.stalled | in.barrier));
    Promote(in.eligible);
    return ready_.FirstOf(in.eligible);
  }
  bool Quiescent() const { return true; }

 private:
  void Demote(WarpMask warps) {
    if (warps == 0) return;
    for (uint32_t i = 0; i < ready_.size(); ++i) {
      if ((warps & WarpBit(ready_[i])) != 0) pending_.PushBack(ready_[i]);
    }
    ready_.Remove(warps);
  }
  void Promote(WarpMask eligible) {
    while (ready_.size() < most_ready_) {
      const uint32_t warp = pending_.FirstOf(eligible);
      if (warp == kNoWarp) return;
      pending_.Remove(WarpBit(warp));
      ready_.PushBack(warp);
    }
  }

  uint32_t most_ready_;
  WarpQueue ready_;
  WarpQueue pending_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_
