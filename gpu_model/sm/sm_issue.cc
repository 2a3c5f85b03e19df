// The issue stage of an SM: which warps can issue, and what an issued instruction sets going.
#include <algorithm>
#include <bit>

#include "gpu_model/sm/sm_core.h"

namespace flagstone {
WarpMask SmCore::Candidates(const Scheduler& scheduler, uint64_t now) const {
  WarpMask candidates = ready_ & scheduler.warps;
  if (candidates == 0) return 0;
  for (uint32_t busy = scheduler.busy_units; busy != 0; busy &= busy - 1) {
    const auto unit = static_cast<uint32_t>(std::countr_zero(busy));
    if (scheduler.unit_free[unit] > now) candidates &= ~wants_[unit];
  }
  if (!lsu_.CanIssue()) candidates &= ~wants_[static_cast<uint32_t>(Unit::kLoadStore)];
  if (constants_ != nullptr && !constants_->CanIssue()) {
    candidates &= ~wants_[static_cast<uint32_t>(Unit::kConst)];
  }
  if (textures_ != nullptr && !textures_->CanIssue()) {
    candidates &= ~wants_[static_cast<uint32_t>(Unit::kTexture)];
  }
  return candidates;
}

// Why no warp issued in cycle `now`, the state being that of before. `unit`: of kUnit.
IssueSlot SmCore::Waiting(const Scheduler& scheduler, uint64_t now, Unit* unit) const {
  const WarpMask live = live_ & scheduler.warps;
  if (live == 0) return IssueSlot::kIdle;
  if (const WarpMask ready = ready_ & live; ready != 0) {
    if (Candidates(scheduler, now) != 0) return IssueSlot::kNoGrant;
    *unit = warps_[static_cast<uint32_t>(std::countr_zero(ready))].unit;
    return IssueSlot::kUnit;
  }
  const WarpMask fetching = (waiting_ & ~barrier_) | fetching_;
  if ((live & ~fetching & ~barrier_ & ~stalled_) != 0) return IssueSlot::kPipe;
  if ((live & fetching) != 0) return IssueSlot::kFetch;
  return (live & stalled_) != 0 ? IssueSlot::kMemory : IssueSlot::kBarrier;
}

void SmCore::Count(Scheduler* scheduler, IssueSlot slot, Unit unit, uint64_t cycles) {
  statistics_[slot] += cycles;
  if (slot == IssueSlot::kUnit) statistics_.unit_waits[static_cast<size_t>(unit)] += cycles;
  scheduler->slot = slot;
  scheduler->unit = unit;
}

// Always in this order: the first scheduler is first at the load/store unit (assumption).
void SmCore::IssueGrants(uint64_t now) {
  if (ready_ != 0) executor_.SetClock(now);
  for (Scheduler& scheduler : schedulers_) {
    for (uint32_t busy = scheduler.busy_units; busy != 0; busy &= busy - 1) {
      const auto unit = static_cast<uint32_t>(std::countr_zero(busy));
      if (scheduler.unit_free[unit] <= now) scheduler.busy_units &= ~(1U << unit);
    }
    scheduler.in.issued_valid = scheduler.out.grant_valid && IssueGrant(&scheduler, now);
    if (scheduler.in.issued_valid) continue;
    Unit unit = Unit::kIntAdd;
    const IssueSlot slot = Waiting(scheduler, now, &unit);
    Count(&scheduler, slot, unit, 1);
  }
}

// Dual issue (assumption): the second instruction is the warp's next one, needs no result of the
// first, and goes to another pipe.
bool SmCore::IssueGrant(Scheduler* scheduler, uint64_t now) {
  const uint32_t warp = scheduler->out.grant_warp;
  if (warp >= kMaxWarps || (Candidates(*scheduler, now) & Bit(warp)) == 0) return false;
  Count(scheduler, IssueSlot::kIssued, Unit::kIntAdd, 1);
  scheduler->in.issued_warp = warp;
  const Unit first = warps_[warp].unit;
  Issue(warp, now);
  if (setup_->machine->sm.issue_width > 1 && (Candidates(*scheduler, now) & Bit(warp)) != 0 &&
      warps_[warp].unit != first) {
    Issue(warp, now);
    ++statistics_.dual_issues;
  }
  return true;
}

void SmCore::TickSchedulers(uint64_t now) {
  const uint32_t lost = victim_tags_ == nullptr ? kMaxWarps : victim_tags_->TakeLost();
  const uint32_t woken = prefetch_ == nullptr ? kMaxWarps : prefetch_->TakeWoken(live_);
  for (Scheduler& scheduler : schedulers_) {
    WarpSchedulerIn& in = scheduler.in;
    const WarpMask warps = scheduler.warps;
    bool changed = in.issued_valid || !scheduler.out.quiescent || setup_->force_every_tick;
    const auto set = [&changed](WarpMask* level, WarpMask value) {
      changed |= *level != value;
      *level = value;
    };
    set(&in.eligible, Candidates(scheduler, now + 1));
    set(&in.stalled, stalled_ & warps);
    set(&in.barrier, barrier_ & warps);
    set(&in.wants_load, wants_load_ & warps);
    set(&in.leading, leading_ & warps);
    in.started = started_ & warps;
    in.finished = finished_ & warps;
    in.lost_locality_valid = lost < kMaxWarps && (warps & Bit(lost)) != 0;
    in.lost_locality_warp = in.lost_locality_valid ? lost : 0;
    in.wake_valid = woken < kMaxWarps && (warps & Bit(woken)) != 0;
    in.wake_warp = in.wake_valid ? woken : 0;
    changed |= (in.started | in.finished) != 0 || in.lost_locality_valid || in.wake_valid;
    // The block may know of more inputs that mean nothing to it.
    if (!changed || (!setup_->force_every_tick && scheduler.block->Idle(in))) continue;
    scheduler.block->Tick(in);
    scheduler.out = scheduler.block->Outputs();
  }
}

void SmCore::Later(uint64_t cycle, const Event& event) {
  ++tb_slots_[warps_[event.warp].tb_slot].in_flight;
  wheel_.Add(cycle, event);
}

void SmCore::Issue(uint32_t warp, uint64_t now) {
  WarpSlot& slot = warps_[warp];
  const uint32_t pc = slot.pc;
  const IssueInfo& info = infos_[pc];
  const StepResult& step = executor_.Step(&blocks_[slot.tb_slot], slot.in_tb);
  last_progress_ = now;
  ++statistics_.lanes[(static_cast<uint32_t>(std::popcount(step.active)) - 1) / 8];
  if (info.interval > 1) {
    Scheduler& scheduler = SchedulerOf(warp);
    const auto unit = static_cast<uint32_t>(info.unit);
    scheduler.unit_free[unit] = now + info.interval;
    scheduler.busy_units |= 1U << unit;
  }
  if (step.exited) {
    if (step.barrier_released) ReleaseBarrier(slot.tb_slot, now);
    Exit(warp);
    return;
  }
  LoadStoreUnit* const memory = info.unit == Unit::kLoadStore ? &lsu_
                                : info.unit == Unit::kConst   ? constants_.get()
                                : info.unit == Unit::kTexture ? textures_.get()
                                                              : nullptr;
  if (memory != nullptr) {
    if (step.executed != 0) IssueMemory(warp, step, memory);
  } else if (info.unit == Unit::kControl) {
    waiting_ |= Bit(warp);
    to_commit_ = to_commit_ || setup_->program->info(pc).prints;
    if (step.barrier && !step.barrier_released) {
      barrier_ |= Bit(warp);
    } else {
      Later(now + info.latency, {pc, static_cast<uint8_t>(warp), true});
    }
    if (step.barrier_released) ReleaseBarrier(slot.tb_slot, now);
  } else if (info.writes && step.executed != 0) {
    scoreboard_.Reserve(warp, pc);
    Later(now + info.latency, {pc, static_cast<uint8_t>(warp), false});
  }
  SetNext(warp);
}

void SmCore::IssueMemory(uint32_t warp, const StepResult& step, LoadStoreUnit* unit) {
  WarpSlot& slot = warps_[warp];
  const InstructionInfo& info = setup_->program->info(slot.pc);
  MemoryInstruction& memory = *unit->Next();
  memory.warp = static_cast<uint8_t>(warp);
  memory.tb_slot = slot.tb_slot;
  memory.pc = slot.pc;
  memory.returns = info.is_load || info.is_atomic;
  if (step.space == MemorySpace::kShared) {
    memory.kind = MemoryInstruction::Kind::kShared;
    memory.returns = true;
    memory.bank_cycles = BankCycles(*step.addresses, step.in_space, info.bytes, info.is_atomic);
  } else {
    memory.kind = info.is_atomic  ? MemoryInstruction::Kind::kAtomic
                  : info.is_store ? MemoryInstruction::Kind::kStore
                                  : MemoryInstruction::Kind::kLoad;
    const LaneAddresses* addresses = step.addresses;
    memory.local = step.space == MemorySpace::kLocal;
    if (memory.local) {
      const uint64_t bytes = std::max<uint64_t>(info.bytes, 1);
      const uint64_t base =
          kLocalBase + (uint64_t{id_} * kMaxWarps + warp) * local_bytes_ * kWarpSize;
      for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
        local_addresses_[lane] = base + (*addresses)[lane] * kWarpSize + lane * bytes;
      }
      addresses = &local_addresses_;
    } else if (info.space == MemorySpace::kParam) {
      for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
        local_addresses_[lane] = kParameterBase + (*addresses)[lane];
      }
      addresses = &local_addresses_;
    }
    Coalesce(*addresses, step.in_space, &memory.requests);
    if (load_log_ != nullptr && info.is_load && step.space == MemorySpace::kGlobal) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(step.in_space));
      const uint64_t tb = blocks_[slot.tb_slot].tb();
      load_log_->push_back({now_, (*addresses)[lane], tb, slot.pc, memory.warp});
    }
    if (info.is_atomic) {
      CountConflicts(*addresses, step.in_space, memory.requests, &memory.conflicts);
    }
    to_commit_ = to_commit_ || info.is_store || info.is_atomic;
    memory.global_load = prefetch_ != nullptr && unit == &lsu_ && info.is_load &&
                         !info.is_texture && step.space == MemorySpace::kGlobal;
    if (memory.global_load) {
      prefetch_->Issued(slot.pc, warp, slot.tb_slot, memory.requests, *addresses, step.in_space);
    }
  }
  unit->Issued();
  if (memory.returns) {
    // Shared memory and constants are near: their latency is no reason to give up a place.
    const bool far = unit != constants_.get() && memory.kind != MemoryInstruction::Kind::kShared;
    scoreboard_.Reserve(warp, slot.pc, /*from_memory=*/far);
    ++tb_slots_[slot.tb_slot].in_flight;
    slot.loads = static_cast<uint8_t>(std::min(slot.loads + 1, 255));
  } else {
    tb_slots_[slot.tb_slot].in_flight += memory.requests.TotalSectors();
  }
}

