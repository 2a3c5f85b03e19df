#include "app/flow/analyse/analyze.h"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "analyzer/address/address_analysis.h"
#include "analyzer/replay/timed_sharers.h"
#include "analyzer/replay/traces.h"
#include "app/flow/analyse/group_prediction.h"
#include "app/flow/analyse/known_data.h"
#include "app/flow/analyse/warp_groups.h"
#include "app/policy/policies.h"
#include "base/stopwatch.h"

namespace flagstone {

PartitionRequest MakePartitionRequest(const AnalysisRequest& request, const Occupancy& occupancy) {
  return {
      .sms = request.machine->sm.count, .tbs_per_sm = occupancy.tbs_per_sm, .seed = request.seed};
}

PartitionRequest PartitionOfNode(const MachineConfig& machine, const KernelLaunch& launch,
                                 uint64_t seed) {
  return {.sms = machine.sm.count / machine.numa.Nodes(),
          .tbs_per_sm = ComputeOccupancy(machine, launch).tbs_per_sm,
          .seed = seed};
}

PartitionInput MakePartitionInput(const KernelLaunch& launch, const LaunchAnalysis& analysis,
                                  const AnalysisRequest& request) {
  PartitionInput input;
  input.grid = launch.grid;
  input.sharers = analysis.timed_sharers ? &*analysis.timed_sharers : &analysis.sharers;
  input.graph = &analysis.graph;
  input.launch = &launch;
  input.number = request.number;
  if (analysis.cta_mapping) input.direction = analysis.cta_mapping->direction;
  return input;
}

namespace {

void Begin(const AnalysisRequest& request, std::string_view part) {
  if (request.begins) request.begins(part);
}

// What the TBs do, for those who go by time. Where data decide and may be known, the launch is
// executed once, for `known` too.
std::unique_ptr<replay::Traces> FindTraces(const KernelLaunch& launch,
                                           const AnalysisRequest& request,
                                           const AddressAnalysis& addresses, KnownAccesses* known) {
  const SmConfig& sm = request.machine->sm;
  const bool by_warp = request.by_warp;
  const auto find_known = [&](const AlsoObserved& also) {
    *known = ExecuteForAddresses(addresses, launch, request.known_data, by_warp, request.execution,
                                 also);
  };
  std::unique_ptr<replay::Traces> traces;
  if (request.policy->may_fall_back || request.policy->TimedWeights()) {
    traces = std::make_unique<replay::Traces>(launch, addresses, sm);
  }
  if (request.known_data == nullptr) return traces;
  if (traces == nullptr || traces->skipped().empty()) {
    find_known({});
    return traces;
  }
  return std::make_unique<replay::Traces>(launch, addresses, sm,
                                          [&](StepObserver observer, void* context) {
                                            find_known({observer, context});
                                          });
}

// Addresses -> sharer sets, graph and figures.
void FindLocality(const KernelLaunch& launch, const DeviceMemory& memory,
                  const AnalysisRequest& request, std::unique_ptr<replay::Traces>* traces,
                  LaunchAnalysis& result) {
  Begin(request, "footprints");
  Stopwatch watch;
  FootprintRequest footprints;
  footprints.by_warp = request.by_warp;
  KnownAccesses known;
  *traces = FindTraces(launch, request, result.addresses, &known);
  if (request.known_data != nullptr) {
    footprints.known = &known;
    result.seconds.execution = watch.Lap();
  }
  result.footprints = FindFootprints(result.addresses, launch, footprints);
  result.sharers = FindSharers(result.footprints, request.granularity);
  if (request.policy->TimedWeights()) {
    // Of a group of as many TBs as an SM holds, each has a part of the L1 for itself.
    const uint64_t l1_bytes = uint64_t{request.machine->sm.l1.size_kib} * 1024;
    result.timed_sharers = FindTimedSharers(
        static_cast<uint32_t>(launch.TbCount()),
        [&](uint32_t tb) { return (*traces)->LoadsOf(tb); },
        l1_bytes / result.occupancy.tbs_per_sm);
  }
  // The sharer sets are the analysis; the graph is made of them for those who ask for it.
  if (request.wants_graph || request.policy->needs_graph) {
    result.graph = BuildGraph(result.timed_sharers ? *result.timed_sharers : result.sharers);
  }
  result.seconds.graph = watch.Lap();
  result.statistics = Summarize(result.sharers, request.universal);
  if (footprints.by_warp) result.distribution = Distribute(result.sharers);
  result.seconds.statistics += watch.Lap();
  if (request.other_analyses || request.policy->needs_direction) {
    Begin(request, "CTA mapping");
    result.cta_mapping =
        AnalyzeCtaMapping(result.addresses, launch, memory, result.sharers, &result.footprints);
    (request.policy->needs_direction ? result.seconds.graph : result.seconds.cta_mapping) +=
        watch.Lap();
  }
  if (request.other_analyses) {
    result.warp_groups = WarpGroupsOf(result.addresses, launch, *request.machine,
                                      {result.cta_mapping->direction, &*result.cta_mapping});
    result.seconds.cta_mapping += watch.Lap();
  }
}

// By the policy, or LADM's where that is for one node.
Placed PlaceOnNodes(const KernelLaunch& launch, const DeviceMemory& memory,
                    const AnalysisRequest& request, const LaunchAnalysis& result) {
  const NumaConfig& numa = request.machine->numa;
  PlacementInput input = {.nodes = {numa.gpus, numa.chiplets},
                          .page_bytes = numa.page_bytes,
                          .launch = &launch,
                          .memory = &memory,
                          .ladm = &result.ladm,
                          .graph = &result.graph,
                          .of_node = PartitionOfNode(*request.machine, launch, request.seed),
                          .file = request.policy->file};
  Footprints stores;
  if (request.policy->needs_footprints) {
    stores = FindFootprints(result.addresses, launch, {.kind = AccessKind::kStores});
    input.loads = &result.footprints;
    input.stores = &stores;
  }
  const Policy& policy = *request.policy;
  return WhatIsPlaced(
      input, policy.plan == nullptr ? PlanLasp(input) : policy.plan(input, policy.OnlyValue()));
}

}  // namespace

LaunchAnalysis AnalyzeLaunch(const KernelLaunch& launch, const DeviceMemory& memory,
                             const AnalysisRequest& request) {
  LaunchAnalysis result;
  result.occupancy = ComputeOccupancy(*request.machine, launch);

  Begin(request, "addresses");
  Stopwatch watch;
  result.addresses = AnalyzeAddresses(launch, memory);
  result.seconds.addresses = watch.Lap();
  std::unique_ptr<replay::Traces> traces;
  // Who only wants to read the analysis gets what there is; who wants to run it needs the groups.
  const bool handled = launch.TbCount() <= kMaxAnalyzedTbs;
  const bool partitions = request.depth == AnalysisRequest::Depth::kGroups &&
                          request.policy->partition != nullptr && (handled || !request.partial);
  if (request.depth == AnalysisRequest::Depth::kAddresses) {
    // The addresses, found above, are all that is asked for.
  } else if (handled || partitions) {
    FindLocality(launch, memory, request, &traces, result);
  } else {
    result.statistics.tbs = launch.TbCount();
    result.statistics.counted = false;
    result.problems.push_back(
        fmt::format("sharing among {} TBs: the locality analysis handles grids of at most {}",
                    launch.TbCount(), kMaxAnalyzedTbs));
  }
  watch.Lap();
  if (partitions) {
    Begin(request, "groups");
    const PartitionRequest partition = MakePartitionRequest(request, result.occupancy);
    result.groups = request.policy->Groups(MakePartitionInput(launch, result, request), partition);
    if (request.policy->may_fall_back) {
      TbGroups chunks = GroupsOfChunks(launch.grid, partition);
      TbGroups rb = FindPolicy("rb").Groups(MakePartitionInput(launch, result, request), partition);
      const GroupCandidate candidates[] = {
          {"bisect", &result.groups}, {"rb", &rb}, {"chunk", &chunks, /*queued=*/false}};
      result.prediction = PredictGroups(traces.get(), memory, candidates, *request.machine);
      if (result.prediction->runs == "chunk") result.groups = std::move(chunks);
      if (result.prediction->runs == "rb") result.groups = std::move(rb);
    }
    result.seconds.partition = watch.Lap();
    CheckCoversOnce(result.groups, static_cast<uint32_t>(launch.TbCount()));
    result.kept_weight = KeptWeight(result.sharers, result.groups);
    result.union_ratio = UnionRatio(result.sharers, result.groups);
    result.seconds.statistics += watch.Lap();
  }
  if (request.other_analyses) {
    watch.Lap();
    Begin(request, "coalescing");
    result.coalescing = AnalyzeCoalescing(result.addresses, launch);
    result.seconds.coalescing = watch.Lap();
    Begin(request, "LADM");
    const NumaConfig& numa = request.machine->numa;
    if (numa.Nodes() == 1) {  // the paper's
      result.ladm = AnalyzeLadm(result.addresses, launch, memory);
    } else {
      result.ladm = AnalyzeLadm(result.addresses, launch, memory,
                                {.nodes = numa.Nodes(), .page_bytes = numa.page_bytes});
      result.placed = PlaceOnNodes(launch, memory, request, result);
    }
    result.seconds.ladm = watch.Lap();
  }
  return result;
}

}  // namespace flagstone
