#include "gpu_model/dispatch/tb_dispatch.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/gpu_model/dispatch/tb_dispatch_bench.h"

namespace flagstone {
namespace tb_dispatch_test {

TEST_F(TbDispatchTest, StartsOnceWithTheQueue) {
  EXPECT_TRUE(dispatch_->busy());
  Tick();
  Tick();
  ASSERT_EQ(block_.seen.size(), 1U);  // the second tick had no event
  EXPECT_TRUE(block_.seen[0].start);
  EXPECT_EQ(block_.seen[0].queue_base, base_);
  EXPECT_EQ(block_.seen[0].queue_count, 1U);
  EXPECT_EQ(block_.seen[0].steal_rule, StealRule::kWhenFree);
  EXPECT_EQ(dispatch_->NextWork(now_ - 1), kNever);
}

TEST_F(TbDispatchTest, CarriesAReadThroughTheInterconnectAndBack) {
  Tick();
  const uint64_t value = 0x1122334455667788;
  std::memcpy(memory_.At(base_ + 32), &value, 8);
  block_.out.mem_req_valid = true;
  block_.out.mem_req_addr = base_ + 32;
  block_.out.mem_req_size = 16;
  Tick();
  block_.out.mem_req_valid = false;
  ASSERT_EQ(port_.packets.size(), 1U);
  const Packet packet = port_.packets[0].second;
  EXPECT_EQ(packet.line, LineOf(base_));
  EXPECT_EQ(packet.sectors, 0b0010);
  EXPECT_EQ(packet.origin, 0U);
  EXPECT_FALSE(dispatch_->Drained());
  const size_t before = block_.seen.size();
  Tick();
  EXPECT_EQ(block_.seen.size(), before);
  dispatch_->Accept(packet);
  Tick();
  ASSERT_EQ(block_.seen.size(), before + 1);
  EXPECT_TRUE(block_.seen.back().mem_rsp_valid);
  EXPECT_EQ(block_.seen.back().mem_rsp_data[0], value);
  EXPECT_TRUE(dispatch_->Drained());
}

TEST_F(TbDispatchTest, IsDueInTheNextCycleAfterATickAndWhileAReadCannotBeSent) {
  Tick();
  EXPECT_EQ(dispatch_->NextWork(now_ - 1), now_);  // the start was a tick
  port_.open = false;
  block_.out.mem_req_valid = true;
  block_.out.mem_req_addr = base_;
  block_.out.mem_req_size = 2;
  Tick();
  block_.out.mem_req_valid = false;
  Tick();  // without an event: no tick
  EXPECT_TRUE(port_.packets.empty());
  EXPECT_EQ(dispatch_->NextWork(now_ - 1), now_);
  port_.open = true;
  Tick();
  ASSERT_EQ(port_.packets.size(), 1U);
  EXPECT_EQ(dispatch_->NextWork(now_ - 1), kNever);
}

TEST_F(TbDispatchTest, AnswersComeInTheOrderOfTheRequests) {
  Tick();
  block_.out.mem_req_valid = true;
  block_.out.mem_req_size = 2;
  for (uint64_t i = 0; i < 2; ++i) {
    const auto id = static_cast<uint16_t>(7 + i);
    std::memcpy(memory_.At(base_ + 2 * i), &id, 2);
    block_.out.mem_req_addr = base_ + 2 * i;
    Tick();
  }
  block_.out.mem_req_valid = false;
  ASSERT_EQ(port_.packets.size(), 2U);
  dispatch_->Accept(port_.packets[1].second);
  Tick();
  EXPECT_FALSE(block_.seen.back().mem_rsp_valid);
  dispatch_->Accept(port_.packets[0].second);
  Tick();
  EXPECT_EQ(block_.seen.back().mem_rsp_data[0], 7U);
  Tick();
  EXPECT_EQ(block_.seen.back().mem_rsp_data[0], 8U);
}

TEST_F(TbDispatchTest, AReadOutsideTheImageFailsTheRun) {
  Tick();
  block_.out.mem_req_valid = true;
  block_.out.mem_req_addr = 64;
  block_.out.mem_req_size = 2;
  EXPECT_EQ(Failure(), "cycle 1: tb_scheduler reads 2 bytes at 0x40, outside the TB queue image");
}

TEST_F(TbDispatchTest, CountsCyclesInWhichAFreeContextWaits) {
  Tick();
  SetBit(&link_.ready, 0);
  SetBit(&link_.ready, 1);
  Tick();  // cycle 1: both wait from here on
  now_ = 11;
  SetBit(&link_.valid, 1);
  Tick();  // cycle 11: one still waits; the offer to the other is taken
  now_ = 16;
  Tick();
  EXPECT_EQ(dispatch_->statistics().wait_cycles, 2U * 10 + 5);
}

TEST_F(TbDispatchTest, ATbTwiceOrOutOfRangeFailsTheRun) {
  Tick();
  SetBit(&link_.ready, 0);
  SetBit(&block_.out.tb_valid, 0);
  block_.out.tb_id[0] = 3;
  Tick();
  EXPECT_EQ(dispatch_->statistics().issued, 1U);
  EXPECT_EQ(Failure(), "cycle 2: tb_scheduler issued TB 3 twice, now to sm0");
  block_.out.tb_id[0] = 4;
  EXPECT_EQ(Failure(), "cycle 2: tb_scheduler issued TB 4 to sm0, but the launch has 4 TBs");
}

}  // namespace tb_dispatch_test
}  // namespace flagstone
