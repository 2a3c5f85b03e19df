// Runs the L2 policy block of a node: its wires to the node's slices.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_L2_POLICY_UNIT_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_L2_POLICY_UNIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/clocked.h"
#include "gpu_model/blocks/l2_policy/l2_decision.h"
#include "gpu_model/blocks/l2_policy/ports.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// Who asks, and is answered in the order of its requests, lane by lane.
class L2PolicyClient {
 public:
  virtual ~L2PolicyClient() = default;
  virtual void Decided(uint32_t lane, const L2Decision& decision) = 0;
};

// What the policy is told at the start of a launch.
struct L2PolicyMode {
  uint32_t node = 0;
  bool once = false;  // RONCE
  bool remote_caching = true;
};

// Each slice has two lanes, since a request of its SMs and one of another node may enter its
// pipeline in the same cycle. An answer comes two cycles after the request.
class L2PolicyUnit final : public Clocked {
 public:
  static constexpr uint32_t kLanes = 2;  // of a slice
  static uint32_t LaneOf(uint32_t slice, bool from_fabric) {
    return kLanes * slice + (from_fabric ? 1 : 0);
  }

  // `block` must outlive it.
  L2PolicyUnit(L2Policy* block, const L2PolicyMode& mode, bool force_every_tick = false);
  // Slices in order.
  void Connect(L2PolicyClient* slice) { slices_.push_back(slice); }

  // In the Commit of a slice: at most one request a cycle and lane.
  void Ask(uint32_t lane, bool from_fabric, PacketKind kind, uint32_t home);

  void Sample(uint64_t now) override;
  void Commit(uint64_t now) override;
  uint64_t NextWork(uint64_t now) const override;
  bool Drained() const override { return !Any(next_.req_valid) && !Any(in_.req_valid); }
  std::string Leftover() const override { return "requests that nothing has been decided about"; }

 private:
  L2Policy* block_;
  bool force_every_tick_;
  std::vector<L2PolicyClient*> slices_;
  L2PolicyIn next_, in_;  // asked in this cycle; of the cycle before
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_L2_POLICY_UNIT_H_
