// What launches need of device memory beside buffers and variables.
#ifndef FLAGSTONE_LAUNCH_EXTRAS_H_
#define FLAGSTONE_LAUNCH_EXTRAS_H_

#include <cstdint>
#include <span>

#include "launch/device_memory.h"
#include "launch/kernel_launch.h"

namespace flagstone {

struct DeviceExtras {
  uint64_t heap = 0;          // of malloc; 0: no kernel calls it
  uint64_t grid_barrier = 0;  // where the TBs of a cooperative launch meet; 0: none does
};
DeviceExtras AllocateExtras(std::span<const ptx::Kernel* const> kernels, uint64_t heap_bytes,
                            DeviceMemory* memory);

// The cluster that the kernel asks for; one TB where it does not.
Dim3 ClusterOf(const ptx::Kernel& kernel);

}  // namespace flagstone

#endif  // FLAGSTONE_LAUNCH_EXTRAS_H_
