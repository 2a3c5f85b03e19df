// The hardware blocks outside the SMs in one simulation: each node's TB scheduler and, of several
// nodes, each one's L2 policy and the root that starts the TB schedulers.
#ifndef FLAGSTONE_SYSTEMC_NODE_BLOCKS_H_
#define FLAGSTONE_SYSTEMC_NODE_BLOCKS_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu_model/dispatch/tb_root_unit.h"
#include "gpu_model/sm/occupancy.h"
#include "systemc/block_paths.h"
#include "systemc/cosim/block_factory.h"
#include "systemc/node.h"
#include "systemc/simulation.h"

namespace flagstone {

class NodeBlocks {
 public:
  // All must outlive it.
  NodeBlocks(const SimulateOptions& options, const LaunchRequest& request,
             const Occupancy& occupancy, const uint64_t* core_cycle, LockstepReport* lockstep);

  // Adds the blocks, which a wave can show: "gpu.tb_scheduler".
  void AddPaths(std::vector<std::string>* paths) const;
  // The kind of all nodes' TB schedulers. A queue in memory is read by the block that the machine
  // has for it.
  const TbSchedulerDescriptor& scheduler() const { return scheduler_; }

  // Makes the first of the setups, which is complete but for its TBs, the first of those of all
  // nodes, each with its blocks. This object must outlive them.
  void Plug(std::deque<NodeSetup>* setups);
  // Null: there is one node, whose TB scheduler starts without a root. After Plug().
  const TbRootSetup* root() const { return root_ ? &*root_ : nullptr; }

 private:
  BodyOptions Options(const std::string& path) const;
  void AddTbScheduler(uint32_t node, NodeSetup* setup);
  void StartByLaunch(TbDispatchSetup* dispatch) const;
  void StartByRoot(TbDispatchSetup* dispatch) const;
  void Join(uint32_t node, NodeSetup* setup);
  void AddRoot();

  const SimulateOptions& options_;
  const LaunchRequest& request_;
  const Occupancy& occupancy_;
  const uint64_t* core_cycle_;
  LockstepReport* lockstep_;
  const BlockPaths paths_;
  const NodeShape nodes_;
  const uint32_t id_bytes_;
  const TbSchedulerDescriptor& scheduler_;
  std::vector<std::unique_ptr<TbScheduler>> tb_schedulers_;
  std::vector<std::unique_ptr<L2Policy>> l2_policies_;
  std::unique_ptr<TbRoot> root_block_;
  std::optional<TbRootSetup> root_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_NODE_BLOCKS_H_
