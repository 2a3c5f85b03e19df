#include "app/flow/studies/load_iterations.h"

#include <algorithm>
#include <map>

#include "gpu_model/simt/executor.h"
#include "kernels/launch/launch_sequence.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// Of one load, over all warps of all launches of its kernel.
struct IterationCounts {
  uint64_t executions = 0;
  uint64_t warps = 0;
  bool repeated = false;
};

// Watches one launch, whose TBs run one after the other.
class Counter {
 public:
  Counter(const KernelLaunch& launch, std::map<uint32_t, IterationCounts>* loads)
      : program_(launch), warps_(launch.WarpsPerTb()), loads_(loads) {
    for (uint32_t pc = 0; pc < program_.size(); ++pc) {
      const InstructionInfo& info = program_.info(pc);
      if (info.is_load && !info.is_texture && info.space == MemorySpace::kGlobal) (*loads_)[pc];
    }
    seen_.resize(size_t{program_.size()} * warps_);
  }

  static void Observe(void* self, uint64_t tb, uint32_t warp, const StepResult& step) {
    static_cast<Counter*>(self)->Step(tb, warp, step);
  }

 private:
  void Step(uint64_t tb, uint32_t warp, const StepResult& step) {
    if (step.space != MemorySpace::kGlobal || step.executed == 0) return;
    const auto load = loads_->find(step.pc);
    if (load == loads_->end()) return;
    if (tb != tb_) std::fill(seen_.begin(), seen_.end(), false);
    tb_ = tb;
    const size_t place = size_t{step.pc} * warps_ + warp;
    ++load->second.executions;
    if (seen_[place]) {
      load->second.repeated = true;
    } else {
      ++load->second.warps;
    }
    seen_[place] = true;
  }

  Program program_;
  uint64_t warps_;
  std::map<uint32_t, IterationCounts>* loads_;
  uint64_t tb_ = ~uint64_t{0};
  std::vector<bool> seen_;  // by pc and warp of the TB
};

}  // namespace

LoadIterations CountLoadIterations(const Workload& workload) {
  BoundWorkload bound = Bind(workload);
  std::map<std::string, std::map<uint32_t, IterationCounts>> kernels;
  LaunchSequence sequence(&bound);
  while (const KernelLaunch* launch = sequence.Next()) {
    Counter counter(*launch, &kernels[launch->kernel->name]);
    RunFunctionally(*launch, &bound.memory, Counter::Observe, &counter);
  }
  LoadIterations result;
  std::vector<IterationCounts> executed;
  for (const auto& [kernel, loads] : kernels) {
    for (const auto& [pc, counts] : loads) {
      ++result.loads;
      result.repeated += counts.repeated ? 1 : 0;
      if (counts.executions != 0) executed.push_back(counts);
    }
  }
  std::stable_sort(executed.begin(), executed.end(),
                   [](const IterationCounts& a, const IterationCounts& b) {
                     return a.executions > b.executions;
                   });
  for (const IterationCounts& counts : executed) {
    result.iterations.push_back(static_cast<double>(counts.executions) /
                                static_cast<double>(counts.warps));
  }
  return result;
}

}  // namespace flagstone
