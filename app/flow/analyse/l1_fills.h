// Finds what an ideal L1 would ask L2 for: the bound on what grouping TBs can save.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_L1_FILLS_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_L1_FILLS_H_

#include "app/flow/analyse/analyze.h"
#include "app/results/launch_record.h"

namespace flagstone {

// `analysis` is of `launch`, with groups. Only what the analysis knows counts: loads from global
// memory. A cache without sectors is filled by lines.
L1Fills FindL1Fills(const LaunchAnalysis& analysis, const KernelLaunch& launch,
                    const CacheConfig& l1, const PartitionRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_L1_FILLS_H_
