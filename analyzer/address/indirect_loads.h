// Which loads go through loaded values: what a compiler tells a prefetcher with each load (CAPS,
// section V.B: the source registers of a load, traced backward).
#ifndef FLAGSTONE_ANALYZER_ADDRESS_INDIRECT_LOADS_H_
#define FLAGSTONE_ANALYZER_ADDRESS_INDIRECT_LOADS_H_

#include <vector>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// By pc: true but for the loads from global memory whose address comes from ids, parameters,
// constants and counters alone, however the load is guarded.
std::vector<bool> IndirectLoads(const KernelLaunch& launch, const DeviceMemory& memory);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_INDIRECT_LOADS_H_
