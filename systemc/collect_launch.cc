#include "systemc/collect_launch.h"

#include <utility>

#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/energy/launch_energy.h"
#include "systemc/collect.h"
#include "systemc/collect_nodes.h"
#include "systemc/tb_queues.h"

namespace flagstone {
namespace {

uint64_t GroupsOf(const LaunchRequest& request, uint32_t nodes) {
  uint64_t groups = 0;
  for (const TbGroups& queue : QueuesOf(request, nodes)) groups += queue.groups.size();
  return groups;
}

}  // namespace

LaunchRecord CollectLaunch(const SimulateOptions& options, const LaunchRequest& request,
                           const Occupancy& occupancy, const GpuModule& gpu,
                           const RunMonitor& monitor, Recorder* recorder) {
  const MachineConfig& machine = options.machine;
  const KernelLaunch& launch = *request.launch;
  LaunchRecord record;
  record.entry = launch.kernel->name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.occupancy = occupancy;
  ChipParts parts = CollectParts(gpu, machine.clock, monitor.cycles());
  record.statistics = CollectTotals(gpu, parts, monitor.cycles());
  record.statistics.tbs_per_sm = occupancy.tbs_per_sm;
  record.statistics.tb.groups = GroupsOf(request, machine.numa.Nodes());
  if (gpu.fabric != nullptr) {
    record.nodes = CollectNodes(gpu, machine.clock, monitor.cycles());
    record.statistics.numa = CollectNuma(gpu, machine.clock, *record.nodes, *request.pages,
                                         monitor.cycles(), monitor.flush_cycles());
    if (!monitor.interrupted()) CheckNodeCounts(gpu, record.statistics, *record.nodes);
  }
  record.statistics.energy =
      EnergyOf(record.statistics, machine, options.machine.sm.prefetcher != kNoPrefetcher);
  record.load_prefetches = CollectLoads(gpu, *launch.kernel);
  if (recorder != nullptr) {
    record.detail = recorder->Finish(monitor.cycles(), request.groups, std::move(parts));
  }
  return record;
}

}  // namespace flagstone
