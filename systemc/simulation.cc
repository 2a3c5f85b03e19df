#include "systemc/simulation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/energy/launch_energy.h"
#include "gpu_model/sm/sm_core.h"
#include "launch/tb_queue_image.h"
#include "ptx/kernel.h"
#include "systemc/collect.h"
#include "systemc/collect_nodes.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "systemc/gpu.h"
#include "systemc/node_blocks.h"
#include "systemc/recorder.h"
#include "systemc/run_monitor.h"
#include "systemc/scoped_kernel.h"
#include "systemc/sm_blocks.h"

// libsystemc has a main() that calls this one; Flagstone has its own main and starts the kernel
// itself.
int sc_main(int, char*[]) { return 0; }

namespace flagstone {
namespace {

constexpr const char* kQueueName = "tb_queue";

// The queue image in a read-only region of its own; a launch after the first one uses the region
// again when the image fits.
uint64_t PlaceQueue(const TbGroups& groups, uint32_t id_bytes, TbQueueLayout layout,
                    DeviceMemory* memory) {
  const uint64_t size = ImageSize(groups, id_bytes, layout);
  uint64_t base = 0;
  for (const DeviceMemory::Region& region : memory->regions()) {
    if (region.name == kQueueName && region.size >= size) base = region.address;
  }
  if (base == 0) base = memory->AllocateQueue(kQueueName, size);
  const TbQueueImage image = EncodeTbQueue(groups, base, id_bytes, layout);
  std::memcpy(memory->At(base), image.bytes.data(), image.bytes.size());
  return base;
}

// A queue image of each node in device memory, as long as the launch runs: what lies there after it
// is no buffer that has pages.
class NodeQueues {
 public:
  explicit NodeQueues(DeviceMemory* memory) : memory_(memory) {}
  ~NodeQueues() {
    for (const uint64_t address : addresses_) memory_->Free(address);
  }
  NodeQueues(const NodeQueues&) = delete;
  NodeQueues& operator=(const NodeQueues&) = delete;

  void Place(const std::vector<TbGroups>& queues, uint32_t id_bytes, TbQueueLayout layout,
             StealRule steal_rule, std::deque<NodeSetup>* nodes) {
    for (uint32_t n = 0; n < queues.size(); ++n) {
      const TbGroups& groups = queues[n];
      const uint64_t size = std::max<uint64_t>(1, ImageSize(groups, id_bytes, layout));
      const uint64_t base = memory_->AllocateQueue(fmt::format("{}{}", kQueueName, n), size);
      addresses_.push_back(base);
      const TbQueueImage image = EncodeTbQueue(groups, base, id_bytes, layout);
      if (!image.bytes.empty()) {
        std::memcpy(memory_->At(base), image.bytes.data(), image.bytes.size());
      }
      TbDispatchSetup& dispatch = (*nodes)[n].dispatch;
      dispatch.node = n;
      dispatch.queue_base = base;
      dispatch.queue_count = static_cast<uint32_t>(groups.groups.size());
      dispatch.steal_enable = groups.steal_enable;
      dispatch.steal_rule = groups.steal_enable ? steal_rule : StealRule::kOff;
      for (const std::vector<uint32_t>& group : groups.groups) dispatch.tb_count += group.size();
    }
  }

