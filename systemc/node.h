// A node: a chip and its TB scheduler. A GPU without chiplets is one.
#ifndef FLAGSTONE_SYSTEMC_NODE_H_
#define FLAGSTONE_SYSTEMC_NODE_H_

#include <memory>
#include <systemc>

#include "gpu_model/dispatch/tb_dispatch.h"
#include "gpu_model/memory/l2_policy_unit.h"
#include "systemc/chip.h"
#include "systemc/plug.h"

namespace flagstone {

class TbSchedulerModule : public sc_core::sc_module {
 public:
  TbSchedulerModule(sc_core::sc_module_name name, const TbDispatchSetup& setup)
      : sc_core::sc_module(name), core(setup) {
    replies.bind(plug_);
  }

  TbDispatch core;
  PlugPort<PacketPort> requests{"requests"};
  PlugExport<PacketSink> replies{"replies"};

 private:
  Plug<PacketSink> plug_{&core};
};

class L2PolicyModule : public sc_core::sc_module {
 public:
  L2PolicyModule(sc_core::sc_module_name name, L2Policy* block, const L2PolicyMode& mode,
                 bool force_every_tick)
      : sc_core::sc_module(name), core(block, mode, force_every_tick) {}

  L2PolicyUnit core;
};

// What a node is made of. Must outlive it.
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
  Node(const NodeSetup& setup, const AddressMap& map);
  void Connect();  // at the end of elaboration

  Chip chip;
  TbSchedulerModule tb_scheduler;
  std::unique_ptr<L2PolicyModule> l2_policy;  // null: there is one node
};

// Gives its parts their place where there are several nodes: "gpu.node3.sm7".
class NodeModule : public sc_core::sc_module {
 public:
  NodeModule(sc_core::sc_module_name name, const NodeSetup& setup, const AddressMap& map)
      : sc_core::sc_module(name), node(setup, map) {}

  Node node;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_NODE_H_
