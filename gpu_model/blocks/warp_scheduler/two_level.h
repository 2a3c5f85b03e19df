// The two-level warp scheduler: a small ready queue that issues, and a pending queue.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_

#include <array>

#include "gpu_model/blocks/warp_scheduler/warp_queue.h"

namespace flagstone {

// After Narasiman et al. (MICRO 2011), in the form in which CAPS describes it (section IV): a warp
// whose next instruction waits for memory or for a barrier leaves the ready queue for the end of
// the pending queue; eligible warps of the pending queue take the free places, in order. Of the
// ready queue the first eligible one issues, in the order in which they came in.
//
// With several groups it is the scheduler of ORCH (CAPS paper, sections III.C and VI.B, after Jog
// et al., ISCA 2013): consecutive warps are in different groups, and warps of the group in turn
// take the free places first. Assumptions: warps join the groups in turns as they begin, and the
// turn goes on when the group has no eligible pending warp.
class TwoLevel {
 public:
  static constexpr bool kEligibleOnly = false;

  static constexpr uint32_t kMostGroups = 16;

  explicit TwoLevel(uint32_t ready, uint32_t groups = 1) : most_ready_(ready), groups_(groups) {}

  uint32_t Next(const WarpSchedulerIn& in) {
    ready_.Remove(in.finished);
    pending_.Remove(in.finished);
    pending_.PushBackAll(in.started);
    JoinGroups(in.started);
    Demote(ready_.mask() & (in.stalled | in.barrier));
    Promote(in.eligible);
    return ready_.FirstOf(in.eligible);
  }
  bool Quiescent() const { return true; }

 private:
  void JoinGroups(WarpMask started) {
    for (uint32_t g = 0; g < groups_; ++g) members_[g] &= ~started;
    for (; started != 0; started &= started - 1) {
      members_[joins_] |= WarpBit(LowestWarp(started));
      joins_ = (joins_ + 1) % groups_;
    }
  }
  void Demote(WarpMask warps) {
    if (warps == 0) return;
    for (uint32_t i = 0; i < ready_.size(); ++i) {
      if ((warps & WarpBit(ready_[i])) != 0) pending_.PushBack(ready_[i]);
    }
    ready_.Remove(warps);
  }
  void Promote(WarpMask eligible) {
    while (ready_.size() < most_ready_) {
      const uint32_t warp = NextPending(eligible);
      if (warp == kNoWarp) return;
      pending_.Remove(WarpBit(warp));
      ready_.PushBack(warp);
    }
  }

  uint32_t NextPending(WarpMask eligible) {
    for (uint32_t i = 0; i < groups_; ++i) {
      const uint32_t warp = pending_.FirstOf(eligible & members_[turn_]);
      if (warp != kNoWarp) return warp;
      turn_ = (turn_ + 1) % groups_;
    }
    return kNoWarp;
  }

  uint32_t most_ready_;
  uint32_t groups_;
  WarpQueue ready_;
  WarpQueue pending_;
  std::array<WarpMask, kMostGroups> members_ = {};
  uint32_t joins_ = 0;  // the group that the next warp to begin joins
  uint32_t turn_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_
