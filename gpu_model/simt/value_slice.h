// The address slice of a program's launches: which instructions' values reach an address, a
// predicate or a barrier, through registers or through memory. The others need not be computed to
// know the timing.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_VALUE_SLICE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_VALUE_SLICE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// By launch and pc: whether the value must be computed (of a store: written). Instructions that
// compute nothing (branches, barriers, fences) count as needed.
//
// Conservative in three ways. A register is needed everywhere once it is needed anywhere. Memory is
// needed by the buffer, variable, or whole shared or local memory: if any launch loads a needed
// value from it, every store and atomic to it is kept. A pointer may lead into every buffer whose
// address went into it; one that was itself loaded from memory leads everywhere.
//
// `kept` names buffers whose contents matter for other reasons: flags that the host reads.
std::vector<std::vector<bool>> FindNeededValues(std::span<const KernelLaunch> launches,
                                                const DeviceMemory& memory,
                                                std::span<const std::string> kept);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SIMT_VALUE_SLICE_H_
