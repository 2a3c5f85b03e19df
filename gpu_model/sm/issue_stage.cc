#include "gpu_model/sm/issue_stage.h"

#include <algorithm>
#include <bit>

namespace flagstone {
namespace {

WarpMask Bit(uint32_t warp) { return WarpMask{1} << warp; }

// Calls `visit(unit)` for each unit of the set.
template <class Visit>
void ForEachUnit(uint32_t units, Visit&& visit) {
  for (; units != 0; units &= units - 1) visit(static_cast<Unit>(std::countr_zero(units)));
}

}  // namespace

IssueStage::IssueStage(const SmSetup& setup, uint32_t sm, WarpTable* warps, MemoryPath* memory,
                       ExecuteStage* execute)
    : warps_(warps),
      memory_(memory),
      execute_(execute),
      rotating_(setup.machine->sm.scheduler_order == SchedulerOrder::kRotating),
      dual_issue_(setup.machine->sm.issue_width > 1),
      memory_issue_(setup.machine->sm.lsu_issue),
      every_tick_(setup.force_every_tick),
      max_warps_(setup.machine->sm.max_warps),
      epoch_(setup.epoch),
      tb_groups_(setup.tb_groups),
      schedulers_(setup.machine->sm.schedulers) {
  for (uint32_t i = 0; i < schedulers_.size(); ++i) {
    schedulers_[i].block = setup.make_warp_scheduler(sm, i);
    schedulers_[i].out = schedulers_[i].block->Outputs();
    schedulers_[i].number = i;
  }
  for (uint32_t warp = 0; warp < kMaxWarps; ++warp) {
    schedulers_[warp % schedulers_.size()].warps |= Bit(warp);
  }
  if (!setup.group_sizes) return;
  loop_sizes_.assign(setup.program->size(), kNoSize);
  for (const GroupSizes::Entry& loop : setup.group_sizes->loops) {
    loop_sizes_[loop.header_pc] = loop.size;
  }
  written_size_ = setup.group_sizes->at_launch;
}

WarpMask IssueStage::Candidates(const Scheduler& scheduler, uint64_t full_units,
                                uint64_t now) const {
  WarpMask candidates = warps_->ready() & scheduler.warps;
  if (candidates == 0) return 0;
  ForEachUnit(scheduler.busy_units, [&](Unit unit) {
    if (scheduler.unit_free[static_cast<size_t>(unit)] > now) candidates &= ~warps_->wants(unit);
  });
  uint32_t full = FullUnits(scheduler, full_units);
  if (full == 0) return candidates;
  if ((full & MemoryPath::kOthers) != 0) {
    full &= ~MemoryPath::kOthers;
    candidates &= warps_->wants(Unit::kLoadStore) | warps_->wants(Unit::kConst) |
                  warps_->wants(Unit::kTexture);
  }
  ForEachUnit(full, [&](Unit unit) { candidates &= ~warps_->wants(unit); });
  return candidates;
}

// Why no warp issued in cycle `now`, the state being that of before.
IssueStage::Cycle IssueStage::Waiting(const Scheduler& scheduler, uint64_t now) const {
  const WarpMask live = warps_->live() & scheduler.warps;
  if (live == 0) return {};
  Cycle cycle{.waits = WaitsOf(live)};
  if (const WarpMask ready = warps_->ready() & live; ready != 0) {
    cycle.slot = Candidates(scheduler, now) != 0 ? IssueSlot::kNoGrant : IssueSlot::kUnit;
    cycle.unit = (*warps_)[static_cast<uint32_t>(std::countr_zero(ready))].unit;
    return cycle;
  }
  const WarpMask barrier = warps_->barrier();
  const WarpMask fetching = (warps_->waiting() & ~barrier) | warps_->fetching();
  if ((live & ~fetching & ~barrier & ~warps_->stalled()) != 0) {
    cycle.slot = IssueSlot::kPipe;
  } else if ((live & fetching) != 0) {
    cycle.slot = IssueSlot::kFetch;
  } else {
    cycle.slot = cycle.waits != Waits::kNone ? IssueSlot::kMemory : IssueSlot::kBarrier;
  }
  return cycle;
}

// Of `live` warps, those that need data from memory.
IssueStage::Waits IssueStage::WaitsOf(WarpMask live) const {
  const WarpMask stalled = warps_->stalled() & live;
  if (stalled == 0) return Waits::kNone;
  if (stalled == live) return Waits::kAll;
  return 2 * std::popcount(stalled) >= std::popcount(live) ? Waits::kHalf : Waits::kAny;
}

void IssueStage::Count(Scheduler* scheduler, const Cycle& cycle, uint64_t cycles) {
  statistics_[cycle.slot] += cycles;
  if (cycle.slot == IssueSlot::kUnit) {
    statistics_.unit_waits[static_cast<size_t>(cycle.unit)] += cycles;
  }
  waits_[static_cast<size_t>(cycle.waits)] += cycles;
  scheduler->last = cycle;
}

void IssueStage::CountSkipped(uint64_t cycles) {
  for (Scheduler& scheduler : schedulers_) {
    Count(&scheduler, Waiting(scheduler, last_cycle_ + 1), cycles);
  }
}

bool IssueStage::Issue(uint64_t now) {
  const Inputs inputs = InputsNow();
  if (still_ && inputs == at_issue_) {
    for (Scheduler& scheduler : schedulers_) Count(&scheduler, Cycle(scheduler.last), 1);
    return false;
  }
  at_issue_ = inputs;
  bool issued = false;
  memory_left_ = memory_issue_;
  if (warps_->ready() != 0) execute_->SetClock(now);
  const auto first = schedulers_.begin() + static_cast<ptrdiff_t>(First(now));
  for (auto it = first; it != schedulers_.end(); ++it) issued |= IssueFrom(&*it, now);
  for (auto it = schedulers_.begin(); it != first; ++it) issued |= IssueFrom(&*it, now);
  return issued;
}

// A scheduler's turn: it issues what it has granted, if that is still possible.
bool IssueStage::IssueFrom(Scheduler* scheduler, uint64_t now) {
  ForEachUnit(scheduler->busy_units, [&](Unit unit) {
    const auto index = static_cast<uint32_t>(unit);
    if (scheduler->unit_free[index] <= now) scheduler->busy_units &= ~(1U << index);
  });
  scheduler->in.issued_valid = scheduler->out.grant_valid && IssueGrant(scheduler, now);
  if (scheduler->in.issued_valid) return true;
  Count(scheduler, Waiting(*scheduler, now), 1);
  return false;
}

// Dual issue: the second instruction is the warp's next one, needs no result of the first, goes to
// another pipe, and comes before the next scheduler's turn (GPGPU-Sim, scheduler_unit::cycle).
bool IssueStage::IssueGrant(Scheduler* scheduler, uint64_t now) {
  const uint32_t warp = scheduler->out.grant_warp;
  if (warp >= kMaxWarps || !MayIssue(*scheduler, warp, now)) return false;
  Count(scheduler, {.slot = IssueSlot::kIssued}, 1);
  scheduler->in.issued_warp = warp;
  scheduler->in.issued_load = warps_->next(warp).wants_load;
  const Unit first = (*warps_)[warp].unit;
  IssueWarp(scheduler, warp, now);
  if (dual_issue_ && MayIssue(*scheduler, warp, now) && (*warps_)[warp].unit != first) {
    IssueWarp(scheduler, warp, now);
    ++statistics_.dual_issues;
  }
  return true;
}

void IssueStage::IssueWarp(Scheduler* scheduler, uint32_t warp, uint64_t now) {
  const IssueInfo& info = warps_->next(warp);
  if (info.interval > 1) {
    const auto unit = static_cast<uint32_t>(info.unit);
    scheduler->unit_free[unit] = now + info.interval;
    scheduler->busy_units |= 1U << unit;
  }
  if (info.to_memory) --memory_left_;
  if (!loop_sizes_.empty()) NoteLoopEntry(warp);
  if (info.by_descriptor) [[unlikely]]
    return IssueByDescriptor(warp, now);
  execute_->Issue(warp, now);
}

// Takes the pipe of every scheduler, for as long as the execution says.
void IssueStage::IssueByDescriptor(uint32_t warp, uint64_t now) {
  const auto unit = static_cast<uint32_t>(warps_->next(warp).unit);
  execute_->Issue(warp, now);
  if (execute_->interval() <= 1) return;
  for (Scheduler& each : schedulers_) {
    each.unit_free[unit] = std::max(each.unit_free[unit], now + execute_->interval());
    each.busy_units |= 1U << unit;
  }
}

// A loop is entered from above and goes on from below (assumption: where its entry stands below, it
// is not noticed).
void IssueStage::NoteLoopEntry(uint32_t warp) {
  const uint32_t pc = (*warps_)[warp].pc;
  if (loop_sizes_[pc] != kNoSize && last_pc_[warp] <= pc) written_size_ = loop_sizes_[pc];
  last_pc_[warp] = pc + 1;
}

void IssueStage::ForgetPcs(WarpMask started) {
  for (; started != 0; started &= started - 1) {
    last_pc_[static_cast<uint32_t>(std::countr_zero(started))] = 0;
  }
}

// Each scheduler's share of the size that was written.
uint32_t IssueStage::SizeForEach() const {
  const auto schedulers = static_cast<uint32_t>(schedulers_.size());
  const uint32_t share = written_size_ / schedulers + (written_size_ % schedulers != 0 ? 1 : 0);
  return std::min(share, max_warps_);
}

void IssueStage::TickSchedulers(uint64_t now, const WarpSignals& signals) {
  const Inputs inputs = InputsNow();
  const bool epoch = EpochEnds(now);
  const bool writes = written_size_ != kNoSize;
  const bool signalled = signals.lost < kMaxWarps || signals.woken < kMaxWarps || epoch || writes;
  if (still_ && inputs == at_tick_ && !signalled) return;
  at_tick_ = inputs;
  still_ = !every_tick_;
  const WarpMask stalled = warps_->stalled(), barrier = warps_->barrier();
  const WarpMask wants_load = warps_->wants_load(), leading = warps_->leading();
  const WarpMask started = warps_->started(), finished = warps_->finished();
  if (!loop_sizes_.empty()) ForgetPcs(started);
  const uint32_t size = writes ? SizeForEach() : 0;
  // A place that an instruction leaves in the next cycle is taken in that cycle.
  const uint64_t full_units = memory_->full_units() & ~memory_->freeing_units();
  written_size_ = kNoSize;
  for (Scheduler& scheduler : schedulers_) {
    WarpSchedulerIn& in = scheduler.in;
    const WarpMask warps = scheduler.warps;
    bool changed = in.issued_valid || !scheduler.out.quiescent || every_tick_;
    const auto set = [&changed](WarpMask* level, WarpMask value) {
      changed |= *level != value;
      *level = value;
    };
    set(&in.eligible, Candidates(scheduler, full_units, now + 1));
    set(&in.stalled, stalled & warps);
    set(&in.barrier, barrier & warps);
    set(&in.wants_load, wants_load & warps);
    set(&in.leading, leading & warps);
    in.started = started & warps;
    in.started_group = started_group_;
    in.started_number = started_number_;
    in.finished = finished & warps;
    in.lost_locality_valid = signals.lost < kMaxWarps && (warps & Bit(signals.lost)) != 0;
    in.lost_locality_warp = in.lost_locality_valid ? signals.lost : 0;
    in.wake_valid = signals.woken < kMaxWarps && (warps & Bit(signals.woken)) != 0;
    in.wake_warp = in.wake_valid ? signals.woken : 0;
    in.epoch = epoch;
    in.group_valid = writes;
    in.group_size = size;
    changed |= (in.started | in.finished) != 0 || in.lost_locality_valid || in.wake_valid ||
               epoch || writes;
    // The block may know of more inputs that mean nothing to it.
    if (scheduler.busy_units != 0) still_ = false;
    if (!changed || (!every_tick_ && scheduler.block->Idle(in))) {
      if (scheduler.out.grant_valid || !scheduler.out.quiescent) still_ = false;
      continue;
    }
    scheduler.block->Tick(in);
    scheduler.out = scheduler.block->Outputs();
    if (scheduler.out.grant_valid || !scheduler.out.quiescent) still_ = false;
    // Until the next cycle of this SM the host goes through those of all others.
    const uint32_t granted = scheduler.out.grant_warp;
    if (scheduler.out.grant_valid && granted < kMaxWarps && (in.eligible & Bit(granted)) != 0) {
      execute_->Preload(granted);
    }
  }
}

uint64_t IssueStage::NextWork(uint64_t now) const {
  // Without a warp the end of an epoch changes nothing.
  uint64_t next = epoch_ == 0 || warps_->live_count() == 0 ? kNever : (now / epoch_ + 1) * epoch_;
  for (const Scheduler& scheduler : schedulers_) {
    if (scheduler.out.grant_valid || !scheduler.out.quiescent) return now + 1;
    const WarpMask held = warps_->ready() & scheduler.warps & ~scheduler.in.eligible;
    if (held == 0) continue;
    ForEachUnit(scheduler.busy_units, [&](Unit unit) {
      if ((held & warps_->wants(unit)) == 0) return;
      // A cycle before the pipe is free, the scheduler can grant for it.
      const uint64_t free = scheduler.unit_free[static_cast<size_t>(unit)];
      next = std::min(next, std::max(free - 1, now + 1));
    });
  }
  return next;
}

SmStatistics IssueStage::Statistics(uint64_t cycles) const {
  SmStatistics statistics = statistics_;
  std::array<uint64_t, 4> waits = waits_;
  const uint64_t counted = last_cycle_ + 1;
  const auto add = [&](const Cycle& cycle, uint64_t more) {
    statistics[cycle.slot] += more;
    if (cycle.slot == IssueSlot::kUnit) {
      statistics.unit_waits[static_cast<size_t>(cycle.unit)] += more;
    }
    waits[static_cast<size_t>(cycle.waits)] += more;
  };
  for (const Scheduler& scheduler : schedulers_) {
    if (counted > cycles) {
      // The launch ended with the cycle that was counted last, which is no longer part of it.
      add(scheduler.last, ~uint64_t{0});
    } else if (counted < cycles) {
      add(Waiting(scheduler, counted), cycles - counted);
    }
  }
  statistics.memory_waits.all = waits[static_cast<size_t>(Waits::kAll)];
  statistics.memory_waits.half =
      statistics.memory_waits.all + waits[static_cast<size_t>(Waits::kHalf)];
  statistics.memory_waits.any =
      statistics.memory_waits.half + waits[static_cast<size_t>(Waits::kAny)];
  statistics.resident_warp_cycles =
      resident_warp_cycles_ + warps_->live_count() * (cycles - counted);
  statistics.warp_slot_cycles = cycles * max_warps_;
  return statistics;
}

}  // namespace flagstone
