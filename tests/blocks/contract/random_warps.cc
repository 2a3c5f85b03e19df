#include "tests/blocks/contract/random_warps.h"

namespace flagstone {

WarpMask RandomWarps::Some(uint32_t percent) {
  WarpMask some = 0;
  for (uint32_t w = 0; w < num_warps_; ++w) {
    if (Below(100) < percent) some |= WarpMask{1} << w;
  }
  return some;
}

// A CTA of a few warps takes the first free slots.
void RandomWarps::Start(WarpSchedulerIn* in) {
  uint32_t left = 1 + Below(6);
  for (uint32_t w = 0; w < num_warps_ && left > 0; ++w) {
    const WarpMask bit = WarpMask{1} << w;
    if ((live_ & bit) != 0) continue;
    if (in->started == 0) leading_ |= bit;
    in->started |= bit;
    --left;
  }
  live_ |= in->started;
  if (groups_.Below(3) == 0) group_ = (group_ + 1) & last_group_;
}

WarpSchedulerIn RandomWarps::Next(const WarpSchedulerOut& out) {
  WarpSchedulerIn in;
  if (Below(64) == 0) mood_ = Below(4);
  const WarpMask waits = stalled_ | barrier_ | busy_;
  const WarpMask granted = out.grant_valid ? WarpMask{1} << out.grant_warp : 0;
  // A grant is void when its warp can no longer issue.
  if ((granted & live_ & ~waits) != 0 && Below(16) != 0) {
    in.issued_valid = true;
    in.issued_warp = out.grant_warp;
    const uint32_t fate = Below(16);
    if (fate == 0) in.finished |= granted;
    if (fate == 1) barrier_ |= granted;
    if (fate >= 2 && fate < 4 + 2 * mood_) stalled_ |= granted;
    if (fate == 15) busy_ |= granted;
  }
  if (Below(200) == 0) in.finished |= Some(30) & live_;
  live_ &= ~in.finished;
  leading_ &= live_;
  const uint32_t answers = mood_ == 3 ? 1 : 4;
  stalled_ &= live_ & ~Some(answers);
  barrier_ &= live_ & ~Some(4);
  busy_ &= live_ & ~Some(30);
  if (Below(24) == 0) Start(&in);
  if (Below(16) == 0) leading_ &= ~(Some(30) & ~in.started);  // their base addresses are known
  if (Below(6) == 0) {
    in.wake_valid = true;
    in.wake_warp = Below(num_warps_);
    stalled_ &= ~(Below(2) == 0 ? WarpMask{1} << in.wake_warp : 0);
  }
  if (Below(6) == 0) {
    in.lost_locality_valid = true;
    in.lost_locality_warp = Below(num_warps_);
  }
  in.epoch = ++cycle_ % epoch_ == 0;
  if (sizes_.Below(48) == 0) {
    in.group_valid = true;
    in.group_size = static_cast<uint32_t>(sizes_.Below(num_warps_ + 1));
  }
  in.started_number = group_;
  in.issued_load = in.issued_valid && groups_.Below(2) == 0;
  in.stalled = stalled_;
  in.barrier = barrier_;
  in.eligible = live_ & ~(stalled_ | barrier_ | busy_);
  in.wants_load = in.eligible & Some(30);
  in.leading = leading_;
  return in;
}

}  // namespace flagstone
