#include "gpu_model/memory/l2_policy_unit.h"

#include "base/error.h"
#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"

namespace flagstone {

static_assert(static_cast<int>(PacketKind::kRead) == static_cast<int>(L2RequestKind::kRead));
static_assert(static_cast<int>(PacketKind::kUncachedRead) ==
              static_cast<int>(L2RequestKind::kUncachedRead));
static_assert(static_cast<int>(PacketKind::kWrite) == static_cast<int>(L2RequestKind::kWrite));
static_assert(static_cast<int>(PacketKind::kAtomic) == static_cast<int>(L2RequestKind::kAtomic));

L2PolicyUnit::L2PolicyUnit(L2Policy* block, const L2PolicyMode& mode, bool force_every_tick)
    : block_(block), force_every_tick_(force_every_tick) {
  next_.cfg_valid = true;
  next_.cfg_node = mode.node;
  next_.cfg_once = mode.once;
  next_.cfg_remote_caching = mode.remote_caching;
}

void L2PolicyUnit::Ask(uint32_t lane, bool from_fabric, PacketKind kind, uint32_t home) {
  Put(&next_.req_valid, lane, true);
  Put(&next_.req_from_fabric, lane, from_fabric);
  next_.req_kind[lane] = static_cast<uint8_t>(kind);
  next_.req_home[lane] = static_cast<uint8_t>(home);
  Wake();
}

// What stands in lanes without a request means nothing, and stays.
void L2PolicyUnit::Sample(uint64_t /*now*/) {
  in_ = next_;
  next_.cfg_valid = false;
  next_.req_valid = {};
}

void L2PolicyUnit::Commit(uint64_t now) {
  if (!force_every_tick_ && block_->Idle(in_)) return;
  block_->Tick(in_);
  in_.req_valid = {};
  const L2PolicyOut& out = block_->Outputs();
  ForEachLane(out.dec_valid, [&](uint32_t lane) {
    if (Test(out.dec_fault, lane)) {
      ThrowRunFailed("cycle {}: another node asks for a line that is not at home here", now);
    }
    slices_[lane / kLanes]->Decided(lane, DecisionOf(out, lane));
  });
}

uint64_t L2PolicyUnit::NextWork(uint64_t now) const {
  return Any(next_.req_valid) || !block_->Idle(next_) ? now + 1 : kNever;
}

}  // namespace flagstone
