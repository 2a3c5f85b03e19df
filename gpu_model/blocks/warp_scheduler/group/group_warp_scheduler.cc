#include "gpu_model/blocks/warp_scheduler/group/group_warp_scheduler.h"

namespace flagstone {

uint32_t GroupWarps::Next(const WarpSchedulerIn& in) {
  const bool pulse = (in.started | in.finished) != 0 || in.issued_valid;
  changed_ = pulse || moved_;
  const WarpMask live = live_ & ~in.finished;
  const WarpMask can = in.eligible & live;  // what begins now is not chosen yet
  const bool turns = Turns(in, can);
  const WarpMask near = can & member_ & ~full_;
  const bool keeps = can == 0 || (can & (near == 0 ? ~WarpMask{0} : ~full_) & WarpBit(last_)) != 0;
  const uint32_t grant = turns       ? turn_
                         : keeps     ? last_
                         : near != 0 ? OldestOf(near)
                                     : LowestWarp(can);
  const WarpMask member = moved_ ? WarpsWith(group_[last_]) : member_;
  Count(in);
  const uint32_t oldest = oldest_;
  const bool passes = looks_ && FindOldest(live);
  looks_ = passes || (in.started | in.finished) != 0;
  if (in.started != 0) Number(in.started, oldest);
  for (WarpMask left = in.started; left != 0; left &= left - 1) {
    group_[LowestWarp(left)] = static_cast<uint8_t>(in.started_number);
  }
  live_ = live | in.started;
  member_ = member;
  changed_ |= turns || !keeps;
  moved_ = turns || !keeps || in.started != 0;
  turn_granted_ = turns;
  last_ = grant;
  return can != 0 ? grant : kNoWarp;
}

bool GroupWarps::Turns(const WarpSchedulerIn& in, WarpMask can) {
  const bool taken = in.issued_valid && turn_granted_;
  const bool due = waits_ == config_.patience && !taken;
  const bool turns = due && (can & WarpBit(turn_)) != 0;
  const bool skips = due && !turns && can != 0;
  if (taken) {
    waits_ = 0;
  } else if (in.issued_valid && waits_ != config_.patience) {
    ++waits_;
  }
  if (taken || skips) turn_ = (turn_ + 1) % config_.num_warps;
  changed_ |= skips;
  return turns;
}

uint32_t GroupWarps::OldestOf(WarpMask warps) const {
  uint32_t number = oldest_;
  while ((warps & of_number_[number]) == 0) number = (number + 1) & last_number_;
  return LowestWarp(warps & of_number_[number]);
}

void GroupWarps::Count(const WarpSchedulerIn& in) {
  const WarpMask group = live_ & member_;
  const bool lowers = group != 0 && (group & ~ahead_) == 0;
  const WarpMask counts = in.issued_valid && in.issued_load ? WarpBit(last_) : 0;
  const WarpMask down = lowers ? group & ~counts : 0;
  const WarpMask up = counts & ~full_ & ~(lowers ? group : 0);
  for (WarpMask left = down; left != 0; left &= left - 1) --count_[LowestWarp(left)];
  full_ &= ~down;
  for (WarpMask left = down; left != 0; left &= left - 1) {
    if (count_[LowestWarp(left)] == 0) ahead_ &= ~(left & -left);
  }
  if (up != 0 && ++count_[last_] == window_) full_ |= up;
  ahead_ |= up;
  changed_ |= lowers;
  for (WarpMask left = in.started; left != 0; left &= left - 1) count_[LowestWarp(left)] = 0;
  ahead_ &= ~in.started;
  full_ &= ~in.started;
}

bool GroupWarps::FindOldest(WarpMask live) {
  if (live == 0 || (live & of_number_[oldest_]) != 0) return false;
  oldest_ = (oldest_ + 1) & last_number_;
  changed_ = true;
  return true;
}

void GroupWarps::Number(WarpMask started, uint32_t oldest) {
  WarpMask units = 0;
  const WarpMask unit = (WarpMask{1} << config_.age_slots) - 1;
  for (; started != 0; started &= ~units) {
    units |= unit << (LowestWarp(started) / config_.age_slots * config_.age_slots);
  }
  for (WarpMask& slots : of_number_) slots &= ~units;
  const uint32_t next = (number_ + 1) & last_number_;
  if (next != oldest) number_ = next;
  of_number_[number_] |= units;
}

WarpMask GroupWarps::WarpsWith(uint32_t group) const {
  WarpMask warps = 0;
  for (uint32_t warp = 0; warp < config_.num_warps; ++warp) {
    if (group_[warp] == group) warps |= WarpBit(warp);
  }
  return warps;
}

}  // namespace flagstone
