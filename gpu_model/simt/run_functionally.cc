#include <fmt/format.h>

#include <string>

#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/program.h"

namespace flagstone {
namespace {

// A warp keeps the turn this long, so that one that spins until another acts cannot hold it
// forever.
constexpr int kTurn = 4096;

[[noreturn]] void ThrowDeadlock(const Program& program, const ThreadBlock& block) {
  std::string waiting;
  for (uint32_t warp = 0; warp < block.warp_count(); ++warp) {
    if (!block.at_barrier(warp)) continue;
    if (!waiting.empty()) waiting += ", ";
    waiting += fmt::format("warp {} before {}", warp, program.Describe(block.pc(warp)));
  }
  const Dim3 tb = TbCoordinates(block.tb(), program.launch().grid);
  ThrowRunFailed("deadlock in TB ({},{},{}): all live warps wait at barriers: {}", tb.x, tb.y, tb.z,
                 waiting);
}

}  // namespace

FunctionalCounts RunFunctionally(const KernelLaunch& launch, DeviceMemory* memory,
                                 StepObserver observer, void* context) {
  const Program program(launch);
  ThreadBlock block(program);
  Executor executor(program, memory, 0, 1);
  executor.StoreAtOnce();
  for (uint64_t tb = 0; tb < launch.TbCount(); ++tb) {
    block.Start(tb);
    while (!block.Finished()) {
      bool progress = false;
      for (uint32_t warp = 0; warp < block.warp_count(); ++warp) {
        for (int i = 0; i < kTurn && !block.exited(warp) && !block.at_barrier(warp); ++i) {
          const StepResult& result = executor.Step(&block, warp);
          if (observer != nullptr) observer(context, tb, warp, result);
          progress = true;
        }
      }
      if (!progress) ThrowDeadlock(program, block);
    }
  }
  return {executor.warp_instructions(), executor.thread_instructions()};
}

}  // namespace flagstone
