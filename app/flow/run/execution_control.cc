#include "app/flow/run/execution_control.h"

namespace flagstone {

FunctionalControl ControlOf(const RunOptions& options, const KernelLaunch& launch, uint64_t index,
                            uint64_t count) {
  FunctionalControl control;
  control.turn = 1;
  control.max_warp_instructions = options.max_instructions;
  control.interrupted = options.interrupted;
  if (!options.progress) return control;
  control.progress = [&options, &launch, index, count](const FunctionalCounts& counts) {
    options.progress({.launch = index,
                      .launches = count,
                      .tbs_completed = counts.tbs,
                      .tbs = launch.TbCount(),
                      .warp_instructions = counts.warp_instructions});
  };
  return control;
}

}  // namespace flagstone