void SmCore::SetNext(uint32_t warp) {
  WarpSlot& slot = warps_[warp];
  wants_[static_cast<uint32_t>(slot.unit)] &= ~Bit(warp);
  slot.pc = blocks_[slot.tb_slot].pc(slot.in_tb);
  slot.unit = infos_[slot.pc].unit;
  wants_[static_cast<uint32_t>(slot.unit)] |= Bit(warp);
  if (infos_[slot.pc].wants_load) {
    wants_load_ |= Bit(warp);
  } else {
    wants_load_ &= ~Bit(warp);
  }
  if (fetch_ != nullptr && !fetch_->Ready(warp, slot.pc)) fetching_ |= Bit(warp);
  Recheck(warp);
}

void SmCore::Recheck(uint32_t warp) {
  const WarpMask bit = Bit(warp);
  ready_ &= ~bit;
  stalled_ &= ~bit;
  if ((live_ & ~waiting_ & ~fetching_ & bit) == 0) return;
  switch (scoreboard_.Check(warp, warps_[warp].pc)) {
    case Scoreboard::Hazard::kNone:
      ready_ |= bit;
      break;
    case Scoreboard::Hazard::kMemory:
      stalled_ |= bit;
      break;
    case Scoreboard::Hazard::kPipe:
      break;
  }
}

void SmCore::Exit(uint32_t warp) {
  const WarpMask bit = Bit(warp);
  live_ &= ~bit;
  --live_warps_;
  ready_ &= ~bit;
  wants_load_ &= ~bit;
  leading_ &= ~bit;
  finished_ |= bit;
  wants_[static_cast<uint32_t>(warps_[warp].unit)] &= ~bit;
  const uint32_t tb_slot = warps_[warp].tb_slot;
  --tb_slots_[tb_slot].live_warps;
  FinishTbIfDone(tb_slot);
}

void SmCore::ReleaseBarrier(uint32_t tb_slot, uint64_t now) {
  const uint32_t latency = setup_->machine->sm.control.latency;
  for (uint64_t waiting = barrier_; waiting != 0; waiting &= waiting - 1) {
    const auto warp = static_cast<uint32_t>(std::countr_zero(waiting));
    if (warps_[warp].tb_slot != tb_slot) continue;
    // Several barriers may be in use: only those that the executor has let go.
    if (blocks_[tb_slot].at_barrier(warps_[warp].in_tb)) continue;
    barrier_ &= ~Bit(warp);
    Later(now + latency, {warps_[warp].pc, static_cast<uint8_t>(warp), true});
  }
}

}  // namespace flagstone
