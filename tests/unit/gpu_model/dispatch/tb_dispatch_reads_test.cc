// How the reads of the TB queues are answered, and whom the TB scheduler's end wakes.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/gpu_model/dispatch/tb_dispatch_bench.h"

namespace flagstone {
namespace tb_dispatch_reads_test {

TEST_F(TbDispatchTest, AnAnswerBelongsToItsReadAlsoAfterEarlierOnes) {
  Tick();
  for (uint16_t i = 0; i < 3; ++i) {
    const uint16_t id = 70 + i;
    std::memcpy(memory_.At(base_ + 2 * i), &id, 2);
  }
  Read(0, 2);
  dispatch_->Accept(port_.packets.at(0).second);
  Tick();
  EXPECT_EQ(block_.seen.back().mem_rsp_data[0], 70U);
  Read(2, 2);
  Read(4, 2);
  dispatch_->Accept(port_.packets.at(2).second);
  Tick();
  EXPECT_FALSE(block_.seen.back().mem_rsp_valid);
  dispatch_->Accept(port_.packets.at(1).second);
  for (const uint64_t id : {71U, 72U}) {
    Tick();
    EXPECT_TRUE(block_.seen.back().mem_rsp_valid);
    EXPECT_EQ(block_.seen.back().mem_rsp_data[0], id);
  }
  EXPECT_TRUE(dispatch_->Drained());
}

// The queues lie in a memory of their own, which takes seven cycles.
class OwnQueueMemoryTest : public TbDispatchTest {
 protected:
  OwnQueueMemoryTest() : TbDispatchTest(7) {}
};

TEST_F(OwnQueueMemoryTest, AnswersAfterItsLatencyWithoutTraffic) {
  const uint16_t id = 9;
  std::memcpy(memory_.At(base_), &id, 2);
  Tick();
  const uint64_t asked = now_;
  Read(0, 2);
  Tick();  // the tick of the read itself may have changed the wires
  EXPECT_EQ(dispatch_->NextWork(now_ - 1), asked + 7);
  while (now_ < asked + 7) {
    Tick();
    EXPECT_FALSE(block_.seen.back().mem_rsp_valid) << "cycle " << now_ - 1;
  }
  Tick();
  EXPECT_TRUE(block_.seen.back().mem_rsp_valid);
  EXPECT_EQ(block_.seen.back().mem_rsp_data[0], 9U);
  EXPECT_TRUE(port_.packets.empty());
  EXPECT_TRUE(dispatch_->Drained());
}

class CountingWaker final : public Waker {
 public:
  void Wake(uint32_t) override { ++count; }

  int count = 0;
};

TEST_F(TbDispatchTest, WakesTheRootWhenTheBlockBeginsOrEnds) {
  CountingWaker waker;
  FakeSm root;
  root.ConnectWaker(&waker, 0);
  dispatch_->ConnectRoot(&root);
  const auto event = [this](bool busy) {
    SetBit(&link_.done, 0);
    block_.busy_after_tick = busy;
    Tick();
  };
  Tick();
  EXPECT_EQ(waker.count, 0);
  event(true);
  EXPECT_EQ(waker.count, 1);
  event(true);
  EXPECT_EQ(waker.count, 1);
  event(false);
  EXPECT_EQ(waker.count, 2);
}

}  // namespace tb_dispatch_reads_test
}  // namespace flagstone
