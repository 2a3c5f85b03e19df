#include "gpu_model/simt/loop_rest.h"

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/launch_failure.h"
#include "gpu_model/simt/thread_block_state.h"

namespace flagstone {
namespace {

constexpr uint64_t kMostSteps = uint64_t{1} << 24;  // of a warp in an iteration

// Whether the instruction changes nothing outside the SM, nor anything that is needed: its accesses
// to shared memory are known by nobody here.
bool DoesNothing(const Program& program, uint32_t pc) {
  const simt::Inst& inst = program.code().insts[pc];
  if (inst.action == simt::Action::kNothing) return true;
  const std::vector<bool>& needed = program.launch().needed_values;
  return inst.action == simt::Action::kMemory && program.info(pc).space == MemorySpace::kShared &&
         !needed.empty() && !needed[pc];
}

// Instructions that do nothing are passed over as far as the next one to which a branch leads, or
// where lanes meet again.
std::vector<uint32_t> NextToExecute(const Program& program) {
  const std::vector<simt::Inst>& insts = program.code().insts;
  std::vector<bool> led_to(insts.size() + 1);
  for (const simt::Inst& inst : insts) {
    if (inst.action != simt::Action::kBranch) continue;
    led_to[inst.target] = led_to[inst.reconvergence] = true;
  }
  std::vector<uint32_t> next(insts.size());
  for (uint32_t pc = static_cast<uint32_t>(insts.size()); pc-- > 0;) {
    const bool nothing = DoesNothing(program, pc);
    const bool last = pc + 1 == insts.size() || led_to[pc + 1];
    next[pc] = nothing && !last ? next[pc + 1] : pc;
  }
  return next;
}

}  // namespace

LoopRest::LoopRest(const Program& program, DeviceMemory* memory, uint32_t branch,
                   const std::vector<bool>& body)
    : program_(program),
      branch_(branch),
      body_(body),
      executor_(program, memory, 0, 1),
      next_(NextToExecute(program)) {
  executor_.StoreAtOnce();
}

bool LoopRest::Run(ThreadBlock* block, uint32_t warp, StepObserver observer, void* context) {
  for (uint64_t steps = 0; !block->at_barrier(warp); ++steps) {
    if (steps == kMostSteps) {
      ThrowLaunchFailure(FailureCause::kTimeout, "an iteration of {} does not end",
                         program_.Describe(branch_));
    }
    const uint32_t pc = block->pc(warp);
    if (next_[pc] != pc) block->state().warps[warp].stack.GoTo(next_[pc]);
    if (!InLoop(*block, warp)) return true;
    const StepResult& step = executor_.Step(block, warp);
    if (observer != nullptr) observer(context, block->tb(), warp, step);
    if (block->exited(warp)) {
      ThrowLaunchFailure(FailureCause::kTimeout, "warp {} ends within the loop of {}", warp,
                         program_.Describe(branch_));
    }
    if (step.pc == branch_) {
      iterations_ += step.executed != 0 ? 1 : 0;
      return true;
    }
  }
  return false;
}

bool LoopRest::Iterate(ThreadBlock* block, StepObserver observer, void* context) {
  running_.clear();
  for (uint32_t warp = 0; warp < block->warp_count(); ++warp) {
    if (InLoop(*block, warp)) running_.push_back(warp);
  }
  if (running_.empty()) return false;
  while (!running_.empty()) {
    bool progress = false;
    std::erase_if(running_, [&](uint32_t warp) {
      progress |= !block->at_barrier(warp);
      return Run(block, warp, observer, context);
    });
    if (!progress) {
      ThrowLaunchFailure(FailureCause::kTimeout,
                         "warp {} waits in the loop of {} for warps that have left it",
                         running_.front(), program_.Describe(branch_));
    }
  }
  return true;
}

}  // namespace flagstone
