// A barrier that only some of a warp's lanes have come to. It waits for the threads that have not
// exited (PTX ISA 9.7.13.1), so the rest of the warp may do one of three things:
// - stand before an exit, as after "if (i >= n) return;": such lanes count as gone already;
// - be on another path of a branch: that one runs first, and either exits or comes to this barrier;
// - wait where the paths meet again, or at another barrier: that is a divergent barrier.
#include "gpu_model/simt/executor_state.h"
#include "gpu_model/simt/faults.h"

namespace flagstone {

bool Executor::State::OnlyExitsFrom(uint32_t pc) const {
  constexpr uint32_t kMaxHops = 16;
  constexpr auto kConstants = static_cast<uint32_t>(simt::Base::kConstants);
  for (uint32_t hop = 0; hop < kMaxHops; ++hop) {
    if (pc == code->insts.size()) return true;
    const simt::Inst& inst = insts[pc];
    const bool guarded = inst.guard >> simt::kBaseShift != kConstants;
    if (guarded) return false;
    switch (inst.action) {
      case simt::Action::kExit:
        return true;
      case simt::Action::kBranch:
        pc = inst.target;
        break;
      case simt::Action::kNothing:
        ++pc;
        break;
      default:
        return false;
    }
  }
  return false;
}

bool Executor::State::OthersHaveLeft(const simt::Inst& inst, simt::WarpState& w,
                                     LaneMask arrived) const {
  simt::ReconvergenceStack& stack = w.stack;
  const simt::ReconvergenceStack::Entry top = stack.top();
  const auto fail = [&] { simt::ThrowDivergentBarrier(context, inst, arrived, w.live); };
  if (arrived != top.mask) fail();  // the guard holds for some lanes only
  // Lanes that an entry above holds too: they will come to this one later.
  LaneMask above = top.mask;
  for (uint32_t i = stack.depth() - 1; i-- > 0;) {
    const simt::ReconvergenceStack::Entry& entry = stack.below(i);
    const bool waits_for_above = (entry.mask & above) != 0;
    const bool others = (entry.mask & ~above) != 0;
    above |= entry.mask;
    if (!others || OnlyExitsFrom(entry.pc)) continue;
    if (waits_for_above) fail();
    if (entry.pc == top.pc && entry.reconvergence == top.reconvergence) {
      stack.Join(i);
    } else {
      if (insts[entry.pc].action == simt::Action::kBarrier) fail();
      stack.Raise(i);
    }
    return false;
  }
  return true;
}

}  // namespace flagstone
