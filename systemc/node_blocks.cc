#include "systemc/node_blocks.h"

#include <fmt/core.h>

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

constexpr const char* kRootPath = "gpu.tb_root";

std::string PathOf(uint32_t node, const char* block) {
  return fmt::format("gpu.node{}.{}", node, block);
}

}  // namespace

NodeBlocks::NodeBlocks(const SimulateOptions& options, const LaunchRequest& request,
                       const uint64_t* core_cycle, LockstepReport* lockstep)
    : options_(options),
      request_(request),
      core_cycle_(core_cycle),
      lockstep_(lockstep),
      nodes_(ShapeOf(options.machine.numa)),
      id_bytes_(IdBytes(request.launch->TbCount())),
      root_(MakeBody(TbRootType(TbRootSize{nodes_, 8 * id_bytes_}), options.engine,
                     Options(kRootPath))) {}

std::vector<std::string> NodeBlocks::Paths(const NodeShape& nodes) {
  std::vector<std::string> paths = {kRootPath};
  for (uint32_t n = 0; n < nodes.Nodes(); ++n) {
    for (const char* block : {"tb_scheduler", "l2_policy"}) paths.push_back(PathOf(n, block));
  }
  return paths;
}

BodyOptions NodeBlocks::Options(const std::string& path) const {
  BodyOptions options;
  options.rtl.path = path;
  options.rtl.cycle = core_cycle_;
  options.rtl.wave = options_.wave.OfBlock(path);
  options.lockstep = lockstep_;
  return options;
}

void NodeBlocks::Plug(const TbSchedulerDescriptor& scheduler, std::deque<NodeSetup>* setups) {
  const auto node_bits = static_cast<uint32_t>(std::bit_width(nodes_.Nodes() - 1));
  for (uint32_t n = 0; n < nodes_.Nodes(); ++n) {
    if (n > 0) setups->push_back(setups->front());
    NodeSetup& node = setups->back();
    const MachineConfig& machine = *node.sm.machine;
    tb_schedulers_.push_back(MakeTbScheduler(scheduler, options_.engine,
                                             machine.SchedulerSize(id_bytes_),
                                             Options(PathOf(n, "tb_scheduler"))));
    const L2PolicySize size = {L2PolicyUnit::kLanes * machine.l2.slices, node_bits};
    l2_policies_.push_back(MakeBody<L2PolicyIn, L2PolicyOut, L2PolicyPorts>(
        L2PolicyType(size), options_.engine, Options(PathOf(n, "l2_policy"))));
    node.l2_policy = l2_policies_.back().get();
    node.l2_policy_mode = {n, request_.plan.once, machine.numa.remote_caching != 0};
    node.sm.pages = request_.pages;
    node.sm.node = n;
    node.sm.first_sm = node.dispatch.first_sm = n * machine.sm.count;
    node.dispatch.block = tb_schedulers_.back().get();
    node.dispatch.tb_count = node.dispatch.queue_count = 0;
    node.dispatch.launch_latency = kNever;  // when the root says
  }
}

TbRootSetup NodeBlocks::RootSetup() const {
  const KernelLaunch& launch = *request_.launch;
  const TbLaunchShape grid = {.columns = launch.grid.x, .rows = launch.grid.y * launch.grid.z};
  return {.block = root_.get(),
          .settings = NodeMapSettings(nodes_, request_.plan.tbs, grid),
          .nodes = nodes_,
          .launch_latency = options_.machine.launch_latency,
          .switch_latency = options_.machine.numa.switch_latency,
          .force_every_tick = options_.force_every_tick,
          .first_seen_cycle = options_.wave.file.empty() ? kNever : options_.wave.from};
}

}  // namespace flagstone
