#include "app/flow/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "app/flow/run/checkpoint.h"
#include "app/flow/run/launch_runner.h"
#include "app/flow/run/perturbation.h"
#include "app/flow/run/run_head.h"
#include "app/policy/policies.h"
#include "base/error.h"
#include "base/file.h"
#include "gpu_model/simt/value_slice.h"
#include "kernels/launch/launch_sequence.h"
#include "workloads/reference.h"

namespace flagstone {
namespace {

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

// Of a slice: instructions that are timed, and not executed.
void NoteUnexecuted(const BoundWorkload& bound, RunRecord* record) {
  std::set<const ptx::Kernel*> seen;
  for (const KernelLaunch& launch : bound.launches) {
    const ptx::Kernel& kernel = *launch.kernel;
    if (kernel.refusals.empty() || !seen.insert(&kernel).second) continue;
    const ptx::Refusal& first = kernel.refusals.front();
    record->findings.push_back(
        {FindingKind::kUnexecuted, kernel.refusals.size(),
         fmt::format(
             "{}:{}: entry '{}' has instructions that are timed and not executed, '{}' first",
             launch.module->file, first.location.line, kernel.name, first.text)});
  }
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

}  // namespace

RunRecord RunWorkload(const RunOptions& options) {
  FindPolicy(options.policy);  // quicker to find unknown than a workload's fault
  return RunWorkload(options, LoadWorkload(options, PurposeOf(options)));
}

RunRecord RunWorkload(const RunOptions& options, const Workload& workload) {
  return RunWorkload(options, workload, {});
}

RunRecord RunWorkload(const RunOptions& options, const Workload& workload,
                      const OrderOfLaunch& order) {
  RequirePerturbable(options);
  const HostUse host;
  const Policy& policy = FindPolicy(options.policy);
  if (!options.functional) RequireFits(policy, options.machine);
  RequireReferences(workload, References());
  RequireValuesForChecks(workload, options);
  RequireBuffers(workload, options.dumps);
  BoundWorkload bound = Bind(workload, options.buffer_offset);
  if (options.values == Values::kSlice) LeaveOutValues(&bound);

  std::deque<Findings> findings(bound.launches.size());
  for (size_t i = 0; i < findings.size(); ++i) {
    findings[i].wants_races = options.check_races;
    bound.launches[i].findings = &findings[i];
  }
  RunRecord record = BeginRecord(options, workload.name, workload.input_hash);
  record.size = workload.size;
  NoteUnexecuted(bound, &record);
  record.checks_skipped = options.skip_checks && !workload.checks.empty();
  LaunchRunner runner(options, policy, bound.RunsSeveral(), &record);
  runner.SetLaunches(bound.launches);
  if (options.analyses != nullptr) runner.SetStore(*options.analyses, workload.input_hash);
  runner.SetOrder(order);
  for (const KernelLaunch& launch : bound.launches) runner.LoadCode(*launch.kernel);
  LaunchSequence sequence(&bound);
  const RunState state = {&record, &sequence, &bound.memory, runner.pages(), runner.caches()};
  if (!options.resume.empty()) {
    LoadCheckpoint(options.resume, options, state);
    runner.SetIndex(record.launches.size());
  }
  while (const KernelLaunch* launch = sequence.Next()) {
    record.launches.push_back(options.functional
                                  ? runner.Execute(*launch, sequence.Count(), &bound.memory)
                                  : runner.Run(*launch, sequence.Count(), &bound.memory));
    record.totals += record.launches.back().statistics;
    if (record.interrupted) break;
    if (!options.checkpoint.empty()) SaveCheckpoint(options.checkpoint, options, state);
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
  for (const std::string& buffer : workload.UnusedBuffers()) {
    record.findings.push_back(
        {.kind = FindingKind::kUnused,
         .times = 1,
         .text = fmt::format("no kernel takes the buffer '{}': expected it among 'args'", buffer)});
  }
  for (const BufferDump& dump : options.dumps) {
    const DeviceMemory::Region& region = bound.memory.Named(dump.buffer);
    const std::byte* const bytes = region.size == 0 ? nullptr : bound.memory.At(region.address);
    WriteFileAtomically(dump.file, {reinterpret_cast<const char*>(bytes), region.size});
  }
  host.Put(options, &record);
  return record;
}

}  // namespace flagstone
