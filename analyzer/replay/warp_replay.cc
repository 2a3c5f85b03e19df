#include "analyzer/replay/warp_replay.h"

#include <algorithm>

namespace flagstone::replay {

WarpReplay::WarpReplay(Traces* traces, uint32_t steps, const MachineConfig& machine,
                       uint32_t tbs_per_sm, const DeviceMemory* warm)
    : traces_(*traces),
      steps_(steps),
      warps_(traces->warps()),
      tbs_per_sm_(tbs_per_sm),
      sms_(machine.sm.count),
      schedulers_(machine.sm.schedulers),
      fresh_levels_(machine, warm),
      levels_(fresh_levels_),
      fresh_l1s_(machine, &levels_),
      l1s_(fresh_l1s_),
      issue_(size_t{sms_} * schedulers_),
      fresh_queue_(machine.sm.warp_scheduler == "gto"),
      fetches_(machine.sm.instruction_cache.size_kib > 0),
      fresh_code_(machine.sm.instruction_cache) {}

void WarpReplay::Clear(uint32_t places) {
  levels_ = fresh_levels_;
  l1s_ = fresh_l1s_;
  std::fill(issue_.begin(), issue_.end(), Server());
  queues_.assign(sms_, fresh_queue_);
  called_.assign(sms_, false);
  if (fetches_) code_.assign(sms_, fresh_code_);
  places_.assign(places, {});
  slots_.assign(size_t{places} * warps_, {});
  slot_on_.resize(sms_);
  // Places are dealt to SMs in turn.
  for (uint32_t slot = 0; slot < places * warps_; ++slot) {
    Warp& warp = slots_[slot];
    warp.place = slot / warps_;
    const uint32_t sm = places_[warp.place].sm = warp.place % sms_;
    warp.on_sm = static_cast<uint16_t>(warp.place / sms_ * warps_ + slot % warps_);
    warp.scheduler = sm * schedulers_ + slot % schedulers_;
    slot_on_[sm][warp.on_sm] = slot;
  }
  bases_.resize(places * traces_.accesses());
  first_sm_ = places * warps_;
  wheel_.emplace(first_sm_ + sms_);
  end_ = issued_ = 0;
  whole_ = kept_ = {};
}

void WarpReplay::Run(TbSource* source, size_t tbs) {
  const auto count = static_cast<uint32_t>(std::min<size_t>(tbs, Window()));
  Clear(count);
  for (uint32_t place = 0; place < count; ++place) {
    const uint32_t tb = source->Next(place % sms_);
    if (tb == TbSource::kNone) continue;
    StartTb(place, tb, source->Start(place));
  }
  size_t ended = 0;
  while (!wheel_->IsEmpty()) {
    const uint32_t player = wheel_->Pop();
    const double now = wheel_->time(player);
    if (player >= first_sm_) {
      TakeWaiting(player - first_sm_, now);
    } else if (slots_[player].at != nullptr) {
      GoOn(player, now);
    } else {
      source->Ended(++ended);
      const uint32_t place = slots_[player].place, tb = source->Next(places_[place].sm);
      if (tb != TbSource::kNone) StartTb(place, tb, now);
    }
  }
}

Replayed WarpReplay::Now() const {
  const Moved& moved = levels_.moved();
  constexpr double kBytes = kSectorBytes;
  Replayed now;
  now.cycles = end_;
  now.l2_reads = kBytes * static_cast<double>(moved.l2_reads);
  now.l2_writes = kBytes * static_cast<double>(moved.l2_writes);
  now.dram_reads = kBytes * levels_.AllReads();
  now.dram_writes = kBytes * levels_.AllDirtied();
  now.remote = kBytes * static_cast<double>(moved.remote);
  now.busy = {issued_ / static_cast<double>(issue_.size()), l1s_.UnitBusy(), levels_.L2Busy(),
              levels_.DramBusy(), levels_.LinksBusy()};
  return now;
}

void WarpReplay::StartTb(uint32_t p, uint32_t tb, double now) {
  Place& place = places_[p];
  place.left = warps_;
  place.arrived = 0;
  place.end = now;
  const Trace& trace = traces_.Of(tb, steps_);
  whole_ += trace.whole;
  kept_ += trace.kept;
  uint32_t* bases = bases_.data() + p * traces_.accesses();
  traces_.FindBases(tb, bases);
  for (uint32_t w = 0; w < warps_; ++w) {
    Warp& warp = slots_[p * warps_ + w];
    warp.at = trace.steps.data() + trace.first[w];
    warp.bases = bases;
    warp.gap_is_over = false;
    queues_[place.sm].Begin(warp.on_sm);
    warp.loads = 0;
    warp.loaded = 0;
    warp.last = now;
    wheel_->Push(p * warps_ + w, now);
  }
}

// When the code before a step is over.
double WarpReplay::Issue(uint32_t slot, uint32_t sm, uint16_t index, double now) {
  const Gap& gap = traces_.code().gaps()[index];
  Server& scheduler = issue_[slots_[slot].scheduler];
  if (fetches_) now = code_[sm].Fetch(sm, traces_.code(), index, now, &levels_);
  const double begin = std::max(now, scheduler.free());
  issued_ += gap.issue;
  double end = std::max(scheduler.Serve(begin, gap.issue), begin + gap.chain);
  if (gap.load_store > 0) end = std::max(end, l1s_.Busy(sm, begin, gap.load_store));
  return end;
}

void WarpReplay::GoOn(uint32_t slot, double now) {
  Warp& warp = slots_[slot];
  const uint32_t p = warp.place;
  const uint32_t sm = places_[p].sm;
  const double from = now;
  for (;;) {
    const Step& step = *warp.at;
    if (!warp.gap_is_over) {
      now = Issue(slot, sm, step.gap, now);
      if (now > from + kAtOnce) {
        warp.gap_is_over = true;
        wheel_->Push(slot, now);
        return;
      }
    }
    warp.gap_is_over = false;
    switch (step.kind) {
      case Step::Kind::kEnd:
        EndWarp(slot, now);
        return;
      case Step::Kind::kBarrier:
        ++warp.at;
        warp.waits = true;
        ++places_[p].arrived;
        ReleaseIfAll(p, now);
        return;
      case Step::Kind::kResult: {
        ++warp.at;
        const bool known = step.line != 0 && step.line + kRing > warp.loads;
        const double there = known ? warp.there[step.line % kRing] : now;
        if (there > from + kAtOnce) {
          wheel_->Push(slot, there);
          return;
        }
        now = std::max(now, there);
        break;
      }
      default:
        if (!queues_[sm].IsEmpty() || l1s_.RoomAt(sm) > now) {
          Wait(slot, sm, now);
          return;
        }
        now = Access(&warp, sm, now);
    }
  }
}

// Until the load/store unit has room.
void WarpReplay::Wait(uint32_t slot, uint32_t sm, double now) {
  if (!called_[sm]) wheel_->Push(first_sm_ + sm, std::max(now, l1s_.RoomAt(sm)));
  called_[sm] = true;
  slots_[slot].gap_is_over = true;
  queues_[sm].Add(slots_[slot].on_sm);
}

void WarpReplay::TakeWaiting(uint32_t sm, double now) {
  const uint32_t slot = slot_on_[sm][queues_[sm].Take()];
  slots_[slot].gap_is_over = false;
  now = Access(&slots_[slot], sm, now);
  GoOn(slot, now);
  called_[sm] = !queues_[sm].IsEmpty();
  if (called_[sm]) wheel_->Push(first_sm_ + sm, std::max(now, l1s_.RoomAt(sm)));
}

// All requests of an access; returns when the warp can go on.
double WarpReplay::Access(Warp* warp, uint32_t sm, double now) {
  const Step::Kind kind = warp->at->kind;
  levels_.SetAccess(warp->at->access);
  double there = now;
  do {
    const Step& step = *warp->at;
    const LineNumber line = step.line + warp->bases[step.access];
    there = std::max(there, Request(kind, sm, line, step.sectors, now));
    ++warp->at;
  } while (warp->at->goes_on);
  warp->last = std::max(warp->last, there);
  if (kind != Step::Kind::kStore) {
    warp->loaded = std::max(warp->loaded, there);
    warp->there[++warp->loads % kRing] = warp->loaded;
  }
  l1s_.EndInstruction(sm);
  return now + 1;
}

double WarpReplay::Request(Step::Kind kind, uint32_t sm, LineNumber line, SectorMask sectors,
                           double now) {
  switch (kind) {
    case Step::Kind::kStore:
      return l1s_.Store(sm, line, sectors, now);
    case Step::Kind::kAtomic:
      return l1s_.Atomic(sm, line, sectors, now);
    case Step::Kind::kCopy:
      levels_.Ask(SectorCount(sectors));
      return l1s_.Copy(sm, line, sectors, now);
    default:
      levels_.Ask(SectorCount(sectors));
      return l1s_.Load(sm, line, sectors, now);
  }
}

void WarpReplay::ReleaseIfAll(uint32_t p, double now) {
  Place& place = places_[p];
  if (place.arrived == 0 || place.arrived < place.left) return;
  place.arrived = 0;
  for (uint32_t slot = p * warps_; slot < (p + 1) * warps_; ++slot) {
    if (!slots_[slot].waits) continue;
    slots_[slot].waits = false;
    wheel_->Push(slot, now);
  }
}

// The last one of a TB ends it, when all its requests are over.
void WarpReplay::EndWarp(uint32_t slot, double now) {
  const uint32_t p = slots_[slot].place;
  Place& place = places_[p];
  place.end = std::max({place.end, now, slots_[slot].last});
  slots_[slot].at = nullptr;
  if (--place.left > 0) {
    ReleaseIfAll(p, now);
    return;
  }
  end_ = std::max(end_, place.end);
  levels_.EndTb();
  wheel_->Push(slot, place.end);
}

}  // namespace flagstone::replay
