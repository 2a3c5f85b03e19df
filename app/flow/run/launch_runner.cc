#include "app/flow/run/launch_runner.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "analyzer/address/indirect_loads.h"
#include "app/flow/analyse/warp_groups.h"
#include "app/flow/run/event_wave.h"
#include "app/flow/run/execution_control.h"
#include "app/flow/run/launch_policy.h"
#include "app/flow/sample/sampled_launch.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupts.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/ptx/kernel.h"
#include "systemc/cosim/wave_file.h"
#include "systemc/kept_gpu.h"
#include "systemc/simulation.h"

namespace flagstone {
namespace {

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
  RequireSampleable(options);
  if (options.detail) record->counters.emplace(options.machine.sm.count);
}

LaunchRunner::~LaunchRunner() = default;

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
  request.gpu = &gpu_;
  if (order_) request.order = order_(launch);
  request.number = NumberOf(launch);
  request.index = index_;
  request.count = count;
  request.first_cycle = record_->totals.cycles;
  if (record_->counters) request.counters = &*record_->counters;
  if (options_.machine.sm.prefetcher != kNoPrefetcher ||
      FindWarpScheduler(options_.machine.sm.warp_scheduler).knows_leading) {
    request.indirect_loads = IndirectLoads(launch, *memory);
  }
  if (FindWarpScheduler(options_.machine.sm.warp_scheduler).takes_group_sizes) {
    request.group_sizes = GroupSizesOf(launch, *memory, policy_, options_.machine);
  }
  const bool keeps = options_.machine.l2.between_launches == BetweenLaunches::kKeep;
  if (keeps && !options_.cold_l2) request.l2 = &caches_.l2;
  if (options_.machine.sm.read_only_caches == ReadOnlyCaches::kKeep) {
    request.read_only = &caches_.read_only;
    LoadCode(*launch.kernel);
    request.code_offset = code_at_.at(launch.kernel);
  }
  const std::optional<AnalysisSummary> analysis =
      ApplyPolicy(options_, policy_, &known_, &request, &record_->host);
  if (policy_.plan != nullptr) {
    request.pages = &pages_;
    pages_.Place(*memory, request.plan);
  }
  const StopsEarly stops;
  SimulationResult result = Simulate(request);
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

SimulationResult LaunchRunner::Simulate(const LaunchRequest& request) {
  const WaveEvent event = options_.wave_on.event;
  const bool at_event = event == WaveEvent::kSteal || event == WaveEvent::kFirstPrefetch;
  if (options_.sample_percent != 0) {
    return SimulateSampled(
        options_, request,
        {.percent = options_.sample_percent,
         .execute = !options_.skip_checks,
         .control = ControlOf(options_, *request.launch, request.index, request.count)});
  }
  const std::string mismatch_file = fmt::format("lockstep-{}.fst", record_->workload);
  if (at_event && !record_->wave_event) {
    SimulationResult result = SimulateWithWaveOfEvent(options_, request, mismatch_file);
    if (result.event) {
      record_->wave_event = {result.event->path, request.index, result.event->cycle};
    }
    return result;
  }
  RunOptions options = options_;
  if (at_event) {
    options.wave = {};
    options.wave_on = {};
  } else {
    options.wave.file = NumberedFile(options.wave.file, request.index, several_ ? 2 : 1);
  }
  return SimulateWithWaveOfMismatch(options, request, mismatch_file);
}

}  // namespace flagstone
