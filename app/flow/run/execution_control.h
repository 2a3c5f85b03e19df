// How a launch that is executed without timing is limited, followed and interrupted, by what a run
// is asked for.
#ifndef FLAGSTONE_APP_FLOW_RUN_EXECUTION_CONTROL_H_
#define FLAGSTONE_APP_FLOW_RUN_EXECUTION_CONTROL_H_

#include <cstdint>

#include "app/flow/run/run_options.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Both must outlive it. `index`: launches before this one; `count`: of the run, 0 where nobody
// knows yet.
FunctionalControl ControlOf(const RunOptions& options, const KernelLaunch& launch, uint64_t index,
                            uint64_t count);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_EXECUTION_CONTROL_H_
