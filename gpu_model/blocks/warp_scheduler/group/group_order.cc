#include "gpu_model/blocks/warp_scheduler/group/group_order.h"

namespace flagstone {

uint32_t GroupOrder::Next(const WarpSchedulerIn& in) {
  const bool moved = changed_;
  changed_ = in.finished != 0;
  if (moved) Level();
  CountIssue(in);
  for (uint32_t t = 0; t < config_.tb_slots; ++t) {
    tbs_[t].warps &= ~in.finished;
    if (tbs_[t].warps == 0) by_age_.Remove(WarpBit(t));
  }
  if (last_ != kNoWarp && (in.finished & WarpBit(last_)) != 0) last_ = kNoWarp;
  const uint32_t grant = Choose(in.eligible & ~in.finished);
  if (in.started != 0) Start(in);
  return grant;
}

// Of each group whose warps have all been counted, the counters go down by one.
void GroupOrder::Level() {
  WarpMask seen = 0;
  for (uint32_t i = 0; i < by_age_.size(); ++i) {
    if ((tbs_[by_age_[i]].warps & seen) != 0) continue;
    WarpMask warps = WarpsOfGroup(by_age_[i]);
    seen |= warps;
    if (ahead_[LowestWarp(Slowest(warps))] == 0) continue;
    for (; warps != 0; warps &= warps - 1) --ahead_[LowestWarp(warps)];
    changed_ = true;
  }
}

void GroupOrder::CountIssue(const WarpSchedulerIn& in) {
  if (!in.issued_valid) return;
  const uint32_t warp = in.issued_warp;
  last_ = warp;
  changed_ = true;
  if (in.issued_load) ++ahead_[warp];
  if (issues_ < config_.patience) ++issues_;
}

uint32_t GroupOrder::Choose(WarpMask eligible) {
  WarpMask known = 0;
  for (uint32_t i = 0; i < by_age_.size(); ++i) known |= tbs_[by_age_[i]].warps;
  eligible &= known;
  if (eligible == 0) return kNoWarp;
  if (config_.patience != 0 && issues_ == config_.patience) return InTurn(eligible);
  WarpMask pool = 0;
  if (last_ != kNoWarp) {
    if (config_.rule != Rule::kAge) {
      pool = WarpsOfGroup(TbOf(last_)) & eligible;
    } else if ((eligible & WarpBit(last_)) != 0) {
      return last_;
    }
  }
  for (uint32_t i = 0; pool == 0; ++i) pool = WarpsOfGroup(by_age_[i]) & eligible;
  return OfGroup(pool);
}

uint32_t GroupOrder::InTurn(WarpMask warps) {
  const WarpMask after = warps & (~WarpMask{0} << turn_);
  const uint32_t warp = LowestWarp(after != 0 ? after : warps);
  turn_ = (warp + 1) % config_.num_warps;
  issues_ = 0;
  changed_ = true;
  return warp;
}

// Of those that can issue in one group.
uint32_t GroupOrder::OfGroup(WarpMask warps) const {
  switch (config_.rule) {
    case Rule::kTurn: {
      const WarpMask after = last_ == kNoWarp ? warps : warps & (~WarpMask{1} << last_);
      return LowestWarp(after != 0 ? after : warps);
    }
    case Rule::kBehind:
      warps = Slowest(warps);
      break;
    case Rule::kAge:
      break;
  }
  if (last_ != kNoWarp && (warps & WarpBit(last_)) != 0) return last_;
  return OldestOf(warps);
}

// As a TB of their own, or where there are too many of them, as a part of the youngest one.
void GroupOrder::Start(const WarpSchedulerIn& in) {
  uint32_t slot = 0;
  while (slot < config_.tb_slots && tbs_[slot].warps != 0) ++slot;
  if (slot == config_.tb_slots) {
    slot = by_age_[by_age_.size() - 1];
  } else {
    tbs_[slot].group = in.started_group;
  }
  tbs_[slot].warps |= in.started;
  by_age_.Remove(WarpBit(slot));
  by_age_.PushBack(slot);
  for (WarpMask left = in.started; left != 0; left &= left - 1) ahead_[LowestWarp(left)] = 0;
  changed_ = true;
}

uint32_t GroupOrder::TbOf(uint32_t warp) const {
  for (uint32_t i = 0; i < by_age_.size(); ++i) {
    if ((tbs_[by_age_[i]].warps & WarpBit(warp)) != 0) return by_age_[i];
  }
  return by_age_[0];
}

WarpMask GroupOrder::WarpsOfGroup(uint32_t tb) const {
  WarpMask warps = 0;
  for (uint32_t i = 0; i < by_age_.size(); ++i) {
    const Tb& each = tbs_[by_age_[i]];
    if (each.group == tbs_[tb].group) warps |= each.warps;
  }
  return warps;
}

uint32_t GroupOrder::OldestOf(WarpMask warps) const {
  for (uint32_t i = 0; i < by_age_.size(); ++i) {
    const WarpMask of_tb = tbs_[by_age_[i]].warps & warps;
    if (of_tb != 0) return LowestWarp(of_tb);
  }
  return kNoWarp;
}

WarpMask GroupOrder::Slowest(WarpMask warps) const {
  WarpMask slowest = 0;
  uint32_t least = ~uint32_t{0};
  for (; warps != 0; warps &= warps - 1) {
    const uint32_t warp = LowestWarp(warps);
    if (ahead_[warp] > least) continue;
    if (ahead_[warp] < least) slowest = 0;
    least = ahead_[warp];
    slowest |= WarpBit(warp);
  }
  return slowest;
}

}  // namespace flagstone
