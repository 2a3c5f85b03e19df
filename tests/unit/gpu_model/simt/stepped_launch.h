// All TBs of a launch side by side, as with timing: in each cycle every warp that can go makes one
// step, then the executor commits.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_STEPPED_LAUNCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_STEPPED_LAUNCH_H_

#include <string>
#include <vector>

#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/program.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {

class SteppedLaunch {
 public:
  // What one issue of an access sent on its way.
  struct Traffic {
    uint64_t tb = 0;
    LaneMask lanes = 0;
    MemorySpace space = MemorySpace::kNone;
    std::vector<uint64_t> addresses;  // of the lanes
  };

  explicit SteppedLaunch(KernelRun& run)
      : program_(run.launch()), executor_(program_, &run.memory(), 0, 1) {
    for (uint64_t tb = 0; tb < run.launch().TbCount(); ++tb) {
      blocks_.emplace_back(program_);
      blocks_.back().Start(tb);
    }
  }

  // One step of every warp that can go, without a commit. Whether there was one.
  bool StepAll() {
    bool any = false;
    for (ThreadBlock& block : blocks_) {
      for (uint32_t warp = 0; warp < block.warp_count(); ++warp) {
        if (block.exited(warp) || block.at_barrier(warp)) continue;
        any = true;
        Note(block.tb(), executor_.Step(&block, warp));
      }
    }
    return any;
  }
  // Until all TBs have ended; a test failure if they never do.
  void Run() {
    constexpr int kMostCycles = 5000;
    for (int cycle = 0; cycle < kMostCycles; ++cycle) {
      if (!StepAll()) return;
      executor_.Commit();
    }
    ADD_FAILURE() << "some TB has not ended";
  }
  void Commit() { executor_.Commit(); }

  // The issues of instructions whose text begins like this.
  std::vector<Traffic> TrafficOf(const std::string& text) const {
    std::vector<Traffic> found;
    const auto& instructions = program_.launch().kernel->instructions;
    for (const auto& [pc, traffic] : traffic_) {
      if (instructions[pc].text.starts_with(text)) found.push_back(traffic);
    }
    return found;
  }

 private:
  void Note(uint64_t tb, const StepResult& step) {
    if (step.addresses == nullptr) return;
    Traffic traffic{tb, step.in_space, step.space, {}};
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((step.in_space >> lane & 1) != 0) traffic.addresses.push_back((*step.addresses)[lane]);
    }
    traffic_.emplace_back(step.pc, traffic);
  }

  Program program_;
  Executor executor_;
  std::vector<ThreadBlock> blocks_;
  std::vector<std::pair<uint32_t, Traffic>> traffic_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_STEPPED_LAUNCH_H_
