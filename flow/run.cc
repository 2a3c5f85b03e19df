#include "flow/run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/indirect_loads.h"
#include "base/clocked.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/interrupts.h"
#include "base/stopwatch.h"
#include "flow/analyze.h"
#include "flow/checkpoint.h"
#include "flow/l1_fills.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/value_slice.h"
#include "launch/launch_sequence.h"
#include "ptx/kernel.h"
#include "systemc/cosim/lockstep_mismatch.h"
#include "systemc/cosim/wave_file.h"
#include "systemc/simulation.h"
#include "workloads/reference.h"

namespace flagstone {
namespace {

double CpuSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t PeakRssBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

uint64_t ConfigHash(const RunOptions& options) {
  Fnv1a hash;
  hash.Add(fmt::format("{}\npolicy={}\nwarp_scheduler={}\nprefetcher={}\nseed={}\ncold={}\n",
                       options.machine.Canonical(), options.policy, options.warp_scheduler,
                       options.prefetcher, options.seed, options.cold_l2));
  if (options.known_data) hash.Add(std::string_view("data=known\n"));
  return hash.Value();
}

void RequireValuesForChecks(const Workload& workload, const RunOptions& options) {
  if (options.values == Values::kFull || options.skip_checks || workload.checks.empty()) return;
  ThrowBadInput(
      "{}: the check of buffer '{}' needs the values that a slice leaves out: expected "
      "'--no-check' with '--values slice'",
      workload.path.string(), workload.checks.front().buffer);
}

void RequireBuffers(const Workload& workload, const std::vector<BufferDump>& dumps) {
  for (const BufferDump& dump : dumps) {
    if (workload.FindBuffer(dump.buffer) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const BufferSpec& buffer : workload.buffers) names.push_back(buffer.name);
    ThrowBadInput("--dump-buffer: unknown buffer '{}': expected one of {}", dump.buffer,
                  fmt::join(names, ", "));
  }
}

// A checkpoint holds no L2.
void RequireNoCheckpoint(const RunOptions& options) {
  const bool keeps = options.machine.l2.between_launches == BetweenLaunches::kKeep;
  if (!keeps || (options.checkpoint.empty() && options.resume.empty())) return;
  ThrowBadInput("{} with l2.between_launches = \"keep\": a checkpoint does not hold the L2",
                options.checkpoint.empty() ? "--resume" : "--checkpoint");
}

// The host reads the flags of loops itself.
void LeaveOutValues(BoundWorkload* bound) {
  std::vector<std::string> flags;
  for (const LaunchLoop& loop : bound->loops) {
    if (!loop.until_zero.empty()) flags.push_back(loop.until_zero);
  }
  const auto needed = FindNeededValues(bound->launches, bound->memory, flags);
  for (size_t i = 0; i < needed.size(); ++i) bound->launches[i].needed_values = needed[i];
}

// `index`: launches before this one; `count`: of the run.
FunctionalControl ControlOf(const RunOptions& options, const KernelLaunch& launch, uint64_t index,
                            uint64_t count) {
  FunctionalControl control;
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

// Executes one launch without timing: only the counts of instructions and TBs are known then.
LaunchRecord Execute(const RunOptions& options, const KernelLaunch& launch, uint64_t count,
                     DeviceMemory* memory, RunRecord* run) {
  const StopsEarly stops;
  const FunctionalCounts counts = RunFunctionally(
      launch, memory, nullptr, nullptr, ControlOf(options, launch, run->launches.size(), count));
  run->interrupted = counts.interrupted;
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
                             .fills = std::nullopt};
  if (options.l1_fills && policy.RunsGroups()) {
    summary.fills = FindL1Fills(analysis, launch, options.machine.sm.l1,
                                MakePartitionRequest(analysis_request, analysis.occupancy));
  }
  *seconds += analysis.seconds.Total();
  request->groups = std::move(analysis.groups);
  if (analysis.cta_mapping) settings->direction = analysis.cta_mapping->direction;
  return summary;
}

// Where TBs and pages go on a machine of several nodes.
NodePlan Plan(const RunOptions& options, const Policy& policy, const LaunchRequest& request,
              double* seconds) {
  Stopwatch watch;
  const NumaConfig& numa = options.machine.numa;
  PlacementInput input = {.nodes = ShapeOf(numa),
                          .page_bytes = numa.page_bytes,
                          .launch = request.launch,
                          .memory = request.memory};
  LadmAnalysis ladm;
  if (policy.needs_ladm) {
    const AddressAnalysis addresses = AnalyzeAddresses(*request.launch, *request.memory);
    ladm = AnalyzeLadm(addresses, *request.launch, *request.memory,
                       {.nodes = numa.Nodes(), .page_bytes = numa.page_bytes});
    input.ladm = &ladm;
  }
  NodePlan plan = policy.plan(input, policy.parameter.value);
  *seconds += watch.Lap();
  return plan;
}

// The launches of a run, one after another.
class Runner {
 public:
  Runner(const RunOptions& options, const Policy& policy, const BoundWorkload& bound,
         const OrderOfLaunch& order, RunRecord* record)
      : options_(options),
        policy_(policy),
        order_(order),
        several_(bound.RunsSeveral()),
        record_(record),
        pages_(options.machine.numa) {
    if (options.detail) record->counters.emplace(options.machine.sm.count);
  }

