// What an ideal L1 would ask L2 for: the bound on what grouping TBs can save.
#ifndef FLAGSTONE_FLOW_L1_FILLS_H_
#define FLAGSTONE_FLOW_L1_FILLS_H_

#include <cstdint>

#include "flow/analyze.h"

namespace flagstone {

// Sectors of 32 B that are read if the TBs of a group share an L1 that holds all they read, and
// nothing outlives its group. Only what the analysis knows counts: loads from global memory.
struct L1Fills {
  uint64_t groups = 0;  // under the policy's groups
  uint64_t lrr = 0;     // under loose round-robin, where the TBs that start together are a group
};
// `analysis` is of `launch`, with groups. A cache without sectors is filled by lines.
L1Fills FindL1Fills(const LaunchAnalysis& analysis, const KernelLaunch& launch,
                    const CacheConfig& l1, const PartitionRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_L1_FILLS_H_
