// How much TBs of a launch have to do, by executing some of them without timing.
#ifndef FLAGSTONE_APP_FLOW_SAMPLE_TB_WORK_H_
#define FLAGSTONE_APP_FLOW_SAMPLE_TB_WORK_H_

#include <cstdint>
#include <span>

#include "app/flow/sample/extrapolation.h"
#include "gpu_model/simt/executor.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Warp instructions of the TBs `left_out` over those of the TBs `sampled`, by some of either: one
// by chance from each of as many parts of the list. The memory stays as it is.
WorkRatio CompareWork(const KernelLaunch& launch, const DeviceMemory& memory,
                      std::span<const uint32_t> left_out, std::span<const uint32_t> sampled,
                      const FunctionalControl& control);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_TB_WORK_H_