  // Analyses, where the policy asks for it, and simulates a launch; `count`: of the run.
  LaunchRecord Run(const KernelLaunch& launch, uint64_t count, DeviceMemory* memory) {
    LaunchRequest request;
    request.launch = &launch;
    request.memory = memory;
    if (order_) request.order = order_(launch);
    request.tb_scheduler = policy_.tb_scheduler;
    request.index = record_->launches.size();
    request.count = count;
    request.first_cycle = record_->totals.cycles;
    if (record_->counters) request.counters = &*record_->counters;
    if (options_.PrefetcherName() != kNoPrefetcher) {
      request.indirect_loads = IndirectLoads(launch, *memory);
    }
    if (policy_.plan != nullptr) {
      request.plan = Plan(options_, policy_, request, &record_->host.analysis_seconds);
      request.pages = &pages_;
      pages_.Place(*memory, request.plan);
    }
    const bool keeps = options_.machine.l2.between_launches == BetweenLaunches::kKeep;
    if (keeps && !options_.cold_l2) request.l2 = &l2_;
    SettingsInput settings = {.parameter = policy_.parameter.value};
    std::optional<AnalysisSummary> analysis;
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
    ThrowWaveError();
    result.launch.analysis = analysis;
    if (options_.detail) AddKernel(*launch.kernel);
    record_->blocks = std::move(result.blocks);
    record_->lockstep_cycles += result.lockstep_cycles;
    record_->interrupted = result.interrupted;
    return std::move(result.launch);
  }

  PageTable* pages() { return &pages_; }

 private:
  void AddKernel(const ptx::Kernel& kernel) {
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

  const RunOptions& options_;
  const Policy& policy_;
  const OrderOfLaunch& order_;  // may be none
  // With the wave that the options ask for; the first event of the run takes it.
  SimulationResult Simulate(RunOptions* options, const LaunchRequest& request) {
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

  bool several_;
  RunRecord* record_;
  PageTable pages_;           // of several nodes
  std::vector<TagArray> l2_;  // of BetweenLaunches::kKeep
};

// What is known of a run before its first launch.
RunRecord Begin(const RunOptions& options, const Workload& workload) {
  RunRecord record;
  record.workload = workload.name;
  record.size = options.size;
  record.machine = options.machine.name;
  record.policy = options.policy;
  record.warp_scheduler = options.WarpSchedulerName();
  record.prefetcher = options.PrefetcherName();
  record.engine = options.functional ? "functional" : ToString(options.engine);
  record.values = ToString(options.values);
  record.seed = options.seed;
  record.config_hash = ConfigHash(options);
  record.input_hash = workload.input_hash;
  record.miss_classes = options.miss_classes;
  record.checks_skipped = options.skip_checks && !workload.checks.empty();
  return record;
}

}  // namespace

RunRecord RunWorkload(const RunOptions& options) {
  FindPolicy(options.policy);  // quicker to find unknown than a workload's fault
  return RunWorkload(options,
                     Workload::Load(FindWorkload(options.workload), options.size, options.files));
}

RunRecord RunWorkload(const RunOptions& options, const Workload& workload) {
  return RunWorkload(options, workload, {});
}

RunRecord RunWorkload(const RunOptions& options, const Workload& workload,
                      const OrderOfLaunch& order) {
  Stopwatch watch;
  const double cpu_start = CpuSeconds();
  const Policy& policy = FindPolicy(options.policy);
  if (!options.functional) RequireFits(policy, options.machine);
  RequireNoCheckpoint(options);
  RequireReferences(workload, References());
  RequireValuesForChecks(workload, options);
  RequireBuffers(workload, options.dumps);
  BoundWorkload bound = Bind(workload);
  if (options.values == Values::kSlice) LeaveOutValues(&bound);

  std::deque<Findings> findings(bound.launches.size());
  for (size_t i = 0; i < findings.size(); ++i) {
    findings[i].wants_races = options.check_races;
    bound.launches[i].findings = &findings[i];
  }
  RunRecord record = Begin(options, workload);
  Runner runner(options, policy, bound, order, &record);
  LaunchSequence sequence(&bound);
  if (!options.resume.empty()) {
    LoadCheckpoint(options.resume, options, &record, &sequence, &bound.memory, runner.pages());
  }
  while (const KernelLaunch* launch = sequence.Next()) {
    record.launches.push_back(
        options.functional ? Execute(options, *launch, sequence.Count(), &bound.memory, &record)
                           : runner.Run(*launch, sequence.Count(), &bound.memory));
    record.totals += record.launches.back().statistics;
    if (record.interrupted) break;
    if (!options.checkpoint.empty()) {
      SaveCheckpoint(options.checkpoint, options, record, sequence, bound.memory, *runner.pages());
    }
  }
  if (!record.interrupted) {
    if (options.engine == Engine::kLockstep && !options.functional && record.lockstep_cycles == 0) {
      ThrowRunFailed("lockstep compared nothing: no block of this run has both bodies");
    }
    if (!options.skip_checks) {
      record.checks = RunChecks(workload, bound.memory, References());
    }
  }
  for (const Findings& of_launch : findings) {
    for (Finding& finding : of_launch.List()) record.findings.push_back(std::move(finding));
  }
  for (const BufferDump& dump : options.dumps) {
    const DeviceMemory::Region& region = bound.memory.Named(dump.buffer);
    const std::byte* const bytes = region.size == 0 ? nullptr : bound.memory.At(region.address);
    WriteFileAtomically(dump.file, {reinterpret_cast<const char*>(bytes), region.size});
  }
  record.host.seconds = watch.Lap();
  record.host.cpu_seconds = CpuSeconds() - cpu_start;
  record.host.kernel_and_jit_seconds =
      record.host.analysis_seconds +
      static_cast<double>(record.totals.cycles) / (options.machine.clock.core * 1e6);
  record.host.peak_rss_bytes = PeakRssBytes();
  return record;
}

}  // namespace flagstone
