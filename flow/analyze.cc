#include "flow/analyze.h"

#include "analyzer/address/address_analysis.h"
#include "base/stopwatch.h"

namespace flagstone {

PartitionRequest MakePartitionRequest(const AnalysisRequest& request, const Occupancy& occupancy) {
  return {
      .sms = request.machine->sm.count, .tbs_per_sm = occupancy.tbs_per_sm, .seed = request.seed};
}

LaunchAnalysis AnalyzeLaunch(const KernelLaunch& launch, const DeviceMemory& memory,
                             const AnalysisRequest& request) {
  LaunchAnalysis result;
  result.occupancy = ComputeOccupancy(*request.machine, launch);

  Stopwatch watch;
  result.addresses = AnalyzeAddresses(launch, memory);
  result.seconds.addresses = watch.Lap();
  result.footprints = FindFootprints(result.addresses, launch);
  result.sharers = FindSharers(result.footprints, request.granularity);
  // The sharer sets are the analysis; the graph is made of them for those who ask for it.
  if (request.wants_graph || request.policy->needs_graph) result.graph = BuildGraph(result.sharers);
  result.seconds.graph = watch.Lap();
  result.statistics = Summarize(result.sharers);
  watch.Lap();
  if (request.policy->partition != nullptr) {
    const PartitionInput input{launch.grid, &result.sharers, &result.graph};
    result.groups =
        request.policy->partition(input, MakePartitionRequest(request, result.occupancy));
    result.seconds.partition = watch.Lap();
    CheckCoversOnce(result.groups, static_cast<uint32_t>(launch.TbCount()));
    result.kept_weight = KeptWeight(result.sharers, result.groups);
    result.union_ratio = UnionRatio(result.sharers, result.groups);
  }
  if (request.other_analyses) {
    watch.Lap();
    result.coalescing = AnalyzeCoalescing(result.addresses, launch);
    result.ladm = AnalyzeLadm(result.addresses, launch, memory);
    result.seconds.other = watch.Lap();
  }
  return result;
}

}  // namespace flagstone
