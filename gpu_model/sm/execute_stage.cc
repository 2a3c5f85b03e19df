#include "gpu_model/sm/execute_stage.h"

#include <algorithm>
#include <bit>

#include "gpu_model/simt/code.h"

namespace flagstone {

using simt::kAllLanes;

namespace {

// Most warps are whole.
uint32_t Count(LaneMask lanes) {
  return lanes == kAllLanes ? 32 : static_cast<uint32_t>(std::popcount(lanes));
}

}  // namespace

ExecuteStage::ExecuteStage(const SmSetup& setup, uint32_t sm, WarpTable* warps, TbSlots* tbs,
                           MemoryPath* memory, Writeback* writeback)
    : program_(*setup.program),
      control_latency_(setup.machine->sm.control.latency),
      tensor_(setup.machine->sm.tensor),
      schedulers_(setup.machine->sm.schedulers),
      always_commits_(setup.program->has_clusters()),
      to_commit_(always_commits_),
      warps_(warps),
      tbs_(tbs),
      memory_(memory),
      writeback_(writeback),
      executor_(*setup.program, setup.memory, sm, setup.machine->sm.count),
      uses_clock_(setup.program->code().uses_clock),
      loop_(setup.loop),
      address_unit_(*setup.program, sm) {}

void ExecuteStage::StartTb(uint32_t tb) {
  const uint32_t slot = tbs_->Start(tb);
  const uint32_t count = program_.launch().WarpsPerTb();
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t warp = slot * count + i;
    warps_->Start(warp, slot, i);
    places_[warp] = tbs_->block(slot).Place(i);
    iterations_[warp] = 0;
    memory_->WarpStarted(warp);
    SetNext(warp);
  }
}

void ExecuteStage::Issue(uint32_t warp, uint64_t now) {
  const WarpTable::Warp& slot = (*warps_)[warp];
  const uint32_t pc = slot.pc;
  const IssueInfo& info = warps_->info(pc);
  const StepResult& step = executor_.Step(&tbs_->block(slot.tb_slot), slot.in_tb);
  ++lanes_[(Count(step.active) - 1) / 8];
  const uint32_t executed = Count(step.executed);
  operations_[static_cast<size_t>(info.work)] += uint64_t{info.operations} * executed;
  operands_ += uint64_t{info.operands} * executed;
  if (step.exited) {
    if (step.barrier_released) ReleaseBarrier(slot.tb_slot, now);
    warps_->Exit(warp);
    tbs_->WarpExited(slot.tb_slot);
    return;
  }
  if (info.to_memory) {
    if (step.executed != 0) IssueMemory(warp, step, now);
  } else if (info.unit == Unit::kControl) {
    IssueControl(warp, step, now);
  } else if (info.by_descriptor) {
    IssueByDescriptor(warp, step, now);
  } else if (info.writes && step.executed != 0) {
    warps_->Reserve(warp, pc, /*from_memory=*/false);
    writeback_->ResultAt(now + info.latency, warp, pc);
  }
  SetNext(warp);
}

void ExecuteStage::AddTo(SmStatistics* statistics) const {
  statistics->lanes = lanes_;
  statistics->operations = operations_;
  statistics->operations[static_cast<size_t>(LaneWork::kTensor)] /= 16;
  statistics->operands = operands_;
  statistics->shared_cycles = shared_cycles_;
}

// A thread issues a product for the tensor cores of all schedulers of the SM, each of which has an
// equal part of the work.
void ExecuteStage::IssueByDescriptor(uint32_t warp, const StepResult& step, uint64_t now) {
  constexpr uint32_t kLanes = 32, kParts = 4;  // tensor_work is a quarter
  interval_ = 0;
  if (step.executed == 0) return;
  interval_ = std::max(1U, tensor_.interval * step.tensor_work * kParts / schedulers_ / 16);
  const uint32_t more = interval_ > tensor_.interval ? interval_ - tensor_.interval : 0;
  operations_[static_cast<size_t>(LaneWork::kTensor)] +=
      uint64_t{step.tensor_work} * kParts * kLanes;
  const uint32_t pc = (*warps_)[warp].pc;
  warps_->Reserve(warp, pc, /*from_memory=*/false);
  const uint32_t latency = std::min<uint32_t>(tensor_.latency + more, warps_->info(pc).latency);
  writeback_->ResultAt(now + latency, warp, pc);
}

