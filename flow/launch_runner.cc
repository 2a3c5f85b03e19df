#include "flow/launch_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/indirect_loads.h"
#include "analyzer/ladm/ladm.h"
#include "analyzer/placement/placement.h"
#include "base/clocked.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupts.h"
#include "base/stopwatch.h"
#include "flow/analyze.h"
#include "flow/known_data.h"
#include "flow/l1_fills.h"
#include "flow/tb_fit.h"
#include "flow/warp_groups.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/occupancy.h"
#include "ptx/kernel.h"
#include "systemc/cosim/lockstep_mismatch.h"
#include "systemc/cosim/wave_file.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

// `index`: launches before this one; `count`: of the run.
FunctionalControl ControlOf(const RunOptions& options, const KernelLaunch& launch, uint64_t index,
                            uint64_t count) {
  FunctionalControl control;
  control.turn = 1;
  control.max_warp_instructions = options.max_instructions;
  control.interrupted = options.interrupted;
  if (!options.progress) return control;
  control.progress = [&options, &launch, index, count](const FunctionalCounts& counts) {
    options.progress({.launch = index,
                      .launches = count,
                      .tbs_completed = counts.tbs,
                      .tbs = launch.TbCount(),
                      .warp_instructions = counts.warp_instructions});
  };
  return control;
}

// Simulates the launch once more, from the same memory, for its wave alone.
void SimulateForWave(const RunOptions& options, LaunchRequest request, const WaveRequest& wave) {
  KernelLaunch launch = *request.launch;
  launch.findings = nullptr;  // they are known already
  request.launch = &launch;
  RunOptions again = options;
  again.wave = wave;
  again.wave_on = {};
  again.detail = again.load_logs = false;
  Simulate(again, request);
}

// A lockstep difference is simulated again, from the same memory, to write the wave before it.
SimulationResult SimulateWithWaveOfMismatch(const RunOptions& options, const LaunchRequest& request,
                                            const std::string& wave_file) {
  if (options.engine != Engine::kLockstep) return Simulate(options, request);
  const bool asked = options.wave_on.event == WaveEvent::kMismatch;
  const DeviceMemory before = *request.memory;
  RunOptions first = options;
  if (asked) first.wave = {};
  try {
    return Simulate(first, request);
  } catch (const LockstepMismatch& mismatch) {
    RethrowWithWave(
        mismatch, asked ? options.wave.file : wave_file,
        [&](const WaveRequest& wave) {
          *request.memory = before;
          SimulateForWave(options, request, wave);
        },
        asked ? options.wave_on.before + 1 : kLockstepWaveCycles);
  }
}

// Where a wave begins at an event, the launch is simulated whole without one, and once more, from
// the same memory, up to the end of the window that the event gives.
SimulationResult SimulateWithWaveOfEvent(const RunOptions& options, const LaunchRequest& request,
                                         const std::string& mismatch_file) {
  const DeviceMemory before = *request.memory;
  RunOptions first = options;
  first.wave = {};
  SimulationResult result = SimulateWithWaveOfMismatch(first, request, mismatch_file);
  if (!result.event) return result;
  WaveRequest wave = options.wave;
  const uint64_t cycle = result.event->cycle;
  wave.from = cycle - std::min(cycle, options.wave_on.before);
  wave.to = cycle + std::min(options.wave_on.after, kNever - 1 - cycle);
  if (wave.scope.empty()) wave.scope = {result.event->path};
  DeviceMemory memory = before;
  LaunchRequest again = request;
  again.memory = &memory;
  again.counters = nullptr;
  again.stop_cycle = wave.to + 1;
  SimulateForWave(first, again, wave);
  return result;
}

// Analyses a launch and gives its simulation what the policy makes of it.
AnalysisSummary Analyze(const RunOptions& options, const Policy& policy, LaunchRequest* request,
                        SettingsInput* settings, double* seconds) {
  AnalysisRequest analysis_request;
  analysis_request.machine = &options.machine;
  analysis_request.policy = &policy;
  analysis_request.seed = options.seed;
  DeviceMemory data;
  if (options.known_data) {
    data = *request->memory;
    analysis_request.known_data = &data;
    analysis_request.execution =
        ControlOf(options, *request->launch, request->index, request->count);
  }
  const KernelLaunch& launch = *request->launch;
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
    settings->fitting_tbs = std::min(summary.fit->tbs, policy.parameters.front().high);
  }
  *seconds += analysis.seconds.Total();
  if (analysis.prediction) {
    const Policy& runs = FindPolicy(analysis.prediction->runs);
    if (!runs.RunsGroups()) {
      request->tb_scheduler = runs.tb_scheduler;
      analysis.groups = {};
    }
    if (runs.settings != nullptr) {
      request->settings = [&runs](const TbLaunchShape& shape) { return runs.settings(shape, {}); };
    }
  }
  request->groups = std::move(analysis.groups);
  if (analysis.cta_mapping) settings->direction = analysis.cta_mapping->direction;
  return summary;
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
      sharers = FindSharers(loads, Granularity::kElement);
      graph = BuildGraph(sharers);
      input.graph = &graph;
    }
  }
  NodePlan plan = policy.plan(input, policy.OnlyValue());
  if (policy.needs_graph) *summary = SummaryOf(plan, sharers, graph);
  *seconds += watch.Lap();
  return plan;
}

