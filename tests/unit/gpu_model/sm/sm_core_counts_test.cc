// What an SM says of itself while it runs.
#include <gtest/gtest.h>

#include "tests/unit/gpu_model/sm/sm_core_bench.h"

namespace flagstone {
namespace sm_core_counts_test {

TEST_F(SmCoreTest, IsNotDrainedWhileAWarpRunsThatAsksNothingOfMemory) {
  EXPECT_TRUE(sm_->Drained());
  Offer(3);
  Tick();
  EXPECT_FALSE(sm_->Drained());
}

TEST_F(SmCoreTest, ProgressIsAnIssueOrAReply) {
  Offer(3);
  RunUntilQuiet();
  const uint64_t issued = sm_->last_progress();
  EXPECT_GT(issued, 0U);
  for (int i = 0; i < 10; ++i) Tick();
  EXPECT_EQ(sm_->last_progress(), issued) << "all wait for memory";
  AnswerReads();
  Tick();
  EXPECT_EQ(sm_->last_progress(), now_ - 1);
}

// Each thread of a TB loads a line of its own; a TB's lines just fit into the L1.
class LineOfItsOwnTest : public SmCoreTest {
 protected:
  LineOfItsOwnTest()
      : SmCoreTest(
            ".version 6.0 .target sm_35 .address_size 64\n"
            ".visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
            "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 128;\n"
            "add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; ret; }",
            32) {}
};

TEST_F(LineOfItsOwnTest, HitsCountInTheirOwnCyclesThoughTheyAreAnsweredBefore) {
  Offer(0);
  for (int i = 0; i < 300; ++i) {
    Tick();
    if (port_.packets.empty()) continue;
    sm_->Accept(port_.packets.front().second);
    port_.packets.erase(port_.packets.begin());
  }
  ASSERT_EQ(sm_->completed(), 1U);
  ASSERT_EQ(sm_->L1(now_).misses, 32U);
  Offer(1);
  uint64_t hits = 0;
  while (sm_->completed() < 2) {
    Tick();
    const L1Statistics counted = sm_->L1(now_);
    EXPECT_LE(counted.hits, hits + 1) << "cycle " << now_;
    EXPECT_EQ(counted.accesses, 32U + counted.hits) << "cycle " << now_;
    EXPECT_EQ(counted.loads, counted.accesses) << "cycle " << now_;
    hits = counted.hits;
  }
  EXPECT_EQ(hits, 32U);
}

}  // namespace sm_core_counts_test
}  // namespace flagstone
