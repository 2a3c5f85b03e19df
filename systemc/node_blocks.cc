#include "systemc/node_blocks.h"

#include <bit>

#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"
#include "gpu_model/blocks/tb_root/node_map_settings.h"
#include "gpu_model/blocks/tb_root/numa_tb_root.h"
#include "gpu_model/memory/page_table.h"
#include "kernels/launch/tb_queue_image.h"
#include "systemc/cosim/l2_policy_ports.h"
#include "systemc/cosim/tb_scheduler_factory.h"

namespace flagstone {
namespace {

constexpr const char* kTbSchedulerPart = "tb_scheduler";
constexpr const char* kL2PolicyPart = "l2_policy";

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

}  // namespace

NodeBlocks::NodeBlocks(const SimulateOptions& options, const LaunchRequest& request,
                       const Occupancy& occupancy, const uint64_t* core_cycle,
                       LockstepReport* lockstep)
    : options_(options),
      request_(request),
      occupancy_(occupancy),
      core_cycle_(core_cycle),
      lockstep_(lockstep),
      paths_(options.machine),
      nodes_(ShapeOf(options.machine.numa)),
      id_bytes_(IdBytes(request.launch->TbCount())),
      scheduler_(SchedulerOf(options.machine, request)) {}

void NodeBlocks::AddPaths(std::vector<std::string>* paths) const {
  if (paths_.several()) paths->push_back(BlockPaths::TbRoot());
  for (uint32_t n = 0; n < nodes_.Nodes(); ++n) {
    paths->push_back(paths_.OfNode(n, kTbSchedulerPart));
    if (paths_.several()) paths->push_back(paths_.OfNode(n, kL2PolicyPart));
  }
}

BodyOptions NodeBlocks::Options(const std::string& path) const {
  BodyOptions options;
  options.rtl.path = path;
  options.rtl.cycle = core_cycle_;
  options.rtl.wave = options_.wave.OfBlock(path);
  options.lockstep = lockstep_;
  return options;
}

void NodeBlocks::Plug(std::deque<NodeSetup>* setups) {
  for (uint32_t n = 0; n < nodes_.Nodes(); ++n) {
    if (n > 0) setups->push_back(setups->front());
    NodeSetup* node = &setups->back();
    AddTbScheduler(n, node);
    if (paths_.several()) Join(n, node);
  }
  if (paths_.several()) AddRoot();
}

void NodeBlocks::AddTbScheduler(uint32_t node, NodeSetup* setup) {
  BodyOptions options = Options(paths_.OfNode(node, kTbSchedulerPart));
  // That of an only node is what a wave shows by itself, in a file without its name.
  if (!paths_.several() && options_.wave.Covers(options.rtl.path)) options.rtl.wave = options_.wave;
  tb_schedulers_.push_back(MakeTbScheduler(scheduler_, options_.engine,
                                           setup->sm.machine->SchedulerSize(id_bytes_), options));
  setup->dispatch.block = tb_schedulers_.back().get();
  if (paths_.several()) {
    StartByRoot(&setup->dispatch);
  } else {
    StartByLaunch(&setup->dispatch);
  }
}

void NodeBlocks::StartByLaunch(TbDispatchSetup* dispatch) const {
  dispatch->launch_latency = options_.machine.launch_latency;
  dispatch->tb_count = request_.Tbs();
  dispatch->queue_count = static_cast<uint32_t>(dispatch->tb_count);
  if (!request_.settings) return;
  const Dim3 grid = request_.OfAllTbs() ? request_.launch->grid
                                        : Dim3{static_cast<uint32_t>(request_.Tbs()), 1, 1};
  dispatch->settings = request_.settings({.columns = grid.x,
                                          .rows = grid.y * grid.z,
                                          .sms = options_.machine.sm.count,
                                          .tbs_per_sm = occupancy_.tbs_per_sm});
}

void NodeBlocks::StartByRoot(TbDispatchSetup* dispatch) const {
  dispatch->launch_latency = kNever;  // when the root says, with the TBs that it gives
  dispatch->tb_count = dispatch->queue_count = 0;
}

// What one of several nodes has beside its TB scheduler.
void NodeBlocks::Join(uint32_t n, NodeSetup* node) {
  const auto node_bits = static_cast<uint32_t>(std::bit_width(nodes_.Nodes() - 1));
  const MachineConfig& machine = *node->sm.machine;
  const L2PolicySize size = {L2PolicyUnit::kLanes * machine.l2.slices, node_bits};
  l2_policies_.push_back(MakeBody<L2PolicyIn, L2PolicyOut, L2PolicyPorts>(
      L2PolicyType(size), options_.engine, Options(paths_.OfNode(n, kL2PolicyPart))));
  node->l2_policy = l2_policies_.back().get();
  node->l2_policy_mode = {n, request_.plan.once, machine.numa.remote_caching != 0};
  node->sm.pages = request_.pages;
  node->sm.node = n;
  node->sm.first_sm = node->dispatch.first_sm = n * machine.sm.count;
}

void NodeBlocks::AddRoot() {
  root_block_ = MakeBody(TbRootType(TbRootSize{nodes_, 8 * id_bytes_}), options_.engine,
                         Options(BlockPaths::TbRoot()));
  const Dim3& dim = request_.launch->grid;
  const TbLaunchShape grid = {.columns = dim.x, .rows = dim.y * dim.z};
  root_ = {.block = root_block_.get(),
           .settings = NodeMapSettings(nodes_, request_.plan.tbs, grid),
           .nodes = nodes_,
           .launch_latency = options_.machine.launch_latency,
           .switch_latency = options_.machine.numa.switch_latency,
           .force_every_tick = options_.force_every_tick,
           .first_seen_cycle = options_.wave.file.empty() ? kNever : options_.wave.from};
}

}  // namespace flagstone
