#include "app/flow/analyse/l1_fills.h"

#include "analyzer/partition/union_refinement.h"

namespace flagstone {

L1Fills FindL1Fills(const LaunchAnalysis& analysis, const KernelLaunch& launch,
                    const CacheConfig& l1, const PartitionRequest& request) {
  const bool lines = l1.sector_bytes == l1.line_bytes;
  const SharerSets sharers =
      FindSharers(analysis.footprints, lines ? Granularity::kLine : Granularity::kSector);
  const auto fills = [&](const TbGroups& groups) {
    const uint64_t units =
        partition::UnionUnits(sharers, groups) + sharers.shared_by_all * groups.groups.size();
    return units * (lines ? l1.line_bytes / 32 : 1);
  };
  return {fills(analysis.groups), fills(GroupsOfRoundRobin(launch.grid, request))};
}

}  // namespace flagstone
