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
  double instructions = 0;  // of a warp in an iteration
  double share = 0;         // of the launch's warp instructions that are the loop's
  std::string place;        // "matmul.ptx:57", of the branch back

  // The part of the launch that is simulated with so many iterations.
  double Simulated(double simulated) const {
    return 1 - share * (1 - std::min(1.0, simulated / iterations));
  }
};

// Executes some TBs, and of the loops that all of their warps go round together takes the one
// without which least is left: a branch back on which no warp diverges, and which all warps of a TB
// take as often; nothing in it that acts beside the warps. None: there is no such loop.
std::optional<ChosenLoop> ChooseLoop(const KernelLaunch& launch, const DeviceMemory& memory,
                                     const FunctionalControl& control);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_LOOP_CHOICE_H_
