#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/launch_failure.h"
#include "gpu_model/simt/program.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

constexpr uint64_t kReportInstructions = 4'000'000;

[[noreturn]] void ThrowDeadlock(const Program& program, const ThreadBlock& block) {
  std::string waiting;
  for (uint32_t warp = 0; warp < block.warp_count(); ++warp) {
    if (!block.at_barrier(warp)) continue;
    if (!waiting.empty()) waiting += ", ";
    waiting += fmt::format("warp {} before {}", warp, program.Describe(block.pc(warp)));
  }
  const Dim3 tb = TbCoordinates(block.tb(), program.launch().grid);
  ThrowLaunchFailure(FailureCause::kTimeout,
                     "deadlock in TB ({},{},{}): all live warps wait at barriers: {}", tb.x, tb.y,
                     tb.z, waiting);
}

// What the control asks for, looked at between the turns of warps.
class Watch {
 public:
  Watch(const FunctionalControl& control, const Program& program, const Executor& executor)
      : control_(control), program_(program), executor_(executor) {}

  // The warp instructions that the next turn may take.
  uint64_t Turn() const {
    if (control_.max_warp_instructions == 0) return control_.turn;
    return std::min(control_.turn, control_.max_warp_instructions - executor_.warp_instructions());
  }

  // After a turn of the warp: whether to go on.
  bool GoesOn(const ThreadBlock& block, uint32_t warp) {
    const uint64_t done = executor_.warp_instructions();
    if (control_.max_warp_instructions != 0 && done >= control_.max_warp_instructions) {
      ThrowLimit(block, warp);
    }
    if (control_.progress && done >= next_report_) {
      next_report_ = done + kReportInstructions;
      control_.progress({done, executor_.thread_instructions(), block.tb()});
    }
    return control_.interrupted == nullptr ||
           !control_.interrupted->load(std::memory_order_relaxed);
  }

 private:
  [[noreturn]] void ThrowLimit(const ThreadBlock& block, uint32_t warp) const {
    const KernelLaunch& launch = program_.launch();
    const Dim3 tb = TbCoordinates(block.tb(), launch.grid);
    const std::string where = block.exited(warp) ? std::string("at its end")
                                                 : "before " + program_.Describe(block.pc(warp));
    ThrowLaunchFailure(
        FailureCause::kTimeout,
        "limit of {} warp instructions reached after {} of {} TBs: warp {} of TB ({},{},{}) is {}",
        control_.max_warp_instructions, block.tb(), launch.TbCount(), warp, tb.x, tb.y, tb.z,
        where);
  }

  const FunctionalControl& control_;
  const Program& program_;
  const Executor& executor_;
  uint64_t next_report_ = kReportInstructions;
};

// The TBs that must run at once: those of a cluster, or all of a cooperative launch; else each is
// alone.
uint64_t TbsTogether(const KernelLaunch& launch) {
  constexpr uint64_t kMostStates = 4096;
  if (!launch.kernel->syncs_grid) return launch.cluster.Count();
  if (launch.TbCount() > kMostStates) {
    ThrowBadInput("entry '{}' waits for all its {} TBs: expected at most {} without timing",
                  launch.kernel->name, launch.TbCount(), kMostStates);
  }
  return launch.TbCount();
}

}  // namespace

FunctionalCounts RunFunctionally(const KernelLaunch& launch, DeviceMemory* memory,
                                 StepObserver observer, void* context,
                                 const FunctionalControl& control) {
  const Program program(launch);
  const uint64_t together = TbsTogether(launch);
  std::vector<ThreadBlock> blocks;
  for (uint64_t i = 0; i < together; ++i) blocks.emplace_back(program);
  Executor executor(program, memory, 0, 1);
  executor.StoreAtOnce();
  Watch watch(control, program, executor);
  const auto counts = [&](uint64_t tbs) {
    return FunctionalCounts{executor.warp_instructions(), executor.thread_instructions(), tbs};
  };
  const uint64_t tbs = control.only ? control.only->size() : launch.TbCount();
  for (uint64_t first = 0; first < tbs; first += together) {
    for (uint64_t i = 0; i < together; ++i) {
      blocks[i].Start(control.only ? (*control.only)[first] : first + i);
    }
    uint64_t finished = 0;
    while (finished < together) {
      bool progress = false;
      finished = 0;
      for (ThreadBlock& block : blocks) {
        for (uint32_t warp = 0; warp < block.warp_count() && !block.Finished(); ++warp) {
          const uint64_t turn = watch.Turn();
          const uint64_t tb = block.tb();
          for (uint64_t i = 0; i < turn && !block.exited(warp) && !block.at_barrier(warp); ++i) {
            const StepResult& result = executor.Step(&block, warp);
            if (observer != nullptr) observer(context, tb, warp, result);
            progress = true;
          }
          if (watch.GoesOn(block, warp)) continue;
          FunctionalCounts stopped = counts(first);
          stopped.interrupted = true;
          return stopped;
        }
        if (block.Finished()) ++finished;
      }
      if (!progress && finished < together) {
        const auto waits = [](const ThreadBlock& block) { return !block.Finished(); };
        ThrowDeadlock(program, *std::find_if(blocks.begin(), blocks.end(), waits));
      }
    }
  }
  return counts(tbs);
}

}  // namespace flagstone
