// tcgen05 (PTX ISA, section 9.7.16) as a warp executes it: allocation, what orders accesses, and
// which lanes make them. Everything is made at once.
#include <fmt/core.h>

#include <bit>
#include <cstring>

#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/mbarrier.h"
#include "gpu_model/simt/tensor_memory_access.h"

namespace flagstone {
namespace simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using Op = ptx::TensorMemoryOp;

// In the window of shared memory, or of no window where the instruction names the space.
uint64_t SharedAddress(Context& c, const Inst& inst, uint32_t lane) {
  const TensorMemorySlots& slots = *inst.tensor_memory;
  const uint64_t address = BulkAddress(c, slots.address, lane);
  if (slots.form.shared) return address;
  const uint64_t generic = slots.address.wide ? address : Widen(static_cast<uint32_t>(address));
  const uint64_t window = generic >> kWindowShift << kWindowShift;
  return window == kSharedWindow ? generic - window : address;
}

void ArriveAtBarriers(Context& c, const Inst& inst, uint32_t lane) {
  ForEachDestination(c, inst, lane, SharedAddress(c, inst, lane), [&](uint64_t at) {
    const BulkShared barrier = BulkSharedAt(c, inst, lane, at, sizeof(uint64_t));
    if (barrier.own || !c.deferred) return ArriveAt(barrier.pointer);
    PendingAccess& pending = TakePending(c);
    pending.inst = &inst;
    pending.mask = 0;
    pending.destination = barrier.pointer;
  });
}

bool IsOfWholeWarp(Op op) {
  return op != Op::kCopy && op != Op::kShift && op != Op::kMma && op != Op::kCommit &&
         op != Op::kFenceBefore && op != Op::kFenceAfter;
}

void CheckCount(const Context& c, const Inst& inst, uint32_t columns) {
  if (std::has_single_bit(columns) && columns >= TensorMemory::kUnit &&
      columns <= TensorMemory::kColumns) {
    return;
  }
  ThrowOfWarp(
      c, inst,
      fmt::format("{} columns of tensor memory, expected 32, 64, 128, 256 or 512,", columns));
}

}  // namespace
}  // namespace simt

// False: the SM's columns are other TBs'.
bool Executor::State::AllocateTensorMemory(const simt::Inst& inst, ThreadBlock::State& tb,
                                           LaneMask executed) {
  using namespace simt;  // NOLINT: nearly all names are its
  TensorMemory& memory = *tb.tensor_memory;
  const uint32_t columns = FirstLaneOf(inst.tensor_memory->columns, executed);
  CheckCount(context, inst, columns);
  if (memory.relinquished) {
    ThrowOfWarp(context, inst, "tcgen05.alloc after tcgen05.relinquish_alloc_permit of the TB,");
  }
  if (columns > memory.last_columns) {
    ThrowOfWarp(context, inst,
                fmt::format("{} columns of tensor memory after {}, expected no more than before,",
                            columns, memory.last_columns));
  }
  const bool timed = context.deferred;
  const uint32_t others = tensor_columns - memory.allocated();
  if (timed && others + memory.allocated() + columns > TensorMemory::kColumns && others != 0) {
    return false;
  }
  const std::optional<uint32_t> first = memory.Allocate(columns, inst.pc, bound_warp_);
  if (!first) {
    ThrowOfWarp(context, inst,
                fmt::format("{} columns of tensor memory, of which the TB holds {} of 512,",
                            columns, memory.allocated()));
  }
  if (timed) tensor_columns += columns;
  const BulkShared to =
      BulkSharedAt(context, inst, 0, SharedAddress(context, inst, 0), sizeof(uint32_t));
  std::memcpy(to.pointer, &*first, sizeof(uint32_t));
  return true;
}

void Executor::State::FreeTensorMemory(const simt::Inst& inst, ThreadBlock::State& tb,
                                       LaneMask executed) {
  using namespace simt;  // NOLINT: nearly all names are its
  TensorMemory& memory = *tb.tensor_memory;
  const uint32_t columns = FirstLaneOf(inst.tensor_memory->columns, executed);
  const uint32_t address = FirstLaneOf(inst.tensor_memory->freed, executed);
  CheckCount(context, inst, columns);
  const TensorMemoryAccess access{context, inst, memory};
  if (address < TensorMemory::kColumns && address + columns <= TensorMemory::kColumns) {
    CheckUses(access, 0, {address, columns}, TensorMemoryTouch::kRead, "dealloc");
  }
  if (!memory.Free(address, columns)) {
    ThrowOfWarp(context, inst,
                fmt::format("tcgen05.dealloc of {} columns at {:#x}, which no tcgen05.alloc gave,",
                            columns, address));
  }
  if (context.deferred) tensor_columns -= columns;
}

// The last warp has ended.
void Executor::State::CheckFreed(const ThreadBlock::State& tb) const {
  const auto& left = tb.tensor_memory->allocations();
  if (left.empty()) return;
  simt::ThrowOfWarp(context, insts[left.front().pc],
                    fmt::format("{} columns of tensor memory, which are not deallocated when the "
                                "TB ends,",
                                left.front().columns));
}

void Executor::State::RunTensorMemory(const simt::Inst& inst, ThreadBlock::State& tb,
                                      simt::WarpState& w, LaneMask executed) {
  using namespace simt;  // NOLINT: nearly all names are its
  const TensorMemorySlots& slots = *inst.tensor_memory;
  TensorMemory& memory = *tb.tensor_memory;
  const Op op = slots.form.op;
  if (executed != 0 && IsOfWholeWarp(op) && executed != kAllLanes) {
    ThrowOfWarp(context, inst,
                fmt::format("{} threads of a warp, expected all 32,", std::popcount(executed)));
  }
  if (executed != 0 && op == Op::kAlloc && !AllocateTensorMemory(inst, tb, executed)) {
    return PutOff(executed);
  }
  w.stack.GoTo(inst.pc + 1);
  if (executed == 0) return;
  const TensorMemoryAccess access{context, inst, memory, tb.races.get()};
  const auto for_lanes = [&](auto act) {
    for (LaneMask rest = executed; rest != 0; rest &= rest - 1) {
      act(static_cast<uint32_t>(std::countr_zero(rest)));
    }
  };
  switch (op) {
    case Op::kDealloc:
      return FreeTensorMemory(inst, tb, executed);
    case Op::kRelinquish:
      memory.relinquished = true;
      return;
    case Op::kLoad:
    case Op::kStore:
      if (!slots.only_timed) MoveTensorMemory(access);
      return;
    case Op::kWaitLoad:
      return TensorMemory::End(context.warp, &memory.loaded);
    case Op::kWaitStore:
      return TensorMemory::End(context.warp, &memory.stored);
    case Op::kCopy:
      if (!slots.only_timed) for_lanes([&](uint32_t lane) { CopyToTensorMemory(access, lane); });
      return;
    case Op::kShift:
      if (!slots.only_timed) for_lanes([&](uint32_t lane) { ShiftTensorMemory(access, lane); });
      return;
    case Op::kMma:
      for_lanes([&](uint32_t lane) {
        result.tensor_work +=
            slots.only_timed ? WorkOfProduct(access, lane) : MultiplyInTensorMemory(access, lane);
      });
      return;
    case Op::kCommit:
      TensorMemory::End(context.warp, &memory.written);
      for_lanes([&](uint32_t lane) { ArriveAtBarriers(context, inst, lane); });
      return;
    default:
      return;
  }
}

}  // namespace flagstone