// TBs that wait for one another must all be there.
void CheckResident(const MachineConfig& machine, const KernelLaunch& launch) {
  const uint64_t together = launch.kernel->syncs_grid ? launch.TbCount() : launch.cluster.Count();
  if (together == 1) return;
  const uint64_t most = uint64_t{ComputeOccupancy(machine, launch).tbs_per_sm} * machine.sm.count;
  if (together <= most) return;
  ThrowBadInput(
      "kernel '{}': {} TBs {}, but machine '{}' holds {} at once", launch.kernel->name, together,
      launch.kernel->syncs_grid ? "of a cooperative launch wait for one another" : "are a cluster",
      machine.name, most);
}

}  // namespace

LaunchRunner::LaunchRunner(const RunOptions& options, const Policy& policy, bool several,
                           RunRecord* record)
    : options_(options),
      policy_(policy),
      several_(several),
      record_(record),
      pages_(options.machine.numa) {
  if (options.detail) record->counters.emplace(options.machine.sm.count);
}

LaunchRecord LaunchRunner::Execute(const KernelLaunch& launch, uint64_t count,
                                   DeviceMemory* memory) {
  const StopsEarly stops;
  const FunctionalCounts counts =
      RunFunctionally(launch, memory, nullptr, nullptr, ControlOf(options_, launch, index_, count));
  ++index_;
  record_->interrupted = counts.interrupted;
  LaunchRecord record;
  record.entry = launch.kernel->name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.statistics.warp_instructions = counts.warp_instructions;
  record.statistics.thread_instructions = counts.thread_instructions;
  record.statistics.tb.count = launch.TbCount();
  record.statistics.tb.issued = record.statistics.tb.completed = counts.tbs;
  return record;
}

LaunchRecord LaunchRunner::Run(const KernelLaunch& launch, uint64_t count, DeviceMemory* memory) {
  CheckResident(options_.machine, launch);
  LaunchRequest request;
  request.launch = &launch;
  request.memory = memory;
  if (order_) request.order = order_(launch);
  request.tb_scheduler = policy_.tb_scheduler;
  request.steal_rule = policy_.Stealing();
  request.index = index_;
  request.count = count;
  request.first_cycle = record_->totals.cycles;
  if (record_->counters) request.counters = &*record_->counters;
  if (options_.PrefetcherName() != kNoPrefetcher ||
      FindWarpScheduler(options_.WarpSchedulerName()).knows_leading) {
    request.indirect_loads = IndirectLoads(launch, *memory);
  }
  if (FindWarpScheduler(options_.WarpSchedulerName()).takes_group_sizes) {
    request.group_sizes = GroupSizesOf(launch, *memory, policy_, options_.machine);
  }
  std::optional<AnalysisSummary> analysis;
  if (policy_.plan != nullptr) {
    request.plan = Plan(options_, policy_, request, &analysis, &record_->host.analysis_seconds);
    request.pages = &pages_;
    pages_.Place(*memory, request.plan);
  }
  const bool keeps = options_.machine.l2.between_launches == BetweenLaunches::kKeep;
  if (keeps && !options_.cold_l2) request.l2 = &caches_.l2;
  if (options_.machine.sm.read_only_caches == ReadOnlyCaches::kKeep) {
    request.read_only = &caches_.read_only;
    LoadCode(*launch.kernel);
    request.code_offset = code_at_.at(launch.kernel);
  }
  SettingsInput settings = {.parameter = policy_.OnlyValue()};
  if (policy_.NeedsAnalysis()) {
    analysis = Analyze(options_, policy_, &request, &settings, &record_->host.analysis_seconds);
  }
  if (policy_.settings != nullptr) {
    request.settings = [this, settings](const TbLaunchShape& shape) {
      return policy_.settings(shape, settings);
    };
  }
  RunOptions options = options_;
  const StopsEarly stops;
  SimulationResult result = Simulate(&options, request);
  ++index_;
  ThrowWaveError();
  result.launch.analysis = analysis;
  if (options_.detail) AddKernel(*launch.kernel);
  record_->blocks = std::move(result.blocks);
  record_->lockstep_cycles += result.lockstep_cycles;
  record_->interrupted = result.interrupted;
  return std::move(result.launch);
}

// A kernel begins with a line of its own.
void LaunchRunner::LoadCode(const ptx::Kernel& kernel) {
  if (!code_at_.try_emplace(&kernel, code_end_).second) return;
  const uint64_t bytes = kernel.instructions.size() * options_.machine.sm.instruction_bytes;
  code_end_ += (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
}

void LaunchRunner::AddKernel(const ptx::Kernel& kernel) {
  for (const KernelListing& known : record_->kernels) {
    if (known.entry == kernel.name) return;
  }
  KernelListing text = {kernel.name, {}, {}};
  for (const ptx::Instruction& instruction : kernel.instructions) {
    text.lines.push_back(static_cast<uint32_t>(instruction.location.line));
    text.texts.push_back(instruction.text);
  }
  record_->kernels.push_back(std::move(text));
}

SimulationResult LaunchRunner::Simulate(RunOptions* options, const LaunchRequest& request) {
  const bool at_event = options->wave_on.event == WaveEvent::kSteal ||
                        options->wave_on.event == WaveEvent::kFirstPrefetch;
  const std::string mismatch_file = fmt::format("lockstep-{}.fst", record_->workload);
  if (at_event && !record_->wave_event) {
    SimulationResult result = SimulateWithWaveOfEvent(*options, request, mismatch_file);
    if (result.event) {
      record_->wave_event = {result.event->path, request.index, result.event->cycle};
    }
    return result;
  }
  if (at_event) {
    options->wave = {};
    options->wave_on = {};
  } else {
    options->wave.file = NumberedFile(options->wave.file, request.index, several_ ? 2 : 1);
  }
  return SimulateWithWaveOfMismatch(*options, request, mismatch_file);
}

}  // namespace flagstone
