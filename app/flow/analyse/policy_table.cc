#include "app/flow/analyse/policy_table.h"

#include <algorithm>

#include "base/stopwatch.h"

namespace flagstone {

std::vector<PolicyFigures> ComparePolicies(std::span<const Policy* const> policies,
                                           const KernelLaunch& launch,
                                           const LaunchAnalysis& analysis,
                                           const AnalysisRequest& request) {
  const PartitionRequest partition = MakePartitionRequest(request, analysis.occupancy);
  const PartitionInput input = MakePartitionInput(launch, analysis, request);
  std::vector<PolicyFigures> rows;
  for (const Policy* policy : policies) {
    const bool has_groups = policy->partition != nullptr || policy->settings == nullptr;
    if (!has_groups) continue;
    PolicyFigures& row = rows.emplace_back();
    row.policy = policy->name;
    Stopwatch watch;
    const TbGroups groups = policy->partition != nullptr
                                ? policy->Groups(input, partition)
                                : GroupsOfRoundRobin(launch.grid, partition);
    row.seconds = watch.Lap();
    row.groups = groups.groups.size();
    for (const std::vector<uint32_t>& group : groups.groups) {
      row.largest = std::max<uint64_t>(row.largest, group.size());
      row.smallest =
          row.smallest == 0 ? group.size() : std::min<uint64_t>(row.smallest, group.size());
    }
    row.kept_weight = KeptWeight(analysis.sharers, groups);
    row.union_ratio = UnionRatio(analysis.sharers, groups);
  }
  return rows;
}

}  // namespace flagstone
