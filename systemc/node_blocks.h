// The hardware blocks that only machines of several nodes have, in one simulation: each node's TB
// scheduler and L2 policy, and the root that starts the TB schedulers.
#ifndef FLAGSTONE_SYSTEMC_NODE_BLOCKS_H_
#define FLAGSTONE_SYSTEMC_NODE_BLOCKS_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "gpu_model/dispatch/tb_root_unit.h"
#include "systemc/cosim/block_factory.h"
#include "systemc/node.h"
#include "systemc/simulation.h"

namespace flagstone {

class NodeBlocks {
 public:
  // All must outlive it.
  NodeBlocks(const SimulateOptions& options, const LaunchRequest& request,
             const uint64_t* core_cycle, LockstepReport* lockstep);

  static std::vector<std::string> Paths(const NodeShape& nodes);

  // Makes the first of the setups, which is complete but for its TBs, the first of those of all
  // nodes, each with such a TB scheduler. This object must outlive them.
  void Plug(const TbSchedulerDescriptor& scheduler, std::deque<NodeSetup>* setups);
  TbRootSetup RootSetup() const;

 private:
  BodyOptions Options(const std::string& path) const;

  const SimulateOptions& options_;
  const LaunchRequest& request_;
  const uint64_t* core_cycle_;
  LockstepReport* lockstep_;
  NodeShape nodes_;
  uint32_t id_bytes_;
  std::unique_ptr<TbRoot> root_;
  std::vector<std::unique_ptr<TbScheduler>> tb_schedulers_;
  std::vector<std::unique_ptr<L2Policy>> l2_policies_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_NODE_BLOCKS_H_
