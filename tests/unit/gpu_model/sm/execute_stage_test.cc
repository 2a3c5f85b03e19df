// What issued instructions leave behind: results to wait for, barriers, counts.
#include "gpu_model/sm/execute_stage.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/sm/sm_stages.h"

namespace flagstone {
namespace execute_stage_test {

class ExecuteStageTest : public testing::Test {
 protected:
  // With a TB of so many threads in slot 0.
  void Start(const std::string& body, uint32_t threads,
             const std::vector<std::string>& settings = {}) {
    sm_ = std::make_unique<SmStages>(body, threads, settings);
    sm_->execute->StartTb(0);
  }
  // Issues the warp's next instructions one after the other, whatever they wait for.
  void Issue(uint32_t warp, int count = 1) {
    for (; count > 0; --count) sm_->execute->Issue(warp, 10);
  }
  SmStatistics Counted() const {
    SmStatistics statistics;
    sm_->execute->AddTo(&statistics);
    return statistics;
  }
  WarpMask ready() const { return sm_->warps->ready(); }
  WarpMask stalled() const { return sm_->warps->stalled(); }

  std::unique_ptr<SmStages> sm_;
};

TEST_F(ExecuteStageTest, CountsTheOperationsOfTheLanesThatExecute) {
  Start("add.s32 %r1, %r2, 1; mad.lo.s32 %r3, %r1, %r1, %r1; ret;", 40);
  Issue(0, 2);
  Issue(1);  // of eight lanes
  const SmStatistics counted = Counted();
  EXPECT_EQ(counted.operations[static_cast<size_t>(LaneWork::kInteger)], 40U);
  EXPECT_EQ(counted.operations[static_cast<size_t>(LaneWork::kIntMul)], 32U);
  EXPECT_EQ(counted.lanes[0], 1U);
  EXPECT_EQ(counted.lanes[3], 2U);
}

TEST_F(ExecuteStageTest, TheResultOfASingleLaneIsWaitedFor) {
  Start("add.s32 %r1, %r2, 1; add.s32 %r3, %r1, 1; ret;", 1);
  EXPECT_EQ(ready(), 1U);
  Issue(0);
  EXPECT_EQ(ready(), 0U);
  EXPECT_EQ(stalled(), 0U) << "a pipe's result comes soon";
}

TEST_F(ExecuteStageTest, NobodyWaitsForAnInstructionThatNoLaneExecutes) {
  Start("setp.ne.s32 %q1, 1, 1; @%q1 add.s32 %r1, %r2, 1; add.s32 %r3, %r1, 1; ret;", 32);
  Issue(0);
  sm_->tbs->SetCycle(14);
  sm_->writeback->Tick();
  EXPECT_EQ(ready(), 1U);
  Issue(0);
  EXPECT_EQ(ready(), 1U);
  EXPECT_TRUE(sm_->writeback->empty());
}

TEST_F(ExecuteStageTest, OnlyGlobalMemoryIsFarEnoughToStallAWarp) {
  Start("ld.shared.u32 %r1, [s]; add.s32 %r2, %r1, 1; ret;", 32);
  Issue(0);
  EXPECT_EQ(ready(), 0U);
  EXPECT_EQ(stalled(), 0U) << "shared memory";
  EXPECT_EQ(Counted().shared_cycles, 1U);
  Start("ld.param.u64 %rd1, [p]; add.s64 %rd2, %rd1, 1; ret;", 32, {"sm.const_cache.size_kib=2"});
  Issue(0);
  EXPECT_EQ(ready(), 0U);
  EXPECT_EQ(stalled(), 0U) << "a parameter";
  Start("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; ret;", 32);
  Issue(0, 2);
  EXPECT_EQ(stalled(), 1U) << "global memory";
  EXPECT_EQ(Counted().shared_cycles, 0U);
}

TEST_F(ExecuteStageTest, ABarrierLetsItsOwnTbGoWhenTheLastWarpArrives) {
  Start("bar.sync 0; ret;", 64);
  sm_->execute->StartTb(1);
  Issue(0);
  Issue(2);  // of the other TB
  EXPECT_EQ(sm_->warps->barrier(), 0b0101U);
  Issue(1);
  EXPECT_EQ(sm_->warps->barrier(), 0b0100U);
  sm_->tbs->SetCycle(10 + sm_->machine.sm.control.latency);
  sm_->writeback->Tick();
  EXPECT_EQ(ready(), 0b1011U) << "warp 3 has not come to the barrier yet";
}

TEST_F(ExecuteStageTest, AWarpThatExitsReleasesThoseThatWaitForIt) {
  Start("mov.u32 %r1, %tid.x; setp.lt.u32 %q1, %r1, 32; @%q1 bra WAIT; ret; WAIT: bar.sync 0; ret;",
        64);
  Issue(0, 4);
  EXPECT_EQ(sm_->warps->barrier(), 0b01U);
  Issue(1, 4);
  EXPECT_EQ(sm_->warps->live(), 0b01U);
  EXPECT_EQ(sm_->warps->barrier(), 0U);
}

}  // namespace execute_stage_test
}  // namespace flagstone
