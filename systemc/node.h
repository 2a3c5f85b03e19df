// A node: a chip and its TB scheduler. A GPU without chiplets is one.
#ifndef FLAGSTONE_SYSTEMC_NODE_H_
#define FLAGSTONE_SYSTEMC_NODE_H_

#include <memory>
#include <optional>
#include <systemc>

#include "gpu_model/dispatch/tb_dispatch.h"
#include "gpu_model/memory/l2_policy_unit.h"
#include "systemc/chip.h"
#include "systemc/plug.h"

namespace flagstone {

class TbSchedulerModule : public sc_core::sc_module {
 public:
  explicit TbSchedulerModule(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    replies.bind(plug_);
  }
  void Begin(const TbDispatchSetup& setup) {
    core.emplace(setup);
    plug_.core = &*core;
  }

  std::optional<TbDispatch> core;
  PlugPort<PacketPort> requests{"requests"};
  PlugExport<PacketSink> replies{"replies"};

 private:
  Plug<PacketSink> plug_;
};

class L2PolicyModule : public sc_core::sc_module {
 public:
  explicit L2PolicyModule(sc_core::sc_module_name name) : sc_core::sc_module(name) {}

  std::optional<L2PolicyUnit> core;
};

// What a node's cores are made of in a launch. Must outlive them.
struct NodeSetup {
  SmSetup sm;
  TbLink link;
  TbDispatchSetup dispatch;
  // Of one of several nodes.
  L2Policy* l2_policy = nullptr;
  L2PolicyMode l2_policy_mode;
};

// No module, as a Chip: its parts are children of the module in whose constructor it is made.
struct Node {
  // As Chip's.
  Node(const MachineConfig& machine, const AddressMap& map);
  void Begin(const NodeSetup& setup);
  void End();

  Chip chip;
  TbSchedulerModule tb_scheduler;
  std::unique_ptr<L2PolicyModule> l2_policy;  // null: there is one node
};

// Gives its parts their place where there are several nodes: "gpu.node3.sm7".
class NodeModule : public sc_core::sc_module {
 public:
  NodeModule(sc_core::sc_module_name name, const MachineConfig& machine, const AddressMap& map)
      : sc_core::sc_module(name), node(machine, map) {}

  Node node;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_NODE_H_
