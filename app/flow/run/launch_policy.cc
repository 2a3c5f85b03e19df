#include "app/flow/run/launch_policy.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/ladm/ladm.h"
#include "analyzer/placement/placement.h"
#include "app/flow/analyse/analyze.h"
#include "app/flow/analyse/known_data.h"
#include "app/flow/analyse/l1_fills.h"
#include "app/flow/analyse/tb_fit.h"
#include "app/flow/run/execution_control.h"
#include "app/policy/policies.h"
#include "base/stopwatch.h"

namespace flagstone {
namespace {

// Analyses a launch, as far as the policy needs it.
LaunchFindings Analyze(const RunOptions& options, const Policy& policy,
                       const LaunchRequest* request, double* seconds) {
  AnalysisRequest analysis_request;
  analysis_request.machine = &options.machine;
  analysis_request.policy = &policy;
  analysis_request.number = request->number;
  analysis_request.seed = options.seed;
  analysis_request.universal = Universal::kCounted;  // as PAVER's Table 2 does
  DeviceMemory data;
  if (options.known_data) {
    data = *request->memory;
    analysis_request.known_data = &data;
    analysis_request.execution =
        ControlOf(options, *request->launch, request->index, request->count);
  }
  // What its execution finds is the simulation's to say.
  KernelLaunch launch = *request->launch;
  launch.findings = nullptr;
  LaunchAnalysis analysis = AnalyzeLaunch(launch, *request->memory, analysis_request);
  AnalysisSummary summary = {.tbs = analysis.statistics.tbs,
                             .edges = analysis.statistics.edges,
                             .parts = analysis.groups.groups.size(),
                             .kept_weight = analysis.kept_weight,
                             .union_ratio = analysis.union_ratio,
                             .fills = std::nullopt,
                             .prediction = analysis.prediction};
  if (options.l1_fills && policy.RunsGroups()) {
    summary.fills = FindL1Fills(analysis, launch, options.machine.sm.l1,
                                MakePartitionRequest(analysis_request, analysis.occupancy));
  }
  if (policy.NeedsFit()) {
    summary.fit = FindTbFit(analysis, launch.TbCount(), options.machine.sm.l1);
  }
  *seconds += analysis.seconds.Total();
  LaunchFindings findings = {std::move(summary), std::move(analysis.groups), {}};
  if (analysis.cta_mapping) findings.direction = analysis.cta_mapping->direction;
  return findings;
}

// Whether it may have ended early, so that what it found is not all.
bool WasStopped(const RunOptions& options) {
  return options.interrupted != nullptr && options.interrupted->load();
}

// What an earlier run has found of the launch, or what is found now, and kept for later runs. Adds
// the time that it took to find out which.
StoredFindings TakeOrAnalyze(const RunOptions& options, const Policy& policy,
                             const LaunchRequest* request, std::optional<AnalysisStore>* store,
                             double* lookup_seconds) {
  Stopwatch watch;
  std::string name;
  if (*store) {
    name = (*store)->NameOf(*request->launch, *request->memory);
    std::optional<StoredFindings> found = (*store)->Get(name);
    *lookup_seconds += watch.Lap();
    if (found) return std::move(*found);
  }
  StoredFindings made;
  made.findings = Analyze(options, policy, request, &made.seconds);
  if (*store && !WasStopped(options)) (*store)->Put(name, made);
  return made;
}

// The same, but for a launch that is equal to an earlier one of the run. On known data none is.
LaunchFindings FindOrAnalyze(const RunOptions& options, const Policy& policy,
                             const LaunchRequest* request, KnownAnalyses* known,
                             RunRecord::Host* host) {
  Stopwatch watch;
  std::string key;
  if (!options.known_data) {
    key = AnalysisMemo::KeyOf(*request->launch, *request->memory);
    if (policy.takes_file) key += std::to_string(request->number);
    const LaunchFindings* const same = known->memo.Find(key);
    const double seconds = watch.Lap();
    host->lookup_seconds += seconds;
    if (same != nullptr) {
      host->analysis_seconds += seconds;
      return *same;
    }
  }
  double by_name = 0;
  StoredFindings found = TakeOrAnalyze(options, policy, request, &known->store, &by_name);
  host->analysis_seconds += watch.Lap();
  host->jit_seconds += found.seconds;
  if (!options.known_data) return known->memo.Put(key, std::move(found.findings));
  // A launch that comes again is known by its name alone; without a store it is analysed again.
  host->lookup_seconds += known->store ? by_name : found.seconds;
  return std::move(found.findings);
}

// Gives the simulation of a launch what the policy makes of its analysis.
AnalysisSummary Apply(const Policy& policy, LaunchFindings findings, LaunchRequest* request,
                      SettingsInput* settings) {
  AnalysisSummary& summary = findings.summary;
  if (summary.fit) {
    settings->fitting_tbs = std::min(summary.fit->tbs, policy.parameters.front().high);
  }
  if (summary.prediction) {
    const Policy& runs = FindPolicy(summary.prediction->runs);
    if (!runs.RunsGroups()) {
      request->tb_scheduler = runs.tb_scheduler;
      findings.groups = {};
    }
    if (runs.settings != nullptr) {
      request->settings = [&runs](const TbLaunchShape& shape) { return runs.settings(shape, {}); };
    }
  }
  request->groups = std::move(findings.groups);
  if (findings.direction) settings->direction = *findings.direction;
  return std::move(summary);
}

// What nodes get of the graph, as if each were a group.
AnalysisSummary SummaryOf(const NodePlan& plan, const SharerSets& sharers,
                          const LocalityGraph& graph) {
  TbGroups nodes;
  for (const TbGroups& queue : plan.queues) {
    std::vector<uint32_t> tbs;
    for (const auto& group : queue.groups) tbs.insert(tbs.end(), group.begin(), group.end());
    if (!tbs.empty()) nodes.groups.push_back(std::move(tbs));
  }
  return {.tbs = graph.tb_count,
          .edges = graph.EdgeCount(),
          .parts = nodes.groups.size(),
          .kept_weight = KeptWeight(graph, nodes),
          .union_ratio = UnionRatio(sharers, nodes),
          .fills = std::nullopt};
}

// Where TBs and pages go on a machine of several nodes; the summary where they go by a graph.
NodePlan Plan(const RunOptions& options, const Policy& policy, const LaunchRequest& request,
              std::optional<AnalysisSummary>* summary, double* seconds) {
  Stopwatch watch;
  const KernelLaunch& launch = *request.launch;
  const NumaConfig& numa = options.machine.numa;
  PlacementInput input = {.nodes = ShapeOf(numa),
                          .page_bytes = numa.page_bytes,
                          .launch = request.launch,
                          .memory = request.memory,
                          .of_node = PartitionOfNode(options.machine, launch, options.seed),
                          .file = policy.file};
  LadmAnalysis ladm;
  Footprints loads, stores;
  SharerSets sharers;
  LocalityGraph graph;
  if (policy.needs_ladm) {
    const AddressAnalysis addresses = AnalyzeAddresses(launch, *request.memory);
    ladm = AnalyzeLadm(addresses, launch, *request.memory,
                       {.nodes = numa.Nodes(), .page_bytes = numa.page_bytes});
    input.ladm = &ladm;
    if (policy.needs_footprints) {
      KnownAccesses known;
      FootprintRequest wanted;
      if (options.known_data) {
        DeviceMemory data = *request.memory;
        known = ExecuteForAddresses(addresses, launch, &data, /*by_warp=*/false,
                                    ControlOf(options, launch, request.index, request.count));
        wanted.known = &known;
      }
      loads = FindFootprints(addresses, launch, wanted);
      stores = FindFootprints(addresses, launch, {.kind = AccessKind::kStores});
      input.loads = &loads;
      input.stores = &stores;
    }
    if (policy.needs_graph) {
      sharers = policy.OnlyValue() != 0
                    ? FindPageSharers(loads, stores, *request.memory, numa.page_bytes)
                    : FindSharers(loads, Granularity::kByte);
      graph = BuildGraph(sharers);
      input.graph = &graph;
    }
  }
  NodePlan plan = policy.plan(input, policy.OnlyValue());
  if (policy.needs_graph) *summary = SummaryOf(plan, sharers, graph);
  *seconds += watch.Lap();
  return plan;
}

}  // namespace

std::optional<AnalysisSummary> ApplyPolicy(const RunOptions& options, const Policy& policy,
                                           KnownAnalyses* known, LaunchRequest* request,
                                           RunRecord::Host* host) {
  request->tb_scheduler = policy.tb_scheduler;
  request->steal_rule = policy.Stealing();
  std::optional<AnalysisSummary> summary;
  if (policy.plan != nullptr) {
    double seconds = 0;
    request->plan = Plan(options, policy, *request, &summary, &seconds);
    host->analysis_seconds += seconds;
    host->jit_seconds += seconds;
    host->lookup_seconds += seconds;  // it is made anew each time
  }
  SettingsInput settings = {.parameter = policy.OnlyValue()};
  if (policy.NeedsAnalysis()) {
    summary =
        Apply(policy, FindOrAnalyze(options, policy, request, known, host), request, &settings);
  }
  if (policy.settings != nullptr) {
    request->settings = [&policy, settings](const TbLaunchShape& shape) {
      return policy.settings(shape, settings);
    };
  }
  return summary;
}

}  // namespace flagstone
