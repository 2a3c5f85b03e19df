// What launches need of device memory beside buffers and variables.
#ifndef FLAGSTONE_KERNELS_LAUNCH_EXTRAS_H_
#define FLAGSTONE_KERNELS_LAUNCH_EXTRAS_H_

#include <cstdint>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct DeviceExtras {
  uint64_t heap = 0;          // of malloc; 0: no kernel calls it
  uint64_t grid_barrier = 0;  // where the TBs of a cooperative launch meet; 0: none does
};
// Adds what a kernel needs and none before it did. All share it.
void AddExtras(const ptx::Kernel& kernel, uint64_t heap_bytes, DeviceMemory* memory,
               DeviceExtras* extras);

// The cluster that the kernel asks for; one TB where it does not.
Dim3 ClusterOf(const ptx::Kernel& kernel);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_EXTRAS_H_
