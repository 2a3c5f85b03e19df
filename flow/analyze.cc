#include "flow/analyze.h"

#include "analyzer/address/address_analysis.h"
#include "base/stopwatch.h"

namespace flagstone {

LaunchAnalysis AnalyzeLaunch(const KernelLaunch& launch, const DeviceMemory& memory,
                             const AnalysisRequest& request) {
  LaunchAnalysis result;
  result.occupancy = ComputeOccupancy(*request.machine, launch);

  Stopwatch watch;
  result.addresses = AnalyzeAddresses(launch, memory);
  result.seconds.addresses = watch.Lap();
  result.footprints = FindFootprints(result.addresses, launch);
  result.sharers = FindSharers(result.footprints, request.granularity);
  result.graph = BuildGraph(result.sharers);
  result.statistics = Summarize(result.sharers);
  result.seconds.graph = watch.Lap();
  if (request.policy->partition != nullptr) {
    PartitionRequest partition;
    partition.sms = request.machine->sm.count;
    partition.tbs_per_sm = result.occupancy.tbs_per_sm;
    partition.seed = request.seed;
    result.groups = request.policy->partition(result.graph, partition);
    result.seconds.partition = watch.Lap();
    CheckCoversOnce(result.groups, static_cast<uint32_t>(launch.TbCount()));
    result.kept_weight = KeptWeight(result.graph, result.groups);
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
