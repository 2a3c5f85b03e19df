#include "gpu_model/blocks/warp_scheduler/cache_conscious.h"

#include <algorithm>

namespace flagstone {

uint32_t CacheConscious::Next(const WarpSchedulerIn& in) {
  order_.Track(in);
  raised_ &= ~in.finished;
  for (WarpMask left = raised_; left != 0; left &= left - 1) {
    const uint32_t warp = LowestWarp(left);
    if (--score_[warp] == base_) raised_ &= ~WarpBit(warp);
  }
  if (in.issued_valid) ++issued_;
  if (in.lost_locality_valid) {
    ++lost_;
    const uint32_t warp = in.lost_locality_warp;
    const uint64_t score =
        lost_ * throttle_ * order_.by_age().size() * base_ / std::max<uint64_t>(issued_, 1);
    // A warp may have exited since it missed.
    if (score > base_ && (order_.by_age().mask() & WarpBit(warp)) != 0) {
      score_[warp] = score;
      raised_ |= WarpBit(warp);
    }
  }
  return order_.FirstOf(raised_ == 0 ? in.eligible : in.eligible & ~(in.wants_load & Barred()));
}

// Only raised warps need sorting: the others follow them by age, each with the base score.
WarpMask CacheConscious::Barred() const {
  const WarpQueue& by_age = order_.by_age();
  std::array<uint8_t, kMaxWarps> raised = {};
  uint32_t count = 0;
  for (uint32_t i = 0; i < by_age.size(); ++i) {
    const uint32_t warp = by_age[i];
    if ((raised_ & WarpBit(warp)) == 0) continue;
    uint32_t at = count++;
    for (; at > 0 && score_[raised[at - 1]] < score_[warp]; --at) raised[at] = raised[at - 1];
    raised[at] = static_cast<uint8_t>(warp);
  }
  const uint64_t cutoff = by_age.size() * base_;
  uint64_t height = 0;
  WarpMask may_load = WarpBit(raised[0]);
  for (uint32_t i = 0; i < count; ++i) {
    height += score_[raised[i]];
    if (height <= cutoff) may_load |= WarpBit(raised[i]);
  }
  if (height < cutoff) {
    const auto room = static_cast<uint32_t>((cutoff - height) / base_);
    may_load |= by_age.FirstOf(~raised_, room);
  }
  return ~may_load;
}

}  // namespace flagstone
