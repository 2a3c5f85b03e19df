// The hand-over of TBs to an SM and the traffic it makes.
#include "gpu_model/sm/sm_core.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/sm/sm_core_bench.h"

namespace flagstone {
namespace sm_core_test {

TEST_F(SmCoreTest, SleepsUntilATbIsOffered) {
  EXPECT_EQ(sm_->NextWork(0), kNever);
  EXPECT_TRUE(TestBit(link_.ready, 0));
  Offer(3);
  EXPECT_EQ(sm_->NextWork(0), 1U);
}

TEST_F(SmCoreTest, SleepsWhileAllWarpsWaitForMemoryAndSaysSo) {
  Offer(3);
  RunUntilQuiet();
  ASSERT_EQ(port_.packets.size(), 2U);  // two warps, one line each
  EXPECT_EQ(port_.packets[0].second.line, LineOf(address_));
  EXPECT_EQ(port_.packets[1].second.line, LineOf(address_) + 1);
  std::vector<std::string> lines;
  sm_->DescribeWaiting(8, &lines);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "sm0 warp 0 (TB 3, k.ptx:12): memory");
  EXPECT_FALSE(sm_->Drained());
}

TEST_F(SmCoreTest, ATbIsDoneOnceItsWarpsHaveExitedAndItsStoresAreSent) {
  Offer(3);
  RunUntilQuiet();
  AnswerReads();
  port_.open = false;  // the stores stay in the miss queue
  for (int i = 0; i < 200; ++i) Tick();
  EXPECT_EQ(done_, 0U);
  EXPECT_EQ(sm_->completed(), 0U);
  port_.open = true;
  RunUntilQuiet();
  Tick();
  EXPECT_EQ(done_, 1U);
  EXPECT_EQ(port_.packets.size(), 2U);
  EXPECT_TRUE(sm_->Drained());
  EXPECT_EQ(sm_->warp_instructions(), 16U);
  EXPECT_EQ(sm_->thread_instructions(), 16U * 32);
  uint32_t first = 0;
  std::memcpy(&first, memory_.At(address_), 4);
  EXPECT_EQ(first, 1U);
}

TEST_F(SmCoreTest, ReadyFallsWhenTheContextsAreTaken) {
  Offer(0);
  Tick();
  EXPECT_TRUE(TestBit(link_.ready, 0));
  Offer(1);
  Tick();
  EXPECT_FALSE(TestBit(link_.ready, 0));
  Offer(2);
  RunUntilQuiet();
  EXPECT_TRUE(TestBit(link_.valid, 0));  // not taken
}

TEST_F(SmCoreTest, ReportsAtMostOneCompletedTbACycle) {
  Offer(0);
  Tick();
  Offer(1);
  RunUntilQuiet();
  AnswerReads();
  for (int i = 0; i < 300; ++i) Tick();
  EXPECT_EQ(done_, 2U);
  EXPECT_EQ(sm_->completed(), 2U);
}

// A kernel that does nothing but print the string at its argument.
class PrintingSmTest : public SmCoreTest {
 protected:
  PrintingSmTest()
      : SmCoreTest(
            ".version 6.0 .target sm_35 .address_size 64\n"
            ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
            ".entry k(.param .u64 p) { .reg .b32 %r; .reg .b64 %d; ld.param.u64 %d, [p];\n"
            "call (%r), vprintf, (%d, 0); ret; }") {
    std::memcpy(memory_.At(address_), "+", 2);
  }
};

TEST_F(PrintingSmTest, WritesTheTextOfItsThreads) {
  testing::internal::CaptureStderr();
  Offer(3);
  RunUntilQuiet();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), std::string(64, '+'));
}

}  // namespace sm_core_test
}  // namespace flagstone
