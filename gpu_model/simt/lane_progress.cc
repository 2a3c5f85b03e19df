// Lanes of a warp that wait for each other. From sm_70 on each lane makes progress by itself (CUDA
// C++ Programming Guide, "Independent Thread Scheduling"); a reconvergence stack alone would run
// one path of a branch to its end first. So the stack yields
// - when no lane has left a spin loop for some turns (which, no source says: an assumption);
// - at bar.warp.sync, shfl.sync and their kin (PTX ISA 9.7.9.6, 9.7.13), and at a barrier that is
// not
//   aligned, until the lanes that they name have come.
#include <fmt/core.h>

#include <bit>

#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"

namespace flagstone {
namespace {

constexpr uint32_t kFruitlessTurns = 8;

}  // namespace

// Lanes that wait themselves do not run, nor those that stand where they can only wait or exit.
bool Executor::State::RunOthers(simt::WarpState& w, bool exits_too) {
  return w.stack.Yield([&](uint32_t pc, LaneMask lanes) {
    if ((lanes & w.waiting) != 0) return false;
    if (pc == code->insts.size()) return false;
    const simt::Inst& at = insts[pc];
    if (at.action == simt::Action::kBarrier && !at.modifiers.unaligned) return false;
    return exits_too || !OnlyExitsFrom(pc);
  });
}

// Lanes that wait for what others would tell them: these cannot come, and so they go on alone.
bool Executor::State::RunExchange(simt::WarpState& w) {
  return w.stack.Yield([&](uint32_t pc, LaneMask lanes) {
    return (lanes & ~w.waiting) == 0 && pc != code->insts.size() &&
           insts[pc].mask_source != simt::kNoMask;
  });
}

void Executor::State::GoRound(const simt::Inst& branch, simt::WarpState& w, LaneMask active,
                              LaneMask taken) {
  const LaneMask stay = branch.stays == ptx::Stays::kAtTarget ? taken : active & ~taken;
  if (stay == 0) return;
  if (stay != active || w.spin_pc != branch.pc) w.spin_turns = 0;
  w.spin_pc = branch.pc;
  if (stay != active || ++w.spin_turns < kFruitlessTurns) return;
  w.spin_turns = 0;
  RunOthers(w, /*exits_too=*/false);
}

// Lanes below the top that wait, where `joins` says so of the entry that they stand in.
template <class Joins>
LaneMask Executor::State::Arrived(const simt::WarpState& w, const Joins& joins) const {
  LaneMask lanes = 0;
  for (uint32_t i = 0; i + 1 < w.stack.depth(); ++i) {
    const simt::ReconvergenceStack::Entry& entry = w.stack.below(i);
    const bool runs = (entry.mask & w.stack.LanesAbove(i)) == 0;
    if (runs && (entry.mask & ~w.waiting) == 0 && joins(entry)) lanes |= entry.mask;
  }
  return lanes;
}

// These, which wait below the top, go on, and the top does.
void Executor::State::LetGo(simt::WarpState& w, LaneMask arrived) {
  for (uint32_t i = w.stack.depth() - 1; arrived != 0 && i-- > 0;) {
    const LaneMask mask = w.stack.below(i).mask;
    if ((mask & ~arrived) != 0 || (mask & w.stack.LanesAbove(i)) != 0) continue;
    w.stack.Advance(i);
  }
  w.waiting &= ~(arrived | w.stack.top().mask);
  thread_instructions += static_cast<uint32_t>(std::popcount(arrived));
}

// The instruction is issued again, when others have run.
void Executor::State::PutOff(LaneMask executed) {
  thread_instructions -= static_cast<uint32_t>(std::popcount(executed));
  result.executed = 0;
}

bool Executor::State::WarpSync(const simt::Inst& inst, simt::WarpState& w, LaneMask executed) {
  const LaneMask active = w.stack.top().mask;
  const LaneMask named = FirstLaneOf(inst.source[0], executed);
  const LaneMask others = named & w.live & ~active;
  if (others == 0) return true;
  const LaneMask arrived = Arrived(w, [&](const simt::ReconvergenceStack::Entry& entry) {
    const simt::Inst& at = insts[entry.pc];
    return at.action == simt::Action::kWarpSync && FirstLaneOf(at.source[0], entry.mask) == named;
  });
  if (const LaneMask absent = others & ~arrived; absent != 0) {
    w.waiting |= active;
    if (!RunOthers(w, /*exits_too=*/true) && !RunExchange(w)) {
      simt::ThrowOfWarp(context, inst,
                        fmt::format("deadlock: endless wait for lanes {:#010x}", absent));
    }
    PutOff(executed);
    return false;
  }
  LetGo(w, arrived);
  return true;
}

// Where nobody else can run, the lanes that are there go on alone: what they would read from the
// others is unpredictable by the ISA, and a finding of the launch.
bool Executor::State::Exchange(const simt::Inst& inst, simt::WarpState& w, LaneMask executed,
                               LaneMask guard) {
  const LaneMask active = w.stack.top().mask;
  const LaneMask others = FirstLaneOf(inst.source[inst.mask_source], executed) & w.live & ~active;
  if (others == 0) {
    inst.run(context, inst, executed);
    return true;
  }
  const LaneMask arrived =
      Arrived(w, [&](const simt::ReconvergenceStack::Entry& entry) { return entry.pc == inst.pc; });
  if ((others & ~arrived) != 0) {
    w.waiting |= active;
    if (RunOthers(w, /*exits_too=*/true)) {
      PutOff(executed);
      return false;
    }
  }
  LetGo(w, arrived);
  inst.run(context, inst, (active | arrived) & guard);
  return true;
}

bool Executor::State::ComeOneByOne(const simt::Inst& inst, simt::WarpState& w, LaneMask* executed) {
  const LaneMask active = w.stack.top().mask;
  const auto number = [&](const simt::Inst& at, LaneMask lanes) {
    return at.source[0] == simt::kNoSlot ? 0 : FirstLaneOf(at.source[0], lanes);
  };
  const LaneMask arrived = Arrived(w, [&](const simt::ReconvergenceStack::Entry& entry) {
    const simt::Inst& at = insts[entry.pc];
    const bool joins = at.pc == inst.pc || inst.barrier == ptx::BarrierOp::kSync;
    return joins && at.action == simt::Action::kBarrier && at.modifiers.unaligned &&
           at.barrier == inst.barrier && number(at, entry.mask) == number(inst, active);
  });
  if ((w.live & ~active & ~arrived) != 0) {
    w.waiting |= active;
    if (RunOthers(w, /*exits_too=*/false) || RunExchange(w)) return false;
    for (uint32_t i = 0; i + 1 < w.stack.depth(); ++i) {
      const simt::ReconvergenceStack::Entry& entry = w.stack.below(i);
      const LaneMask own = entry.mask & ~w.stack.LanesAbove(i) & ~arrived;
      if (own == 0 || OnlyExitsFrom(entry.pc)) continue;
      simt::ThrowDivergentBarrier(context, inst, active | arrived, w.live);
    }
  }
  LetGo(w, arrived);
  *executed |= arrived;
  return true;
}

}  // namespace flagstone
