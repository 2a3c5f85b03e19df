// The TB scheduler's place in the machine, with a scripted block in it.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_DISPATCH_TB_DISPATCH_BENCH_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_DISPATCH_TB_DISPATCH_BENCH_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu_model/dispatch/tb_dispatch.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {

// A TB scheduler that shows what the test says.
class ScriptedTbScheduler : public TbScheduler {
 public:
  void Reset() override {}
  const TbSchedulerOut& Outputs() const override { return out; }
  void Tick(const TbSchedulerIn& in) override {
    seen.push_back(in);
    out.busy = busy_after_tick;
  }
  bool Idle(const TbSchedulerIn& in) const override { return out.quiescent && !HasEvent(out, in); }

  TbSchedulerOut out;
  bool busy_after_tick = false;
  std::vector<TbSchedulerIn> seen;
};

class FakeSm : public Clocked {
 public:
  void Sample(uint64_t) override {}
  void Commit(uint64_t) override {}
  uint64_t NextWork(uint64_t) const override { return kNever; }
  bool Drained() const override { return true; }
  std::string Leftover() const override { return ""; }
};

class TbDispatchTest : public testing::Test {
 protected:
  explicit TbDispatchTest(uint64_t queue_latency = 0) {
    base_ = memory_.Allocate("tb_queue", 64, false);
    TbDispatchSetup setup;
    setup.block = &block_;
    setup.link = &link_;
    setup.memory = &memory_;
    setup.sms = 2;
    setup.tb_count = 4;
    setup.ledger = &ledger_;
    setup.queue_base = base_;
    setup.queue_count = 1;
    setup.steal_rule = StealRule::kWhenFree;
    setup.queue_latency = queue_latency;
    dispatch_ = std::make_unique<TbDispatch>(setup);
    dispatch_->Connect(&port_, {&sms_[0], &sms_[1]});
  }
  void Tick() {
    dispatch_->Sample(now_);
    dispatch_->Commit(now_++);
  }
  // The block asks for `bytes` at the queue's byte `offset`.
  void Read(uint64_t offset, uint32_t bytes) {
    block_.out.mem_req_valid = true;
    block_.out.mem_req_addr = base_ + offset;
    block_.out.mem_req_size = bytes;
    Tick();
    block_.out.mem_req_valid = false;
  }
  std::string Failure() {
    try {
      Tick();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
      return error.what();
    }
    return "";
  }

  DeviceMemory memory_;
  uint64_t base_ = 0;
  ScriptedTbScheduler block_;
  TbLink link_;
  TbLedger ledger_{4};
  FakeSm sms_[2];
  std::unique_ptr<TbDispatch> dispatch_;
  RecordingPort port_;
  uint64_t now_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_DISPATCH_TB_DISPATCH_BENCH_H_
