// The issue stage of an SM: which warps can issue, and what an issued instruction sets going.
#include <algorithm>
#include <bit>

#include "gpu_model/sm/sm_core.h"

namespace flagstone {
namespace {

// Local memory lies above all of global memory, interleaved so that the lanes of a warp that access
// the same offset share lines (assumption: by access size).
constexpr uint64_t kLocalBase = uint64_t{1} << 38;

}  // namespace

uint64_t SmCore::Candidates(uint32_t scheduler, uint64_t now) const {
  uint64_t candidates = ready_ & scheduler_warps_[scheduler];
  for (uint32_t busy = busy_units_[scheduler]; busy != 0; busy &= busy - 1) {
    const auto unit = static_cast<uint32_t>(std::countr_zero(busy));
    if (unit_free_[scheduler][unit] > now) candidates &= ~wants_[unit];
  }
  if (!lsu_.CanIssue()) candidates &= ~wants_[static_cast<uint32_t>(Unit::kLoadStore)];
  return candidates;
}

void SmCore::IssueFrom(uint32_t scheduler, uint64_t now) {
  for (uint32_t busy = busy_units_[scheduler]; busy != 0; busy &= busy - 1) {
    const auto unit = static_cast<uint32_t>(std::countr_zero(busy));
    if (unit_free_[scheduler][unit] <= now) busy_units_[scheduler] &= ~(1U << unit);
  }
  const uint64_t candidates = Candidates(scheduler, now);
  if (candidates == 0) return;
  const uint32_t warp = schedulers_[scheduler]->Pick(candidates);
  Issue(warp, now);
  for (uint32_t more = 1; more < setup_->machine->sm.issue_width; ++more) {
    if ((Candidates(scheduler, now) & Bit(warp)) == 0) return;
    Issue(warp, now);
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
  if (info.interval > 1) {
    const uint32_t scheduler = warp % static_cast<uint32_t>(schedulers_.size());
    const auto unit = static_cast<uint32_t>(info.unit);
    unit_free_[scheduler][unit] = now + info.interval;
    busy_units_[scheduler] |= 1U << unit;
  }
  if (step.exited) {
    if (step.barrier_released) ReleaseBarrier(slot.tb_slot, now);
    Exit(warp);
    return;
  }
  if (info.unit == Unit::kLoadStore) {
    if (step.executed != 0) IssueMemory(warp, step);
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

void SmCore::IssueMemory(uint32_t warp, const StepResult& step) {
  WarpSlot& slot = warps_[warp];
  const InstructionInfo& info = setup_->program->info(slot.pc);
  MemoryInstruction& memory = *lsu_.Next();
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
    }
    Coalesce(*addresses, step.in_space, &memory.requests);
    to_commit_ = to_commit_ || info.is_store || info.is_atomic;
  }
  lsu_.Issued();
  if (memory.returns) {
    scoreboard_.Reserve(warp, slot.pc);
    ++tb_slots_[slot.tb_slot].in_flight;
    slot.loads = static_cast<uint8_t>(std::min(slot.loads + 1, 255));
  } else {
    tb_slots_[slot.tb_slot].in_flight += memory.requests.count;
  }
}

void SmCore::SetNext(uint32_t warp) {
  WarpSlot& slot = warps_[warp];
  wants_[static_cast<uint32_t>(slot.unit)] &= ~Bit(warp);
  slot.pc = blocks_[slot.tb_slot].pc(slot.in_tb);
  slot.unit = infos_[slot.pc].unit;
  wants_[static_cast<uint32_t>(slot.unit)] |= Bit(warp);
  Recheck(warp);
}

void SmCore::Recheck(uint32_t warp) {
  const uint64_t bit = Bit(warp);
  if ((live_ & ~waiting_ & bit) != 0 && !scoreboard_.Blocked(warp, warps_[warp].pc)) {
    ready_ |= bit;
  } else {
    ready_ &= ~bit;
  }
}

void SmCore::Exit(uint32_t warp) {
  const uint64_t bit = Bit(warp);
  live_ &= ~bit;
  ready_ &= ~bit;
  wants_[static_cast<uint32_t>(warps_[warp].unit)] &= ~bit;
  schedulers_[warp % schedulers_.size()]->Finished(warp);
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
