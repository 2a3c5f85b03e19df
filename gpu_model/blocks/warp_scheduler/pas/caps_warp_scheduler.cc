#include "gpu_model/blocks/warp_scheduler/pas/caps_warp_scheduler.h"

namespace flagstone {
namespace {

// The first of `warps`, of which there is one, at or after `turn`.
uint32_t FirstFrom(WarpMask warps, uint32_t turn) {
  const WarpMask after = warps & (~WarpMask{0} << turn);
  return LowestWarp(after != 0 ? after : warps);
}

}  // namespace

uint32_t PrefetchAware::Next(const WarpSchedulerIn& in) {
  switch (config_.policy) {
    case CapsWarpSchedulerConfig::Policy::kTwoLevel:
      return NextTwoLevel(in);
    case CapsWarpSchedulerConfig::Policy::kRoundRobin:
      return NextRoundRobin(in);
    case CapsWarpSchedulerConfig::Policy::kGreedy:
      return NextGreedy(in);
    case CapsWarpSchedulerConfig::Policy::kDuel:
      break;
  }
  return NextDuel(in);
}

uint32_t PrefetchAware::PlaceOf(WarpMask warp) const {
  for (uint32_t r = 0; r < config_.ready_warps; ++r) {
    if (ready_[r].warp == warp) return r;
  }
  return kMaxReady;
}

uint32_t PrefetchAware::NextTwoLevel(const WarpSchedulerIn& in) {
  const WarpMask leaves = in.finished | in.stalled | in.barrier;
  const WarpMask leading = config_.leading_first ? in.leading : 0;
  // As they stand before this cycle.
  const uint32_t free = PlaceOf(0);
  WarpMask ready = 0;
  WarpMask led = 0;
  for (uint32_t r = 0; r < config_.ready_warps; ++r) {
    Place& place = ready_[r];
    ready |= place.warp;
    if (place.leads) led |= place.warp;
    place.leads = (place.warp & leading) != 0;
  }

  // A slot that finishes may begin again in the same cycle: it can enter soon. A woken warp that
  // finds no place was no candidate in this cycle and may be one in the next.
  changed_ =
      (ready & leaves) != 0 || (ready & (led ^ leading)) != 0 || in.finished != 0 || in.wake_valid;
  uint32_t grant = kMaxReady;
  uint32_t youngest = kMaxReady;  // of the trailing ones
  const WarpMask can_issue = ready & ~leaves & in.eligible;
  const WarpMask pool = (can_issue & led) != 0 ? can_issue & led : can_issue;
  for (uint32_t r = 0; r < config_.ready_warps; ++r) {
    const Place& place = ready_[r];
    if ((place.warp & pool) != 0 && (grant == kMaxReady || place.since < ready_[grant].since)) {
      grant = r;
    }
    if ((place.warp & ~leaves & ~led) != 0 &&
        (youngest == kMaxReady || place.since > ready_[youngest].since)) {
      youngest = r;
    }
  }
  const uint32_t granted = grant == kMaxReady ? kNoWarp : LowestWarp(ready_[grant].warp);

  // One warp enters: the one that is woken, else the pending one that was chosen.
  const uint32_t place = free != kMaxReady ? free : youngest;
  const WarpMask woken = in.wake_valid ? WarpBit(in.wake_warp) : 0;
  const WarpMask wake = woken & ~leaves & ~ready;
  const WarpMask next = next_ & ~leaves & ~woken;
  Place enters;
  bool next_goes = next == 0;
  if (wake != 0 && place != kMaxReady) {
    enters = {wake, (wake & leading) != 0, 0};
  } else if (next != 0 && free != kMaxReady) {
    enters = {next, (next & leading) != 0, 0};
    next_goes = true;
  }
  // The choice of the next one.
  const WarpMask candidates = in.eligible & ~leaves & ~ready & ~woken & ~next_;
  if (next_ != 0 && next == 0) changed_ = true;
  if (next_goes) {
    next_ = 0;
    if (candidates != 0) {
      const bool leads = (candidates & leading) != 0;
      const uint32_t warp =
          leads ? LowestWarp(candidates & leading) : FirstFrom(candidates, pending_turn_);
      next_ = WarpBit(warp);
      if (!leads) pending_turn_ = (warp + 1) % config_.num_warps;
      changed_ = true;
    }
  }
  for (uint32_t r = 0; r < config_.ready_warps; ++r) ready_[r].warp &= ~leaves;
  if (enters.warp != 0) {
    enters.since = ++entered_;
    ready_[place] = enters;
    changed_ = true;
  }
  return granted;
}

uint32_t PrefetchAware::NextRoundRobin(const WarpSchedulerIn& in) {
  const uint32_t turn = in.issued_valid ? (in.issued_warp + 1) % config_.num_warps : turn_;
  changed_ = turn != turn_;
  turn_ = turn;
  return in.eligible == 0 ? kNoWarp : FirstFrom(Preferred(in.eligible, in), turn_);
}

uint32_t PrefetchAware::NextGreedy(const WarpSchedulerIn& in) {
  const uint32_t last = last_;
  const WarpMask started = GroupsOf(in.started);
  by_age_.Remove(started);
  by_age_.PushBackAll(started);
  if (last_ != kNoWarp && (in.finished & WarpBit(last_)) != 0) last_ = kNoWarp;
  if (in.issued_valid && (in.finished & WarpBit(in.issued_warp)) == 0) last_ = in.issued_warp;
  changed_ = last_ != last || in.started != 0;
  const WarpMask pool = Preferred(in.eligible, in);
  if (pool == 0) return kNoWarp;
  if (last_ != kNoWarp && (pool & WarpBit(last_)) != 0) return last_;
  const uint32_t group = by_age_.FirstOf(GroupsOf(pool) & ~started);
  if (group == kNoWarp) return kNoWarp;  // what begins now is not chosen yet
  return LowestWarp(pool & (~WarpMask{0} << group * config_.AgeGroup()));
}

// Bit g: one of the warps of age group g.
WarpMask PrefetchAware::GroupsOf(WarpMask warps) const {
  const uint32_t size = config_.AgeGroup();
  if (size == 1) return warps;
  WarpMask groups = 0;
  for (; warps != 0; warps &= warps - 1) groups |= WarpBit(LowestWarp(warps) / size);
  return groups;
}

uint32_t PrefetchAware::NextDuel(const WarpSchedulerIn& in) {
  const uint32_t order = duel_.order();
  bool changed = duel_.Tick(in);
  std::array<uint32_t, OrderDuel::kOrders> grants = {};
  grants[0] = NextTwoLevel(in);
  changed |= changed_;
  grants[1] = NextRoundRobin(in);
  changed |= changed_;
  grants[2] = NextGreedy(in);
  changed_ |= changed;
  return grants[order];
}

}  // namespace flagstone
