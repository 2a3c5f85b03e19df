#include "flow/run.h"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/stopwatch.h"
#include "flow/analyze.h"
#include "flow/checkpoint.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/simt/value_slice.h"
#include "launch/launch_sequence.h"
#include "systemc/bodies/lockstep_mismatch.h"
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

uint64_t ConfigHash(const RunRequest& request) {
  Fnv1a hash;
  hash.Add(fmt::format("{}\npolicy={}\nwarp_scheduler={}\nprefetcher={}\nseed={}\ncold={}\n",
                       request.machine.Canonical(), request.policy->name, request.warp_scheduler,
                       request.prefetcher, request.seed, request.cold_l2));
  if (request.known_data) hash.Add(std::string_view("data=known\n"));
  return hash.Value();
}

void RequireValuesForChecks(const Workload& workload, const RunRequest& request) {
  if (request.values == Values::kFull || request.skip_checks || workload.checks.empty()) return;
  ThrowBadInput(
      "{}: the check of buffer '{}' needs the values that a slice leaves out: expected "
      "'--no-check' with '--values slice'",
      workload.path.string(), workload.checks.front().buffer);
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

// Executes one launch without timing: only the counts of instructions and TBs are known then.
LaunchStatistics Execute(const KernelLaunch& launch, DeviceMemory* memory) {
  const FunctionalCounts counts = RunFunctionally(launch, memory);
  LaunchStatistics statistics;
  statistics.warp_instructions = counts.warp_instructions;
  statistics.thread_instructions = counts.thread_instructions;
  statistics.tb.count = statistics.tb.issued = statistics.tb.completed = launch.TbCount();
  return statistics;
}

// A lockstep difference is simulated again, from the same memory, to write the wave before it.
SimulationResult SimulateWithWaveOfMismatch(const SimulationRequest& request,
                                            const std::string& wave_file) {
  if (request.engine != Engine::kLockstep) return flagstone::Simulate(request);
  const DeviceMemory before = *request.memory;
  try {
    return flagstone::Simulate(request);
  } catch (const LockstepMismatch& mismatch) {
    RethrowWithWave(mismatch, wave_file, [&](const WaveRequest& wave) {
      *request.memory = before;
      SimulationRequest again = request;
      again.wave = wave;
      again.timeline = nullptr;
      again.load_logs = nullptr;
      flagstone::Simulate(again);
    });
  }
}

// Analyses, where the policy asks for it, and simulates one launch.
LaunchStatistics Simulate(const RunRequest& request, const KernelLaunch& launch,
                          const std::string& wave_file, uint64_t launches, DeviceMemory* memory,
                          LaunchResult* launch_result, RunResult* result) {
  SimulationRequest simulation;
  simulation.machine = &request.machine;
  simulation.launch = &launch;
  simulation.memory = memory;
  simulation.dispatcher = request.policy->dispatcher;
  simulation.warp_scheduler = request.warp_scheduler;
  simulation.prefetcher = request.prefetcher;
  simulation.engine = request.engine;
  simulation.max_cycles = request.max_cycles;
  simulation.threads = request.threads;
  simulation.cold_l2 = request.cold_l2;
  simulation.miss_classes = request.miss_classes;
  simulation.wave = request.wave;
  simulation.wave.file = wave_file;
  simulation.timeline = request.timeline;
  if (request.load_logs != nullptr) simulation.load_logs = &request.load_logs->emplace_back();
  if (request.progress) {
    simulation.progress = [&request, result, launches](Progress progress) {
      progress.launch = result->launches.size();
      progress.launches = launches;
      request.progress(progress);
    };
  }
  simulation.interrupted = request.interrupted;
  SettingsInput settings = {.parameter = request.policy->parameter.value};
  if (request.policy->NeedsAnalysis()) {
    AnalysisRequest analysis_request;
    analysis_request.machine = &request.machine;
    analysis_request.policy = request.policy;
    analysis_request.seed = request.seed;
    DeviceMemory data;
    if (request.known_data) {
      data = *memory;
      analysis_request.known_data = &data;
    }
    LaunchAnalysis analysis = AnalyzeLaunch(launch, *memory, analysis_request);
    launch_result->analysis = AnalysisSummary{
        .tbs = analysis.statistics.tbs,
        .edges = analysis.statistics.edges,
        .parts = analysis.groups.groups.size(),
        .kept_weight = analysis.kept_weight,
        .union_ratio = analysis.union_ratio,
        .fills = std::nullopt,
    };
    if (request.l1_fills && request.policy->RunsGroups()) {
      launch_result->analysis->fills =
          FindL1Fills(analysis, launch, request.machine.sm.l1,
                      MakePartitionRequest(analysis_request, analysis.occupancy));
    }
    result->host.analysis_seconds += analysis.seconds.Total();
    simulation.groups = std::move(analysis.groups);
    if (analysis.cta_mapping) settings.direction = analysis.cta_mapping->direction;
  }
  if (request.policy->settings != nullptr) {
    simulation.settings = [policy = request.policy, settings](const TbLaunchShape& shape) {
      return policy->settings(shape, settings);
    };
  }
  SimulationResult simulated =
      SimulateWithWaveOfMismatch(simulation, fmt::format("lockstep-{}.fst", result->workload));
  launch_result->occupancy = std::move(simulated.occupancy);
  launch_result->load_prefetches = std::move(simulated.load_prefetches);
  result->blocks = std::move(simulated.blocks);
  result->lockstep_cycles += simulated.lockstep_cycles;
  result->interrupted = simulated.interrupted;
  return simulated.statistics;
}

}  // namespace

