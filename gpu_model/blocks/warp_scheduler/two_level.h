// The two-level warp scheduler: a small ready queue that issues, and a pending queue.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_

#include <array>

#include "gpu_model/blocks/warp_scheduler/config.h"
#include "gpu_model/blocks/warp_scheduler/warp_queue.h"

namespace flagstone {

// After Narasiman et al. (MICRO 2011), in the form in which CAPS describes it (sections I and V.A)
// and GPGPU-Sim has it: a warp whose next instruction waits for memory or for a barrier leaves the
// ready queue for the end of the pending queue, whose warps take the free places. Which of them do,
// and which ready warp issues, say TwoLevelPromotion and TwoLevelOrder.
//
// With several groups it is the scheduler of ORCH (CAPS paper, sections III.C and VI.B, after Jog
// et al., ISCA 2013): consecutive warps are in different groups, and warps of the group in turn
// take the free places first. Assumptions: warps join the groups in turns as they begin, those that
// can issue take places, and the turn goes on when the group has no such pending warp.
class TwoLevel {
 public:
  static constexpr bool kEligibleOnly = false;

  static constexpr uint32_t kMostGroups = 16;

  explicit TwoLevel(const WarpSchedulerConfig& config, uint32_t groups = 1)
      : most_ready_(config.two_level_ready),
        turns_(config.two_level_order == TwoLevelOrder::kRoundRobin),
        head_(groups == 1 && config.two_level_promotion == TwoLevelPromotion::kHead),
        groups_(groups) {}

  uint32_t Next(const WarpSchedulerIn& in) {
    if (turns_ && in.issued_valid) ready_.RotateBehind(in.issued_warp);
    ready_.Remove(in.finished);
    pending_.Remove(in.finished);
    pending_.PushBackAll(in.started);
    JoinGroups(in.started);
    Demote(ready_.mask() & (in.stalled | in.barrier));
    Promote(head_ ? ~WarpMask{0} : in.eligible);
    rotates_ = head_ && (ready_.mask() & (in.stalled | in.barrier)) != 0;
    return ready_.FirstOf(in.eligible);
  }
  bool Quiescent() const { return !rotates_; }

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
  bool turns_;
  bool head_;
  bool rotates_ = false;
  uint32_t groups_;
  WarpQueue ready_;
  WarpQueue pending_;
  std::array<WarpMask, kMostGroups> members_ = {};
  uint32_t joins_ = 0;  // the group that the next warp to begin joins
  uint32_t turn_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_TWO_LEVEL_H_
