#include "systemc/node.h"

#include <utility>
#include <vector>

namespace flagstone {

Node::Node(const MachineConfig& machine, const AddressMap& map)
    : chip(machine, map), tb_scheduler("tb_scheduler") {
  chip.BindTbScheduler(&tb_scheduler.requests, &tb_scheduler.replies);
  if (machine.numa.Nodes() > 1) l2_policy = std::make_unique<L2PolicyModule>("l2_policy");
}

void Node::Begin(const NodeSetup& setup) {
  chip.Begin(setup.sm);
  tb_scheduler.Begin(setup.dispatch);
  chip.ConnectSinks();
  std::vector<Clocked*> sms;
  for (const auto& sm : chip.sms) sms.push_back(&*sm->core);
  tb_scheduler.core->Connect(tb_scheduler.requests->core, std::move(sms));
  if (l2_policy == nullptr) return;
  l2_policy->core.emplace(setup.l2_policy, setup.l2_policy_mode, setup.dispatch.force_every_tick);
  for (NumaL2Slice* slice : chip.numa_l2) slice->ConnectPolicy(&*l2_policy->core);
}

void Node::End() {
  chip.End();
  tb_scheduler.core.reset();
  if (l2_policy != nullptr) l2_policy->core.reset();
}

}  // namespace flagstone
