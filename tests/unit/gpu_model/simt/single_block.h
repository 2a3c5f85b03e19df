// One TB stepped by hand.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_SINGLE_BLOCK_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_SINGLE_BLOCK_H_

#include <string>
#include <utility>
#include <vector>

#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/program.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {

struct SingleBlock {
  explicit SingleBlock(KernelRun& run)
      : program(run.launch()), block(program), executor(program, &run.memory(), 0, 1) {
    block.Start(0);
  }
  // A copy: the executor's own result changes with the next step.
  StepResult Step(uint32_t warp = 0) { return executor.Step(&block, warp); }

  Program program;
  ThreadBlock block;
  Executor executor;
};

// (pc, active lanes) of every instruction that warp 0 issues.
inline std::vector<std::pair<uint32_t, LaneMask>> Trace(KernelRun& run) {
  SingleBlock single(run);
  std::vector<std::pair<uint32_t, LaneMask>> trace;
  while (!single.block.exited(0)) {
    const StepResult result = single.Step();
    trace.emplace_back(result.pc, result.active);
  }
  return trace;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SIMT_SINGLE_BLOCK_H_
