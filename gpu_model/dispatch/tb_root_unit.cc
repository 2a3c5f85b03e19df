#include "gpu_model/dispatch/tb_root_unit.h"

#include <bit>
#include <utility>

namespace flagstone {

void TbRootUnit::Connect(std::vector<TbDispatch*> nodes) {
  nodes_ = std::move(nodes);
  for (TbDispatch* node : nodes_) node->ConnectRoot(this);
}

TbRootIn TbRootUnit::Inputs() const {
  TbRootIn in;
  in.start = !started_;
  in.settings = setup_.settings;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n]->block_busy()) in.node_busy[0] |= uint64_t{1} << n;
  }
  return in;
}

void TbRootUnit::Sample(uint64_t /*now*/) { in_ = Inputs(); }

void TbRootUnit::Commit(uint64_t now) {
  if (now < setup_.launch_latency) return;
  if (!setup_.force_every_tick && setup_.block->Idle(in_)) return;
  setup_.block->Tick(in_);
  started_ = true;
  const TbRootOut& out = setup_.block->Outputs();
  if (out.node_start[0] == 0) return;
  const auto node = static_cast<uint32_t>(std::countr_zero(out.node_start[0]));
  const uint64_t way = node >= setup_.nodes.chiplets ? setup_.switch_latency : 0;
  nodes_[node]->StartAt(now + 1 + way, out.node_tb_count, out.node);
}

uint64_t TbRootUnit::NextWork(uint64_t now) const {
  if (now < setup_.launch_latency) return setup_.launch_latency;
  if (!setup_.block->Idle(Inputs())) return now + 1;
  return setup_.first_seen_cycle > now ? setup_.first_seen_cycle : kNever;
}

}  // namespace flagstone
