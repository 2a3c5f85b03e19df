// The models of rtl/common: parts that many blocks are made of, each driven alone in tests.
// What a part may be given is said in its RTL; the models take no more than that.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_COMMON_PARTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_COMMON_PARTS_H_

#include <cstdint>
#include <deque>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/common/running_tbs.h"
#include "gpu_model/blocks/field.h"
#include "gpu_model/blocks/sm_mask.h"

namespace flagstone {

struct FifoIn {
  bool push = false;
  uint64_t data = 0;
  bool pop = false;
};
struct FifoOut {
  bool valid = false;
  uint64_t data = 0;  // under valid
};

class Fifo final : public Block<FifoIn, FifoOut> {
 public:
  void Reset() override;
  const FifoOut& Outputs() const override { return out_; }
  void Tick(const FifoIn& in) override;
  bool Idle(const FifoIn& in) const override { return !in.push && !in.pop; }

 private:
  std::deque<uint64_t> entries_;
  FifoOut out_;
};

// `width`: 1 to 64.
FieldTable<FifoIn> FifoInputs(uint32_t width);
FieldTable<FifoOut> FifoOutputs(uint32_t width);

struct RoundRobinIn {
  SmMask request = {};
  uint32_t first = 0;  // below the number of requesters
};
struct RoundRobinOut {
  bool valid = false;
  SmMask grant = {};
  uint32_t index = 0;
  uint32_t after = 0;  // under valid
};

// No registers: all outputs follow the inputs within the cycle.
class RoundRobinPick final : public Block<RoundRobinIn, RoundRobinOut> {
 public:
  explicit RoundRobinPick(uint32_t count) : count_(count) {}
  void Reset() override {}
  const RoundRobinOut& Outputs() const override { return out_; }
  const RoundRobinOut& Settle(const RoundRobinIn& in) override;
  void Tick(const RoundRobinIn& /*in*/) override {}
  bool Idle(const RoundRobinIn& /*in*/) const override { return true; }

 private:
  uint32_t count_;
  RoundRobinOut out_;
};

// `count`: 1 to kMaxSms requesters.
FieldTable<RoundRobinIn> RoundRobinInputs(uint32_t count);
FieldTable<RoundRobinOut> RoundRobinOutputs(uint32_t count);

struct OutstandingIn {
  SmMask issue = {};
  SmMask done = {};
};
struct OutstandingOut {
  bool none = true;
  bool adding = false;
};

class OutstandingTbs final : public Block<OutstandingIn, OutstandingOut> {
 public:
  void Reset() override;
  const OutstandingOut& Outputs() const override { return out_; }
  void Tick(const OutstandingIn& in) override;
  bool Idle(const OutstandingIn& in) const override {
    return !out_.adding && !Any(in.issue) && !Any(in.done);
  }

 private:
  RunningTbs running_;
  OutstandingOut out_;
};

FieldTable<OutstandingIn> OutstandingInputs(uint32_t num_sms);
FieldTable<OutstandingOut> OutstandingOutputs(uint32_t num_sms);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_COMMON_PARTS_H_