 private:
  DeviceMemory* memory_;
  std::vector<uint64_t> addresses_;
};

// Of several nodes, the TB scheduler of each.
const TbSchedulerDescriptor* SchedulerOfNodes(const NodePlan& plan) {
  return FindTbScheduler(plan.queues.empty() ? "numa" : "paver");
}

// The SM with the lowest number comes first among those of one cycle.
std::optional<SeenEvent> FirstPrefetch(const GpuModule& gpu) {
  std::optional<SeenEvent> first;
  for (const SmModule* sm : gpu.sms()) {
    const PrefetchUnit* const unit = sm->core.prefetch();
    if (unit == nullptr || unit->first_sent() == kNever) continue;
    if (first && first->cycle <= unit->first_sent()) continue;
    first = {unit->first_sent(), fmt::format("{}.prefetcher", sm->name())};
  }
  return first;
}

// Everything went in, everything came out: no request, MSHR, queue place or credit is left.
void CheckConservation(const GpuModule& gpu, uint64_t tb_count) {
  for (const auto& [core, name] : gpu.cores()) {
    if (!core->Drained()) ThrowRunFailed("at the end {} still holds {}", name, core->Leftover());
  }
  uint64_t completed = 0;
  for (const SmModule* sm : gpu.sms()) completed += sm->core.completed();
  const uint64_t issued = gpu.Tbs().issued;
  if (issued != tb_count || completed != tb_count) {
    ThrowRunFailed("the TB scheduler has ended with {} of {} TBs issued and {} completed", issued,
                   tb_count, completed);
  }
}

// A queue in memory is read by the block that the machine has for it.
const TbSchedulerDescriptor& SchedulerOn(const MachineConfig& machine,
                                         const TbSchedulerDescriptor& asked) {
  return asked.has_queue
             ? *FindTbScheduler(kTbQueueBlocks[static_cast<size_t>(machine.tb_queue_block)])
             : asked;
}

TbLaunchShape ShapeOf(const KernelLaunch& launch, uint32_t sms, uint32_t tbs_per_sm) {
  return {.columns = launch.grid.x,
          .rows = launch.grid.y * launch.grid.z,
          .sms = sms,
          .tbs_per_sm = tbs_per_sm};
}

// Between launches of BetweenLaunches::kKeep.
void TakeL2(const std::vector<TagArray>& kept, const GpuModule& gpu) {
  for (size_t i = 0; i < kept.size(); ++i) gpu.l2()[i]->core.Keep(kept[i]);
}
void LeaveL2(const GpuModule& gpu, std::vector<TagArray>* kept) {
  kept->clear();
  for (const L2Module* slice : gpu.l2()) kept->push_back(slice->core.tags());
}

// Between launches of ReadOnlyCaches::kKeep.
void TakeReadOnly(const std::vector<std::vector<TagArray>>& kept, const GpuModule& gpu) {
  for (size_t i = 0; i < kept.size(); ++i) gpu.sms()[i]->core.Keep(kept[i]);
}
void LeaveReadOnly(const GpuModule& gpu, std::vector<std::vector<TagArray>>* kept) {
  kept->clear();
  for (const SmModule* sm : gpu.sms()) kept->push_back(sm->core.ReadOnly());
}

}  // namespace

SimulationResult Simulate(const RunOptions& options, const LaunchRequest& request) {
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
  SmSetup& setup = setups.front().sm;
  setup.machine = &of_node;
  setup.program = &program;
  setup.memory = request.memory;
  setup.code_offset = request.code_offset;
  setup.tbs_per_sm = occupancy.tbs_per_sm;
  setup.miss_classes = options.miss_classes;
  sm_blocks.Plug(&setup);
  setup.force_every_tick = options.force_every_tick;

  TbDispatchSetup& dispatch = setups.front().dispatch;
  dispatch.memory = request.memory;
  dispatch.sms = of_node.sm.count;
  dispatch.ledger = &ledger;
  dispatch.launch_latency = machine.launch_latency;
  dispatch.queue_latency = machine.tb_queue_latency;
  dispatch.tb_count = tb_count;
  dispatch.queue_count = static_cast<uint32_t>(tb_count);
  std::vector<StealEvent> steals;  // where no recorder keeps them
  if (options.wave_on.event == WaveEvent::kSteal) dispatch.steals = &steals;
  if (recorder) dispatch.steals = recorder->steals();
  dispatch.force_every_tick = options.force_every_tick;
  if (!options.wave.file.empty()) dispatch.first_seen_cycle = options.wave.from;
  std::unique_ptr<TbScheduler> block;
  std::optional<NodeBlocks> node_blocks;
  TbRootSetup root;
  const TbSchedulerDescriptor& scheduler =
      SchedulerOn(machine, several ? *SchedulerOfNodes(request.plan) : *request.tb_scheduler);
  const bool has_queue = !several && scheduler.has_queue;
  const auto layout = scheduler.by_sector ? TbQueueLayout::kSectors : TbQueueLayout::kPacked;
  NodeQueues node_queues(request.memory);
  if (several) {
    node_blocks.emplace(options, request, &core_cycle, &lockstep);
    node_blocks->Plug(scheduler, &setups);
    node_queues.Place(request.plan.queues, id_bytes, layout, request.steal_rule, &setups);
    root = node_blocks->RootSetup();
  } else {
    block = MakeTbScheduler(scheduler, options.engine, machine.SchedulerSize(id_bytes), body);
    dispatch.block = block.get();
    if (request.settings) {
      dispatch.settings = request.settings(ShapeOf(launch, machine.sm.count, occupancy.tbs_per_sm));
    }
  }
  if (has_queue) {
    dispatch.queue_base = PlaceQueue(request.groups, id_bytes, layout, request.memory);
    dispatch.queue_count = static_cast<uint32_t>(request.groups.groups.size());
    dispatch.steal_enable = request.groups.steal_enable;
    if (request.groups.steal_enable) dispatch.steal_rule = request.steal_rule;
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
  SimulationResult result;
  if (options.load_logs) {
    result.launch.load_logs.resize(gpu.sms().size());
    for (size_t i = 0; i < gpu.sms().size(); ++i) {
      gpu.sms()[i]->core.KeepLoads(&result.launch.load_logs[i]);
    }
  }
  const bool warm = machine.l2.between_launches == BetweenLaunches::kWarm;
  if (warm && !options.cold_l2) gpu.WarmL2(*request.memory);
  if (request.l2 != nullptr) TakeL2(*request.l2, gpu);
  if (request.read_only != nullptr) TakeReadOnly(*request.read_only, gpu);
  if (options.miss_classes) gpu.ClassifyL2Misses();
  sc_core::sc_start();
  monitor.Rethrow();
  if (!monitor.interrupted()) CheckConservation(gpu, tb_count);
  if (options.wave_on.event == WaveEvent::kSteal && !dispatch.steals->empty()) {
    const StealEvent& steal = dispatch.steals->front();
    result.event = {steal.cycle,
                    several ? fmt::format("gpu.node{}.tb_scheduler", steal.thief / of_node.sm.count)
                            : body.rtl.path};
  } else if (options.wave_on.event == WaveEvent::kFirstPrefetch) {
    result.event = FirstPrefetch(gpu);
  }

  LaunchRecord& record = result.launch;
  record.entry = launch.kernel->name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.occupancy = occupancy;
  ChipParts parts = CollectParts(gpu, machine.clock, monitor.cycles());
  record.statistics = CollectTotals(gpu, parts, monitor.cycles());
  record.statistics.tbs_per_sm = occupancy.tbs_per_sm;
  if (several) {
    record.nodes = CollectNodes(gpu, machine.clock, monitor.cycles());
    record.statistics.numa = CollectNuma(gpu, machine.clock, *record.nodes, *request.pages,
                                         monitor.cycles(), monitor.flush_cycles());
    if (!monitor.interrupted()) CheckNodeCounts(gpu, record.statistics, *record.nodes);
  }
  record.statistics.energy =
      EnergyOf(record.statistics, machine, options.PrefetcherName() != "none");
  if (request.l2 != nullptr) LeaveL2(gpu, request.l2);
  if (request.read_only != nullptr) LeaveReadOnly(gpu, request.read_only);
  if (has_queue) {
    record.statistics.tb.groups = request.groups.groups.size();
  }
  for (const TbGroups& queue : request.plan.queues) {
    record.statistics.tb.groups += queue.groups.size();
  }
  record.load_prefetches = CollectLoads(gpu, *launch.kernel);
  if (recorder) {
    record.detail = recorder->Finish(monitor.cycles(), request.groups, std::move(parts));
  }
  result.blocks = BodiesOf(options);
  result.lockstep_cycles = lockstep.compared_cycles + sm_blocks.LockstepCycles();
  result.interrupted = monitor.interrupted();
  return result;
}

std::vector<BlockBody> BodiesOf(const RunOptions& options) {
  const std::string engine(ToString(options.engine));
  const bool several = options.machine.numa.Nodes() > 1;
  const std::string sms = several ? "gpu.node*.sm*" : "gpu.sm*";
  std::vector<BlockBody> bodies = {
      {several ? "gpu.node*.tb_scheduler" : "gpu.tb_scheduler", engine}};
  if (several) {
    bodies.push_back({"gpu.tb_root", engine});
    bodies.push_back({"gpu.node*.l2_policy", engine});
  }
  const std::string& prefetcher = options.PrefetcherName();
  if (prefetcher != kNoPrefetcher) {
    bodies.push_back({sms + ".prefetcher", FindPrefetcher(prefetcher).HasRtl() ? engine : "model"});
  }
  if (FindWarpScheduler(options.WarpSchedulerName()).HasRtl()) {
    bodies.push_back({sms + ".warp_scheduler*", engine});
  }
  return bodies;
}

}  // namespace flagstone
