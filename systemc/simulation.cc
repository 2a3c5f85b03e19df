#include "systemc/simulation.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "analyzer/partition/tb_queue_image.h"
#include "base/error.h"
#include "gpu_model/sm/sm_core.h"
#include "systemc/bodies/tb_scheduler_factory.h"
#include "systemc/gpu.h"
#include "systemc/run_monitor.h"
#include "systemc/scoped_kernel.h"
#include "systemc/sm_blocks.h"
#include "systemc/timeline.h"

// libsystemc has a main() that calls this one; Flagstone has its own main and starts the kernel
// itself.
int sc_main(int, char*[]) { return 0; }

namespace flagstone {
namespace {

constexpr const char* kQueueName = "tb_queue";

// The queue image in a read-only region of its own; a launch after the first one uses the region
// again when the image fits.
uint64_t PlaceQueue(const TbGroups& groups, uint32_t id_bytes, DeviceMemory* memory) {
  const uint64_t size = ImageSize(groups, id_bytes);
  uint64_t base = 0;
  for (const DeviceMemory::Region& region : memory->regions()) {
    if (region.name == kQueueName && region.size >= size) base = region.address;
  }
  if (base == 0) base = memory->Allocate(kQueueName, size, /*writable=*/false);
  const TbQueueImage image = EncodeTbQueue(groups, base, id_bytes);
  std::memcpy(memory->At(base), image.bytes.data(), image.bytes.size());
  return base;
}

// Everything went in, everything came out: no request, MSHR, queue place or credit is left.
void CheckConservation(const GpuModule& gpu, uint64_t tb_count) {
  for (const auto& [core, name] : gpu.cores()) {
    if (!core->Drained()) ThrowRunFailed("at the end {} still holds {}", name, core->Leftover());
  }
  uint64_t completed = 0;
  for (const auto& sm : gpu.sms) completed += sm->core.completed();
  const uint64_t issued = gpu.tb_scheduler->core.statistics().issued;
  if (issued != tb_count || completed != tb_count) {
    ThrowRunFailed("the TB scheduler has ended with {} of {} TBs issued and {} completed", issued,
                   tb_count, completed);
  }
}

LaunchStatistics Collect(const GpuModule& gpu, const SimulationRequest& request,
                         uint32_t tbs_per_sm, uint64_t cycles) {
  LaunchStatistics total;
  total.cycles = cycles;
  total.tbs_per_sm = tbs_per_sm;
  total.tb = gpu.tb_scheduler->core.statistics();
  if (request.dispatcher == Dispatcher::kPaver) total.tb.groups = request.groups.groups.size();
  for (const auto& sm : gpu.sms) {
    LaunchStatistics part;
    part.warp_instructions = sm->core.warp_instructions();
    part.thread_instructions = sm->core.thread_instructions();
    part.tb.completed = sm->core.completed();
    part.l1 = sm->core.l1();
    part.sm = sm->core.Statistics(cycles);
    if (sm->core.prefetch() != nullptr) part.prefetch = sm->core.prefetch()->statistics();
    total += part;
  }
  total.noc.request = gpu.noc->request.statistics();
  total.noc.reply = gpu.noc->reply.statistics();
  for (const auto& slice : gpu.l2) {
    LaunchStatistics part;
    part.l2 = slice->core.statistics();
    total += part;
  }
  const ClockConfig& clock = request.machine->clock;
  for (const auto& channel : gpu.dram) {
    LaunchStatistics part;
    part.dram = channel->statistics();
    part.dram.channel_cycles = cycles * clock.dram / clock.core;
    total += part;
  }
  return total;
}

// The global loads that were executed, all SMs together.
std::vector<LoadPrefetches> CollectLoads(const GpuModule& gpu, const ptx::Kernel& kernel) {
  std::vector<LoadPrefetches> loads;
  for (const auto& sm : gpu.sms) {
    if (sm->core.prefetch() == nullptr) return loads;
    const std::vector<LoadPrefetches>& own = sm->core.prefetch()->by_load();
    if (loads.empty()) {
      loads = own;
    } else {
      for (size_t pc = 0; pc < own.size(); ++pc) loads[pc] += own[pc];
    }
  }
  std::erase_if(loads, [](const LoadPrefetches& load) { return load.demand_fetches == 0; });
  for (LoadPrefetches& load : loads) {
    load.line = static_cast<uint32_t>(kernel.instructions[load.pc].location.line);
  }
  return loads;
}

}  // namespace

SimulationResult Simulate(const SimulationRequest& request) {
  const MachineConfig& machine = *request.machine;
  const KernelLaunch& launch = *request.launch;
  const Occupancy occupancy = ComputeOccupancy(machine, launch);
  const uint64_t tb_count = launch.TbCount();
  const uint32_t id_bytes = IdBytes(tb_count);

  TbLink link;
  uint64_t core_cycle = 0;
  BodyOptions options;
  options.rtl.cycle = &core_cycle;
  SmBlocks sm_blocks(request, occupancy, &core_cycle);
  std::vector<std::string> paths = {options.rtl.path};
  sm_blocks.AddPaths(&paths);
  CheckScope(request.wave, paths);
  if (request.wave.Covers(options.rtl.path)) options.rtl.wave = request.wave;
  LockstepReport lockstep;
  options.lockstep = &lockstep;
  const std::unique_ptr<TbScheduler> block =
      MakeTbScheduler(request.dispatcher, request.engine, machine.sm.count, id_bytes, options);

  TbDispatchSetup dispatch;
  dispatch.block = block.get();
  dispatch.link = &link;
  dispatch.memory = request.memory;
  dispatch.sms = machine.sm.count;
  dispatch.launch_latency = machine.launch_latency;
  dispatch.queue_latency = machine.tb_queue_latency;
  dispatch.tb_count = tb_count;
  dispatch.queue_count = static_cast<uint32_t>(tb_count);
  if (request.timeline != nullptr) dispatch.steals = request.timeline->steals();
  dispatch.force_every_tick = request.force_every_tick;
  if (!request.wave.file.empty()) dispatch.first_seen_cycle = request.wave.from;
  if (request.settings) {
    dispatch.settings = request.settings({.columns = launch.grid.x,
                                          .rows = launch.grid.y * launch.grid.z,
                                          .sms = machine.sm.count,
                                          .tbs_per_sm = occupancy.tbs_per_sm});
  }
  if (request.dispatcher == Dispatcher::kPaver) {
    dispatch.queue_base = PlaceQueue(request.groups, id_bytes, request.memory);
    dispatch.queue_count = static_cast<uint32_t>(request.groups.groups.size());
    dispatch.steal_enable = request.groups.steal_enable;
  }

  const Program program(launch);
  const AddressMap map(machine);
  dispatch.map = &map;
  SmSetup setup;
  setup.machine = &machine;
  setup.program = &program;
  setup.memory = request.memory;
  setup.map = &map;
  setup.link = &link;
  setup.tbs_per_sm = occupancy.tbs_per_sm;
  setup.miss_classes = request.miss_classes;
  sm_blocks.Plug(&setup);
  setup.force_every_tick = request.force_every_tick;

  ScopedKernel kernel;
  RunMonitor monitor(request);
  ClockDomain::Options clocks{.every_tick = request.force_every_tick,
                              .reverse_samples = request.force_reverse_samples};
  std::optional<WorkerThreads> workers;
  if (request.threads > 1) clocks.workers = &workers.emplace(request.threads);
  GpuModule gpu("gpu", setup, dispatch, clocks, &monitor, &core_cycle);
  const auto sums = [&](uint64_t cycles) {
    return Collect(gpu, request, occupancy.tbs_per_sm, cycles);
  };
  monitor.Connect(&gpu, [&] { return sums(0); });
  if (request.timeline != nullptr) {
    std::vector<TbLog>& logs =
        request.timeline->BeginLaunch(launch.kernel->name, machine.sm.count, occupancy.tbs_per_sm);
    for (size_t i = 0; i < gpu.sms.size(); ++i) gpu.sms[i]->core.KeepLog(&logs[i]);
  }
  if (request.load_logs != nullptr) {
    request.load_logs->resize(gpu.sms.size());
    for (size_t i = 0; i < gpu.sms.size(); ++i) {
      gpu.sms[i]->core.KeepLoads(&(*request.load_logs)[i]);
    }
  }
  if (!request.cold_l2) gpu.WarmL2(*request.memory);
  sc_core::sc_start();
  monitor.Rethrow();
  if (!monitor.interrupted()) CheckConservation(gpu, tb_count);

  SimulationResult result;
  result.occupancy = occupancy;
  result.statistics = sums(monitor.cycles());
  if (request.timeline != nullptr) {
    request.timeline->EndLaunch(monitor.cycles(), result.statistics, request.groups);
  }
  result.load_prefetches = CollectLoads(gpu, *launch.kernel);
  result.blocks.push_back({"gpu.tb_scheduler", std::string(ToString(request.engine))});
  for (BlockBody& body : sm_blocks.Bodies()) result.blocks.push_back(std::move(body));
  result.lockstep_cycles = lockstep.compared_cycles + sm_blocks.LockstepCycles();
  result.interrupted = monitor.interrupted();
  return result;
}

}  // namespace flagstone
