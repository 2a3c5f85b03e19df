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

// Warp instructions of a TB, over some of the list: one by chance from each of as many parts of it.
// The memory stays as it is.
TbWork WorkOf(const KernelLaunch& launch, const DeviceMemory& memory, std::span<const uint32_t> tbs,
              const FunctionalControl& control);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_SAMPLE_TB_WORK_H_
