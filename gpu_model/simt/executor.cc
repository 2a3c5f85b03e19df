#include "gpu_model/simt/executor.h"

#include <bit>

#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/host_calls.h"

namespace flagstone {
namespace simt {

void GrowPending(Context& context) {
  context.pending.resize(context.pending.empty() ? 4 : 2 * context.pending.size());
}

}  // namespace simt

Executor::State::State(const Program& program, DeviceMemory* memory, uint32_t sm, uint32_t sm_count)
    : insts(program.code().insts.data()),
      code(&program.code()),
      machine_lanes_(simt::LinesFor(Program::Code::kMachineLaneBytes)) {
  context.memory = memory;
  context.program = &program;
  context.clusters = program.code().clusters.get();
  context.recent.resize(program.size());
  simt::GrowPending(context);
  context.base[static_cast<size_t>(simt::Base::kConstants)] = simt::Data(code->constants);
  context.base[static_cast<size_t>(simt::Base::kMachine)] = simt::Data(machine_lanes_);
  auto* lanes = reinterpret_cast<uint32_t*>(simt::Data(machine_lanes_));
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    lanes[lane] = sm;
    lanes[kWarpSize + lane] = sm_count;
  }
  // Parameters are never written: the const_cast serves a View that other spaces write through.
  context.param.origin = const_cast<std::byte*>(code->parameters.data());
  context.param.size = code->parameters.size();
}

void Executor::State::Bind(ThreadBlock::State& tb, uint32_t warp) {
  bound_ = &tb;
  bound_warp_ = warp;
  context.warp = warp;
  context.registers = tb.registers.data() + size_t{warp} * tb.warp_register_bytes;
  context.base[static_cast<size_t>(simt::Base::kRegisters)] = context.registers;
  context.base[static_cast<size_t>(simt::Base::kWarp)] =
      simt::Data(code->warp_lanes) + size_t{warp} * Program::Code::kWarpLaneBytes;
  context.base[static_cast<size_t>(simt::Base::kTb)] = simt::Data(tb.tb_lanes);
  context.shared.origin = tb.shared.data();
  context.shared.size = code->shared_bytes;
  if (tb.products) context.products = &tb.products->warps[warp];
  context.local.lane_stride = code->local_bytes;
  context.local.size = code->local_bytes;
  context.local.origin = tb.local.data() + size_t{warp} * kWarpSize * code->local_bytes;
}

void Executor::State::SetClockLanes() {
  const uint64_t now = own_clock ? warp_instructions : clock;
  auto* clock32 =
      reinterpret_cast<uint32_t*>(simt::Data(machine_lanes_) + size_t{2} * Program::Code::kRow);
  auto* clock64 =
      reinterpret_cast<uint64_t*>(simt::Data(machine_lanes_) + size_t{3} * Program::Code::kRow);
  auto* clock_hi =
      reinterpret_cast<uint32_t*>(simt::Data(machine_lanes_) + size_t{5} * Program::Code::kRow);
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
    clock32[lane] = static_cast<uint32_t>(now);
    clock64[lane] = now;
    clock_hi[lane] = static_cast<uint32_t>(now >> 32);
  }
}

const StepResult& Executor::State::Step(ThreadBlock::State& tb, uint32_t warp) {
  if (bound_ != &tb || bound_warp_ != warp) Bind(tb, warp);
  context.tb = tb.tb;
  simt::WarpState& w = tb.warps[warp];
  const uint32_t pc = w.stack.top().pc;
  const LaneMask active = w.stack.top().mask;
  const simt::Inst& inst = insts[pc];
  const auto* guard = reinterpret_cast<const LaneMask*>(
      context.base[inst.guard >> simt::kBaseShift] + (inst.guard & simt::kOffsetMask));
  const LaneMask executed = active & (*guard ^ inst.guard_flip);

  result = StepResult{};
  result.pc = pc;
  result.active = active;
  result.executed = executed;
  if (code->uses_clock) SetClockLanes();
  ++warp_instructions;
  thread_instructions +=
      executed == simt::kAllLanes ? kWarpSize : static_cast<uint32_t>(std::popcount(executed));

  switch (inst.action) {
    case simt::Action::kCompute:
      if (executed != 0) {
        if (inst.mask_source == simt::kNoMask) {
          inst.run(context, inst, executed);
        } else if (!Exchange(inst, w, executed, *guard ^ inst.guard_flip)) {
          break;
        }
      }
      w.stack.GoTo(pc + 1);
      break;
    case simt::Action::kWarpSync:
      if (executed == 0 || WarpSync(inst, w, executed)) w.stack.GoTo(pc + 1);
      break;
    case simt::Action::kMemory:
      if (executed != 0) {
        inst.run(context, inst, executed);
        result.space = context.space;
        result.in_space = context.in_space;
        result.addresses =
            inst.fixed_addresses != nullptr ? inst.fixed_addresses : &context.addresses;
        if (tb.races && result.space == MemorySpace::kShared) {
          tb.races->Access(warp, pc, inst.access_bytes, *result.addresses, result.in_space);
        }
      }
      w.stack.GoTo(pc + 1);
      break;
    case simt::Action::kNothing:
      w.stack.GoTo(pc + 1);
      break;
    case simt::Action::kBranch:
      Branch(inst, w, executed);
      break;
    case simt::Action::kExit:
      Exit(inst, w, executed);
      break;
    case simt::Action::kBarrier:
      ArriveAtBarrier(inst, tb, w, executed);
      break;
    case simt::Action::kBulk:
      if (executed == 0 || CopyBulk(inst, w, executed)) w.stack.GoTo(pc + 1);
      if (executed != 0) {
        result.space = context.space;
        result.in_space = context.in_space;
        result.addresses = &context.addresses;
      }
      break;
    case simt::Action::kBulkCommit:
      w.uncommitted &= ~executed;
      w.stack.GoTo(pc + 1);
      break;
    case simt::Action::kClusterBarrier:
      ClusterBarrier(inst, tb, w, executed);
      break;
    case simt::Action::kWarpgroup:
      RunWarpgroup(inst, tb, w, executed);
      break;
    case simt::Action::kTensorMemory:
      RunTensorMemory(inst, tb, w, executed);
      break;
    case simt::Action::kTrap:
      if (executed != 0) {
        simt::ThrowTrap(context, inst, static_cast<uint32_t>(std::countr_zero(executed)));
      }
      w.stack.GoTo(pc + 1);
      break;
  }
  // Also where control runs off the end of the kernel, which counts as an exit.
  if (w.stack.empty()) WarpExited(tb);
  return result;
}

void Executor::State::Commit() {
  for (size_t i = 0; i < context.pending_count; ++i) {
    const simt::PendingAccess& pending = context.pending[i];
    pending.inst->commit(pending);
  }
  context.pending_count = 0;
  simt::FlushPrinted(context);
}

Executor::Executor(const Program& program, DeviceMemory* memory, uint32_t sm, uint32_t sm_count)
    : state_(std::make_unique<State>(program, memory, sm, sm_count)) {}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

const StepResult& Executor::Step(ThreadBlock* block, uint32_t warp) {
  return state_->Step(block->state(), warp);
}
void Executor::Commit() { state_->Commit(); }
void Executor::Flush() { simt::FlushPrinted(state_->context); }
void Executor::SetClock(uint64_t cycle) {
  state_->own_clock = false;
  state_->clock = cycle;
}
void Executor::StoreAtOnce() { state_->context.deferred = false; }
uint64_t Executor::warp_instructions() const { return state_->warp_instructions; }
uint64_t Executor::thread_instructions() const { return state_->thread_instructions; }

}  // namespace flagstone
