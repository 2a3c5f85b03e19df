// How many TBs of a launch fit on one SM at once.
#ifndef FLAGSTONE_GPU_MODEL_SM_OCCUPANCY_H_
#define FLAGSTONE_GPU_MODEL_SM_OCCUPANCY_H_

#include <cstdint>
#include <string>

#include "gpu_model/machines/machine.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// `limit` is the resource that sets the number: "threads", "registers", "shared memory", "warps",
// "TB slots" (the first of these where several do).
struct Occupancy {
  uint32_t tbs_per_sm = 0;
  std::string limit;
  uint32_t registers_per_thread = 0;
  bool registers_estimated = false;  // by liveness over the PTX, where the workload gives none
};

// Throws kBadInput when not even one TB fits, saying which resource is short and by how much.
Occupancy ComputeOccupancy(const MachineConfig& machine, const KernelLaunch& launch);

// The largest number of 32-bit registers that are live at once in a thread; 64-bit values count
// two, predicates, parameters and literals none. What a register allocator without spills needs at
// least.
uint32_t EstimateRegisters(const ptx::Kernel& kernel);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_OCCUPANCY_H_
