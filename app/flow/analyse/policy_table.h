// How each of several policies would group one launch's TBs, side by side.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_POLICY_TABLE_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_POLICY_TABLE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "app/flow/analyse/analyze.h"

namespace flagstone {

struct PolicyFigures {
  std::string_view policy;
  uint64_t groups = 0;
  uint64_t smallest = 0, largest = 0;  // TBs of a group
  double kept_weight = 0;              // of the pairs' weight, inside groups
  double union_ratio = 1;              // of the TBs' summed footprints
  double seconds = 0;                  // wall clock of the partition alone
};

// A policy without groups of its own (lrr) is judged by what it runs at once: GroupsOfRoundRobin.
// `analysis` is of the same launch and request; it needs a graph if one of the policies does.
std::vector<PolicyFigures> ComparePolicies(std::span<const Policy* const> policies,
                                           const KernelLaunch& launch,
                                           const LaunchAnalysis& analysis,
                                           const AnalysisRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_POLICY_TABLE_H_