std::string_view ToString(Values values) { return values == Values::kSlice ? "slice" : "full"; }

bool RunResult::ChecksPassed() const {
  return std::all_of(checks.begin(), checks.end(), [](const CheckResult& c) { return c.passed; });
}

double RunResult::Ipc(const LaunchStatistics& statistics) {
  if (statistics.cycles == 0) return 0;
  return static_cast<double>(statistics.thread_instructions) /
         static_cast<double>(statistics.cycles);
}

RunResult RunWorkload(const RunRequest& request) {
  Stopwatch watch;
  const double cpu_start = CpuSeconds();
  const Workload workload =
      Workload::Load(FindWorkload(request.workload), request.size, request.files);
  RequireReferences(workload, References());
  RequireValuesForChecks(workload, request);
  BoundWorkload bound = Bind(workload);
  if (request.values == Values::kSlice) LeaveOutValues(&bound);

  RunResult result;
  result.workload = workload.name;
  result.size = request.size;
  result.machine = request.machine.name;
  result.policy = request.policy->name;
  result.warp_scheduler =
      request.warp_scheduler.empty() ? request.machine.sm.warp_scheduler : request.warp_scheduler;
  result.prefetcher =
      request.prefetcher.empty() ? request.machine.sm.prefetcher : request.prefetcher;
  result.engine = request.functional ? "functional" : ToString(request.engine);
  result.seed = request.seed;
  result.config_hash = ConfigHash(request);
  result.input_hash = workload.input_hash;
  result.values = request.values;
  result.miss_classes = request.miss_classes;
  result.checks_skipped = request.skip_checks && !workload.checks.empty();

  LaunchSequence sequence(&bound);
  if (!request.resume.empty()) {
    LoadCheckpoint(request.resume, request, &result, &sequence, &bound.memory);
  }
  while (const KernelLaunch* launch = sequence.Next()) {
    LaunchResult launch_result;
    launch_result.entry = launch->kernel->name;
    launch_result.grid = launch->grid;
    launch_result.block = launch->block;
    launch_result.statistics =
        request.functional ? Execute(*launch, &bound.memory)
                           : Simulate(request, *launch,
                                      NumberedFile(request.wave.file, result.launches.size(),
                                                   bound.RunsSeveral() ? 2 : 1),
                                      sequence.Count(), &bound.memory, &launch_result, &result);
    result.totals += launch_result.statistics;
    result.launches.push_back(std::move(launch_result));
    if (result.interrupted) break;
    if (!request.checkpoint.empty()) {
      SaveCheckpoint(request.checkpoint, request, result, sequence, bound.memory);
    }
  }
  if (!result.interrupted) {
    if (request.engine == Engine::kLockstep && !request.functional && result.lockstep_cycles == 0) {
      ThrowRunFailed("lockstep compared nothing: no block of this run has both bodies");
    }
    if (!request.skip_checks) {
      result.checks = RunChecks(workload, bound.memory, References());
    }
  }
  result.host.seconds = watch.Lap();
  result.host.cpu_seconds = CpuSeconds() - cpu_start;
  result.host.kernel_and_jit_seconds =
      result.host.analysis_seconds +
      static_cast<double>(result.totals.cycles) / (request.machine.clock.core * 1e6);
  result.host.peak_rss_bytes = PeakRssBytes();
  return result;
}

}  // namespace flagstone
