// The loop of a kernel whose iterations a sample may leave out.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_LOOP_CHOICE_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_LOOP_CHOICE_H_

#include <algorithm>
#include <optional>
#include <string>

#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/loop_sample.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct ChosenLoop {
  LoopSample sample;        // but for its gaps
  double iterations = 0;    // that a warp does each time that it comes to the loop
  uint64_t ways_back = 0;   // of a warp to the header, in all
  double instructions = 0;  // of a warp in an iteration
  double share = 0;         // of the launch's warp instructions that are the loop's
  std::string place;        // "matmul.ptx:57", of the branch back

  // The part of the launch that is simulated with so many iterations.
  double Simulated(double simulated) const {
    return 1 - share * (1 - std::min(1.0, simulated / iterations));
  }
};

// Executes some TBs, and of the loops that all of their warps go round together takes the one
// without which least is left: all warps of all these TBs take the branch back equally often, their
// lanes together, and there is no other way out; nothing in it acts beside the warps, reads the
// clock, or goes to local memory. None: there is no such loop, or the kernel prints. Throws as
// RunFunctionally does, at the limit of the control too.
std::optional<ChosenLoop> ChooseLoop(const KernelLaunch& launch, const DeviceMemory& memory,
                                     const FunctionalControl& control);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_LOOP_CHOICE_H_
