#include "systemc/simulation.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu_model/sm/sm_core.h"
#include "kernels/launch/tb_queue_image.h"
#include "systemc/block_bodies.h"
#include "systemc/collect.h"
#include "systemc/collect_launch.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "systemc/gpu.h"
#include "systemc/node_blocks.h"
#include "systemc/recorder.h"
#include "systemc/run_monitor.h"
#include "systemc/scoped_kernel.h"
#include "systemc/sm_blocks.h"
#include "systemc/tb_queues.h"
#include "systemc/wave_event.h"
#include "systemc/worker_threads.h"

// libsystemc has a main() that calls this one; Flagstone has its own main and starts the kernel
// itself.
int sc_main(int, char*[]) { return 0; }

namespace flagstone {
namespace {

// A queue in memory is read by the block that the machine has for it; of several nodes each has a
// TB scheduler of this kind.
const TbSchedulerDescriptor& SchedulerOf(const MachineConfig& machine,
                                         const LaunchRequest& request) {
  const TbSchedulerDescriptor* asked = request.tb_scheduler;
  if (machine.numa.Nodes() > 1) {
    asked = FindTbScheduler(request.plan.queues.empty() ? "numa" : "paver");
  }
  return asked->has_queue
             ? *FindTbScheduler(kTbQueueBlocks[static_cast<size_t>(machine.tb_queue_block)])
             : *asked;
}

TbLaunchShape ShapeOf(const KernelLaunch& launch, uint32_t sms, uint32_t tbs_per_sm) {
  return {.columns = launch.grid.x,
          .rows = launch.grid.y * launch.grid.z,
          .sms = sms,
          .tbs_per_sm = tbs_per_sm};
}

// But for the hardware blocks.
SmSetup SmSetupOf(const SimulateOptions& options, const LaunchRequest& request,
                  const MachineConfig& of_node, const Program& program, uint32_t tbs_per_sm) {
  SmSetup setup;
  setup.machine = &of_node;
  setup.program = &program;
  setup.memory = request.memory;
  setup.code_offset = request.code_offset;
  setup.tbs_per_sm = tbs_per_sm;
  setup.miss_classes = options.miss_classes;
  setup.force_every_tick = options.force_every_tick;
  return setup;
}

// But for the TB scheduler and its queue.
TbDispatchSetup DispatchSetupOf(const SimulateOptions& options, const LaunchRequest& request,
                                const MachineConfig& of_node, TbLedger* ledger) {
  TbDispatchSetup setup;
  setup.memory = request.memory;
  setup.sms = of_node.sm.count;
  setup.ledger = ledger;
  setup.launch_latency = options.machine.launch_latency;
  setup.queue_latency = options.machine.tb_queue_latency;
  setup.tb_count = request.launch->TbCount();
  setup.queue_count = static_cast<uint32_t>(setup.tb_count);
  setup.force_every_tick = options.force_every_tick;
  if (!options.wave.file.empty()) setup.first_seen_cycle = options.wave.from;
  return setup;
}

// What the caches hold when the launch begins.
void FillCaches(const SimulateOptions& options, const LaunchRequest& request, GpuModule* gpu) {
  const bool warm = options.machine.l2.between_launches == BetweenLaunches::kWarm;
  if (warm && !options.cold_l2) gpu->WarmL2(*request.memory);
  if (request.l2 != nullptr) gpu->TakeL2(*request.l2);
  if (request.read_only != nullptr) gpu->TakeReadOnly(*request.read_only);
}

// What they hold when it has ended, for the next one.
void LeaveCaches(const GpuModule& gpu, const LaunchRequest& request) {
  if (request.l2 != nullptr) *request.l2 = gpu.L2Tags();
  if (request.read_only != nullptr) *request.read_only = gpu.ReadOnlyTags();
}

}  // namespace

SimulationResult Simulate(const SimulateOptions& options, const LaunchRequest& request) {
  const MachineConfig& machine = options.machine;
  const KernelLaunch& launch = *request.launch;
  const Occupancy occupancy = ComputeOccupancy(machine, launch);
  const uint64_t tb_count = launch.TbCount();
  const uint32_t id_bytes = IdBytes(tb_count);

  uint64_t core_cycle = 0;
  BodyOptions body;
  body.rtl.cycle = &core_cycle;
  SmBlocks sm_blocks(options, request, occupancy, &core_cycle);
  std::vector<std::string> paths;
  const bool several = machine.numa.Nodes() > 1;
  if (several) {
    paths = NodeBlocks::Paths(ShapeOf(machine.numa));
  } else {
    paths.push_back(body.rtl.path);
  }
  sm_blocks.AddPaths(&paths);
  CheckScope(options.wave, paths);
  if (!several && options.wave.Covers(body.rtl.path)) body.rtl.wave = options.wave;
  LockstepReport lockstep;
  body.lockstep = &lockstep;
  std::optional<Recorder> recorder;
  if (options.detail) recorder.emplace(request.counters, request.first_cycle);

  const MachineConfig of_node = machine.OfNode();
  const Program program(launch, request.order);
  const AddressMap map(of_node);
  TbLedger ledger(tb_count);
  std::deque<NodeSetup> setups(1);
  setups.front().sm = SmSetupOf(options, request, of_node, program, occupancy.tbs_per_sm);
  sm_blocks.Plug(&setups.front().sm);
  TbDispatchSetup& dispatch = setups.front().dispatch;
  dispatch = DispatchSetupOf(options, request, of_node, &ledger);
  std::vector<StealEvent> steals;  // where no recorder keeps them
  if (options.wave_on.event == WaveEvent::kSteal) dispatch.steals = &steals;
  if (recorder) dispatch.steals = recorder->steals();
  std::unique_ptr<TbScheduler> block;
  std::optional<NodeBlocks> node_blocks;
  TbRootSetup root;
  const TbSchedulerDescriptor& scheduler = SchedulerOf(machine, request);
  const TbQueueForm queue_form = {
      id_bytes, scheduler.by_sector ? TbQueueLayout::kSectors : TbQueueLayout::kPacked,
      request.steal_rule};
  NodeQueues node_queues(request.memory);
  if (several) {
    node_blocks.emplace(options, request, &core_cycle, &lockstep);
    node_blocks->Plug(scheduler, &setups);
    node_queues.Place(request.plan.queues, queue_form, &setups);
    root = node_blocks->RootSetup();
  } else {
    block = MakeTbScheduler(scheduler, options.engine, machine.SchedulerSize(id_bytes), body);
    dispatch.block = block.get();
    if (request.settings) {
      dispatch.settings = request.settings(ShapeOf(launch, machine.sm.count, occupancy.tbs_per_sm));
    }
    if (scheduler.has_queue) PlaceQueue(request.groups, queue_form, request.memory, &dispatch);
  }
  for (NodeSetup& node : setups) node.sm.link = node.dispatch.link = &node.link;

  ScopedKernel kernel;
  RunMonitor monitor(options, request);
  ClockDomain::Options clocks{.every_tick = options.force_every_tick,
                              .reverse_samples = options.force_reverse_samples};
  std::optional<WorkerThreads> workers;
  if (options.threads > 1) clocks.workers = &workers.emplace(options.threads);
  GpuModule gpu("gpu", setups, several ? &root : nullptr, map, clocks, &monitor, &core_cycle);
  if (recorder) recorder->Connect(&gpu, occupancy.tbs_per_sm, launch.kernel);
  monitor.Connect(&gpu, recorder ? &*recorder : nullptr);
  std::vector<LoadLog> load_logs(options.load_logs ? gpu.sms().size() : 0);
  for (size_t i = 0; i < load_logs.size(); ++i) gpu.sms()[i]->core.KeepLoads(&load_logs[i]);
  FillCaches(options, request, &gpu);
  if (options.miss_classes) gpu.ClassifyL2Misses();
  sc_core::sc_start();
  monitor.Rethrow();
  if (!monitor.interrupted()) CheckConservation(gpu, tb_count);

  SimulationResult result;
  result.event = FindWaveEvent(options.wave_on.event, gpu, dispatch.steals);
  result.launch =
      CollectLaunch(options, request, occupancy, gpu, monitor, recorder ? &*recorder : nullptr);
  result.launch.load_logs = std::move(load_logs);
  LeaveCaches(gpu, request);
  result.blocks = BodiesOf(options);
  result.lockstep_cycles = lockstep.compared_cycles + sm_blocks.LockstepCycles();
  result.interrupted = monitor.interrupted();
  return result;
}

}  // namespace flagstone
