#include "gpu_model/blocks/warp_scheduler/programmable/programmable_warp_scheduler.h"

namespace flagstone {

uint32_t Programmable::Next(const WarpSchedulerIn& in) {
  changed_ = (in.started | in.finished) != 0 || in.group_valid || next_ != 0;
  for (uint32_t t = 0; t < config_.tb_slots; ++t) tbs_[t] &= ~in.finished;
  uint32_t last = in.issued_valid ? in.issued_warp : last_;
  if (last != kNoWarp && (in.finished & WarpBit(last)) != 0) last = kNoWarp;
  changed_ |= last != last_;
  last_ = last;
  const uint32_t grant = Choose(in);
  ChangeGroup(in);
  StartWarps(in.started);
  return grant;
}

// What begins now is not chosen yet.
uint32_t Programmable::Choose(const WarpSchedulerIn& in) {
  const WarpMask high = in.eligible & group_ & ~in.finished;
  if (high != 0) return InTurn(high, &high_turn_);
  if (size_ != 0) {
    WarpMask all = 0;
    for (uint32_t t = 0; t < config_.tb_slots; ++t) all |= tbs_[t];
    return InTurn(in.eligible & all, &low_turn_);
  }
  if (last_ != kNoWarp && (in.eligible & WarpBit(last_)) != 0) return last_;
  const WarpMask oldest = OldestOf(in.eligible);
  return oldest == 0 ? kNoWarp : LowestWarp(oldest);
}

uint32_t Programmable::InTurn(WarpMask warps, uint32_t* turn) {
  if (warps == 0) return kNoWarp;
  const WarpMask after = warps & (~WarpMask{0} << *turn);
  const uint32_t warp = LowestWarp(after != 0 ? after : warps);
  *turn = (warp + 1) % config_.num_warps;
  changed_ = true;
  return warp;
}

WarpMask Programmable::OldestOf(WarpMask warps) const {
  for (uint32_t i = 0; i < by_age_.size(); ++i) {
    const WarpMask of_tb = tbs_[by_age_[i]] & warps;
    if (of_tb != 0) return of_tb & -of_tb;
  }
  return 0;
}

// A smaller size begins a new group. In one cycle the RTL counts the group's warps, in the next one
// it chooses who joins, and in the third that one does.
void Programmable::ChangeGroup(const WarpSchedulerIn& in) {
  const bool clear = in.group_valid && in.group_size < size_;
  const bool moves = in.finished != 0 || in.group_valid || next_ != 0;
  const WarpMask joins = next_ & ~in.finished;
  const bool has_room = static_cast<uint32_t>(std::popcount(group_)) < size_;
  const bool chooses = has_room && next_ == 0 && !moved_ && !clear;
  changed_ |= moved_;
  next_ = chooses ? OldestOf(~group_) : 0;
  group_ = clear ? 0 : (group_ & ~in.finished) | joins;
  changed_ |= next_ != 0;
  moved_ = moves;
  if (in.group_valid) size_ = in.group_size;
}

// As a TB of their own, or where there are too many of them, as a part of the youngest one.
void Programmable::StartWarps(WarpMask started) {
  if (started == 0) return;
  uint32_t slot = 0;
  while (slot < config_.tb_slots && tbs_[slot] != 0) ++slot;
  if (slot == config_.tb_slots) slot = by_age_[by_age_.size() - 1];
  tbs_[slot] |= started;
  by_age_.Remove(WarpBit(slot));
  by_age_.PushBack(slot);
}

}  // namespace flagstone
