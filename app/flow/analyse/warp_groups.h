// The sizes of the high-priority groups of warps (Liu, Liu, Wang, Algorithm 2), as a run writes
// them into the warp schedulers' registers and as `analyze` prints them.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_WARP_GROUPS_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_WARP_GROUPS_H_

#include <cstdint>
#include <vector>

#include "analyzer/cta_mapping/cta_mapping.h"
#include "analyzer/cta_mapping/warp_group.h"
#include "app/policy/policy.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/sm/group_sizes.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// How TBs follow one another on an SM; without a mapping, groups are of one TB's warps.
struct TbSuccession {
  CtaDirection direction = CtaDirection::kRoundRobin;
  const CtaMapping* mapping = nullptr;  // null only where there is no direction
};

// The code outside of loops, then each loop. On a machine whose L1 is off for global memory: none.
std::vector<WarpGroup> WarpGroupsOf(const AddressAnalysis& addresses, const KernelLaunch& launch,
                                    const MachineConfig& machine, const TbSuccession& succession);

// What a run under the policy writes: at the launch the size of the code outside of loops, or where
// that loads nothing the first loop's, and at the entry of each loop its own (assumption).
GroupSizes GroupSizesOf(const KernelLaunch& launch, const DeviceMemory& memory,
                        const Policy& policy, const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_WARP_GROUPS_H_
