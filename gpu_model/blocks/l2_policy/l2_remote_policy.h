// LADM's caching of remote lines as a block: the model of rtl/memory/l2_remote_policy.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_L2_REMOTE_POLICY_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_L2_REMOTE_POLICY_H_

#include <cstdint>

#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/l2_policy/l2_decision.h"
#include "gpu_model/blocks/l2_policy/ports.h"

namespace flagstone {

struct L2PolicySize {
  uint32_t lanes = 1;
  uint32_t node_bits = 1;
};

class L2RemotePolicy final : public L2Policy {
 public:
  explicit L2RemotePolicy(const L2PolicySize& size) : size_(size) {}

  void Reset() override {
    out_ = {};
    node_ = 0;
    once_ = caching_ = false;
  }
  const L2PolicyOut& Outputs() const override { return out_; }
  void Tick(const L2PolicyIn& in) override;
  bool Idle(const L2PolicyIn& in) const override { return kL2PolicyEvents.idle(out_, in, in); }

 private:
  void Decide(const L2PolicyIn& in, uint32_t lane);

  L2PolicySize size_;
  uint32_t node_ = 0;
  bool once_ = false, caching_ = false;
  L2PolicyOut out_;
};

// The decision that lane `lane` shows.
L2Decision DecisionOf(const L2PolicyOut& out, uint32_t lane);

const BlockDescriptor& L2PolicyDescriptor();
// Throws kBadInput for a size out of range.
BlockType<L2PolicyIn, L2PolicyOut> L2PolicyType(const L2PolicySize& size);
BlockType<L2PolicyIn, L2PolicyOut> L2PolicyType(const RtlParameters& parameters);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_L2_REMOTE_POLICY_H_
