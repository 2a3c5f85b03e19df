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
#include "systemc/gpu.h"
#include "systemc/kept_gpu.h"
#include "systemc/node_blocks.h"
#include "systemc/recorder.h"
#include "systemc/run_monitor.h"
#include "systemc/sm_blocks.h"
#include "systemc/tb_queues.h"
#include "systemc/wave_event.h"
#include "systemc/worker_threads.h"

// libsystemc has a main() that calls this one; Flagstone has its own main and starts the kernel
// itself.
int sc_main(int, char*[]) { return 0; }

namespace flagstone {
namespace {

// But for the hardware blocks.
SmSetup SmSetupOf(const SimulateOptions& options, const LaunchRequest& request,
                  const MachineConfig& of_node, const Program& program, uint32_t tbs_per_sm) {
  SmSetup setup;
  setup.machine = &of_node;
  setup.program = &program;
  setup.memory = request.memory;
  setup.code_offset = request.code_offset;
  setup.loop = request.loop;
  setup.tbs_per_sm = tbs_per_sm;
  setup.miss_classes = options.miss_classes;
  setup.force_every_tick = options.force_every_tick;
  setup.cores_at_once = options.force_every_tick || !options.wave.file.empty() ||
                        options.engine == Engine::kLockstep || request.read_only != nullptr;
  return setup;
}

// But for the TB scheduler, its start and its queue.
TbDispatchSetup DispatchSetupOf(const SimulateOptions& options, const LaunchRequest& request,
                                const MachineConfig& of_node, TbLedger* ledger) {
  TbDispatchSetup setup;
  setup.memory = request.memory;
  setup.sms = of_node.sm.count;
  setup.ledger = ledger;
  setup.queue_latency = options.machine.tb_queue_latency;
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
  const uint64_t tb_count = request.Tbs();

  uint64_t core_cycle = 0;
  LockstepReport lockstep;
  NodeBlocks node_blocks(options, request, occupancy, &core_cycle, &lockstep);
  SmBlocks sm_blocks(options, request, occupancy, &core_cycle);
  std::vector<std::string> paths;
  node_blocks.AddPaths(&paths);
  sm_blocks.AddPaths(&paths);
  CheckScope(options.wave, paths);
  std::optional<Recorder> recorder;
  if (options.detail) recorder.emplace(request.counters, request.first_cycle);

  const MachineConfig of_node = machine.OfNode();
  const Program program(launch, request.order);
  TbLedger ledger(tb_count);
  std::deque<NodeSetup> setups(1);
  setups.front().sm = SmSetupOf(options, request, of_node, program, occupancy.tbs_per_sm);
  sm_blocks.Plug(&setups.front().sm);
  TbDispatchSetup& dispatch = setups.front().dispatch;
  dispatch = DispatchSetupOf(options, request, of_node, &ledger);
  std::vector<StealEvent> steals;  // where no recorder keeps them
  if (options.wave_on.event == WaveEvent::kSteal) dispatch.steals = &steals;
  if (recorder) dispatch.steals = recorder->steals();
  node_blocks.Plug(&setups);
  TbQueues queues(request.memory);
  queues.Place(QueuesOf(request, machine.numa.Nodes()),
               {.id_bytes = IdBytes(launch.TbCount()),
                .layout = node_blocks.scheduler().by_sector ? TbQueueLayout::kSectors
                                                            : TbQueueLayout::kPacked,
                .steal_rule = request.steal_rule},
               &setups);
  for (NodeSetup& node : setups) node.sm.link = node.dispatch.link = &node.link;

  RunMonitor monitor(options, request);
  ClockDomain::Options clocks{.every_tick = options.force_every_tick,
                              .reverse_samples = options.force_reverse_samples};
  std::optional<WorkerThreads> workers;
  if (options.threads > 1) clocks.workers = &workers.emplace(options.threads);
  std::unique_ptr<KeptGpu> own;
  LaunchOnGpu on_gpu(request.gpu != nullptr ? request.gpu : &own, machine);
  GpuModule& gpu = on_gpu.gpu();
  gpu.Begin(setups, node_blocks.root(), clocks, &monitor, &core_cycle);
  if (recorder) recorder->Connect(&gpu, occupancy.tbs_per_sm, launch.kernel);
  monitor.Connect(&gpu, recorder ? &*recorder : nullptr);
  std::vector<LoadLog> load_logs(options.load_logs ? gpu.sms().size() : 0);
  for (size_t i = 0; i < load_logs.size(); ++i) gpu.sms()[i]->core->KeepLoads(&load_logs[i]);
  std::optional<LoopSkipper> skipper;
  if (request.loop != nullptr) {
    monitor.Connect(&skipper.emplace(*request.loop, program, request.memory, gpu.map(),
                                     machine.clock, options.interrupted, &gpu));
  }
  FillCaches(options, request, &gpu);
  if (options.miss_classes) gpu.ClassifyL2Misses();
  sc_core::sc_start();
  monitor.Rethrow();
  if (!monitor.interrupted()) {
    CheckConservation(gpu, tb_count);
    on_gpu.Finish();
  }

  SimulationResult result;
  result.event = FindWaveEvent(options.wave_on.event, gpu, dispatch.steals);
  result.launch =
      CollectLaunch(options, request, occupancy, gpu, monitor, recorder ? &*recorder : nullptr);
  result.launch.load_logs = std::move(load_logs);
  result.at_marks = monitor.TakeMarks();
  if (skipper) result.loop = skipper->TakeProgress();
  LeaveCaches(gpu, request);
  result.blocks = BodiesOf(options);
  result.lockstep_cycles = lockstep.compared_cycles + sm_blocks.LockstepCycles();
  result.interrupted = monitor.interrupted();
  return result;
}

}  // namespace flagstone