void ExecuteStage::IssueControl(uint32_t warp, const StepResult& step, uint64_t now) {
  const WarpTable::Warp& slot = (*warps_)[warp];
  warps_->AwaitControl(warp);
  to_commit_ = to_commit_ || program_.info(slot.pc).prints;
  if (step.barrier && !step.barrier_released) {
    warps_->EnterBarrier(warp);
  } else if (loop_ == nullptr || slot.pc != loop_->branch || !Park(warp, step, now)) {
    writeback_->ControlAt(now + control_latency_, warp);
  }
  if (step.barrier_released) ReleaseBarrier(slot.tb_slot, now);
}

bool ExecuteStage::Park(uint32_t warp, const StepResult& step, uint64_t now) {
  if (step.executed == 0) {
    iterations_[warp] = 0;  // it leaves the loop
    ++loop_counts_.arrived;
    return false;
  }
  ++loop_counts_.iterations;
  if (++iterations_[warp] != loop_->from) return false;
  ++loop_counts_.arrived;
  parked_ |= WarpMask{1} << warp;
  parked_at_[warp] = now;
  return true;
}

uint64_t ExecuteStage::FirstOf(WarpMask parked) const {
  uint64_t first = kNever;
  for (WarpMask left = parked; left != 0; left &= left - 1) {
    first = std::min(first, parked_at_[static_cast<uint32_t>(std::countr_zero(left))]);
  }
  return first;
}

void ExecuteStage::Release(uint64_t now) {
  for (WarpMask left = due_; left != 0; left &= left - 1) {
    const auto warp = static_cast<uint32_t>(std::countr_zero(left));
    if (now < parked_at_[warp] + wait_) continue;
    due_ &= ~(WarpMask{1} << warp);
    parked_ &= ~(WarpMask{1} << warp);
    SetNext(warp);
    if (!loop_->body[(*warps_)[warp].pc]) iterations_[warp] = 0;
    ++loop_counts_.released;
    writeback_->ControlAt(now + control_latency_, warp);
  }
}

void ExecuteStage::IssueMemory(uint32_t warp, const StepResult& step, uint64_t now) {
  const WarpTable::Warp& slot = (*warps_)[warp];
  const InstructionInfo& info = program_.info(slot.pc);
  MemoryInstruction& memory = *memory_->Next(slot.unit);
  memory.warp = static_cast<uint8_t>(warp);
  memory.tb_slot = slot.tb_slot;
  memory.pc = slot.pc;
  const LaneAddresses* const global = address_unit_.Take(info, step, &memory);
  if (global != nullptr && info.is_load && step.in_space != 0) {
    if (load_log_ != nullptr) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(step.in_space));
      load_log_->push_back(
          {now, (*global)[lane], tbs_->block(slot.tb_slot).tb(), slot.pc, memory.warp});
    }
    memory.watched = slot.unit == Unit::kLoadStore && !info.is_texture;
    if (memory.watched) memory_->Watch(memory, *global, step.in_space);
  }
  const bool shared = memory.kind == MemoryInstruction::Kind::kShared;
  if (shared) shared_cycles_ += memory.bank_cycles;
  if (!shared) to_commit_ = to_commit_ || info.is_store || info.is_atomic;
  memory_->Issued(slot.unit, now);
  if (memory.returns) {
    // Shared memory and constants are near: their latency is no reason to give up a place.
    warps_->Reserve(warp, slot.pc, /*from_memory=*/slot.unit != Unit::kConst && !shared);
    tbs_->Begin(slot.tb_slot, 1);
    warps_->LoadBegins(warp);
  } else {
    tbs_->Begin(slot.tb_slot, memory.requests.TotalSectors());
  }
}

void ExecuteStage::ReleaseBarrier(uint32_t tb_slot, uint64_t now) {
  for (WarpMask waiting = warps_->barrier(); waiting != 0; waiting &= waiting - 1) {
    const auto warp = static_cast<uint32_t>(std::countr_zero(waiting));
    const WarpTable::Warp& slot = (*warps_)[warp];
    if (slot.tb_slot != tb_slot) continue;
    // Several barriers may be in use: only those that the executor has let go.
    if (tbs_->block(tb_slot).at_barrier(slot.in_tb)) continue;
    warps_->LeaveBarrier(warp);
    writeback_->ControlAt(now + control_latency_, warp);
  }
}

void ExecuteStage::SetNext(uint32_t warp) {
  const WarpTable::Warp& slot = (*warps_)[warp];
  const uint32_t pc = tbs_->block(slot.tb_slot).pc(slot.in_tb);
  warps_->SetNext(warp, pc, memory_->Fetch(warp, pc));
}

void ExecuteStage::Commit() {
  if (!to_commit_) return;
  executor_.Commit();
  to_commit_ = always_commits_;
}

}  // namespace flagstone
