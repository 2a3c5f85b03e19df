// The warp schedulers that choose by order alone: lrr, gto, swl, priority-group.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_BASIC_POLICIES_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_BASIC_POLICIES_H_

#include "gpu_model/blocks/warp_scheduler/warp_queue.h"

namespace flagstone {

// Loose round-robin: the first eligible warp after the one that issued last.
class RoundRobin {
 public:
  static constexpr bool kEligibleOnly = true;

  uint32_t Next(const WarpSchedulerIn& in) {
    Issued(in);
    return FirstOf(in.eligible);
  }
  bool Quiescent() const { return true; }

  void Issued(const WarpSchedulerIn& in) {
    if (in.issued_valid) after_last_ = ~WarpMask{1} << in.issued_warp;
  }
  uint32_t FirstOf(WarpMask warps) const {
    if (warps == 0) return kNoWarp;
    const WarpMask after = warps & after_last_;
    return LowestWarp(after != 0 ? after : warps);
  }

 private:
  WarpMask after_last_ = ~WarpMask{0};
};

// Greedy-then-oldest (Rogers et al., MICRO 2012): stays with a warp until it stalls, then takes the
// one that has been on the SM longest.
class GreedyThenOldest {
 public:
  static constexpr bool kEligibleOnly = true;

  uint32_t Next(const WarpSchedulerIn& in) {
    Track(in);
    return FirstOf(in.eligible);
  }
  bool Quiescent() const { return true; }

  void Track(const WarpSchedulerIn& in) {
    by_age_.Remove(in.finished);
    if (last_ != kNoWarp && (in.finished & WarpBit(last_)) != 0) last_ = kNoWarp;
    by_age_.PushBackAll(in.started);
    if (in.issued_valid && (in.finished & WarpBit(in.issued_warp)) == 0) last_ = in.issued_warp;
  }
  uint32_t FirstOf(WarpMask warps) const {
    if (last_ != kNoWarp && (warps & WarpBit(last_)) != 0) return last_;
    return by_age_.FirstOf(warps);
  }
  const WarpQueue& by_age() const { return by_age_; }

 private:
  WarpQueue by_age_;  // oldest first
  uint32_t last_ = kNoWarp;
};

// Static wavefront limiting (Rogers et al., MICRO 2012): greedy-then-oldest among the oldest
// `limit` warps. Warps at a barrier do not count, or those that they wait for might never issue.
class StaticLimit {
 public:
  static constexpr bool kEligibleOnly = false;

  explicit StaticLimit(uint32_t limit) : limit_(limit) {}
  uint32_t Next(const WarpSchedulerIn& in) {
    order_.Track(in);
    return order_.FirstOf(in.eligible & order_.by_age().FirstOf(~in.barrier, limit_));
  }
  bool Quiescent() const { return true; }

 private:
  uint32_t limit_;
  GreedyThenOldest order_;
};

// After the programmable warp scheduler that the CTA-mapping paper combines with its mapping
// (Algorithm 2). The scheduler itself is described elsewhere, so this rule is an assumption: the
// oldest `size` warps are the high-priority group and take turns, so that the warps that share data
// stay close together; the others take turns in the cycles in which none of the group is eligible.
class PriorityGroup {
 public:
  static constexpr bool kEligibleOnly = true;

  explicit PriorityGroup(uint32_t size) : size_(size) {}
  uint32_t Next(const WarpSchedulerIn& in) {
    by_age_.Remove(in.finished);
    by_age_.PushBackAll(in.started);
    const WarpMask group = by_age_.FirstOf(~WarpMask{0}, size_);
    if (in.issued_valid) {
      // The turn of each part goes on where that part issued last.
      ((group & WarpBit(in.issued_warp)) != 0 ? high_ : low_).Issued(in);
    }
    const WarpMask first = in.eligible & group;
    return first != 0 ? high_.FirstOf(first) : low_.FirstOf(in.eligible);
  }
  bool Quiescent() const { return true; }

 private:
  uint32_t size_;
  WarpQueue by_age_;
  RoundRobin high_, low_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_BASIC_POLICIES_H_
