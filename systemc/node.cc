#include "systemc/node.h"

#include <utility>
#include <vector>

namespace flagstone {

Node::Node(const NodeSetup& setup, const AddressMap& map)
    : chip(setup.sm, map), tb_scheduler("tb_scheduler", setup.dispatch) {
  chip.BindTbScheduler(&tb_scheduler.requests, &tb_scheduler.replies);
  if (chip.numa_l2.empty()) return;
  l2_policy = std::make_unique<L2PolicyModule>("l2_policy", setup.l2_policy, setup.l2_policy_mode,
                                               setup.dispatch.force_every_tick);
  for (NumaL2Slice* slice : chip.numa_l2) slice->ConnectPolicy(&l2_policy->core);
}

void Node::Connect() {
  std::vector<Clocked*> sms;
  for (const auto& sm : chip.sms) sms.push_back(&sm->core);
  tb_scheduler.core.Connect(tb_scheduler.requests->core, std::move(sms));
}

}  // namespace flagstone
