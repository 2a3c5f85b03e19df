#include "gpu_model/sm/writeback.h"

#include <gtest/gtest.h>

#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {
namespace writeback_test {

// A TB whose warp 0 waits for its load, and warp 1 at nothing.
class WritebackTest : public testing::Test, public TbEndSink {
 protected:
  WritebackTest() {
    tbs_.Connect(this);
    tbs_.Start(0);
    for (uint32_t warp = 0; warp < 2; ++warp) {
      warps_.Start(warp, 0, warp);
      warps_.SetNext(warp, SmKernel::kAdd, true);
    }
  }
  void EndTb(uint32_t) override { ended_ = true; }
  void TickAt(uint64_t cycle) {
    tbs_.SetCycle(cycle);
    writeback_.Tick();
  }
  void Load() {
    warps_.Reserve(0, SmKernel::kLoad, true);
    warps_.SetNext(0, SmKernel::kAdd, true);
    tbs_.Begin(0, 1);
  }

  SmKernel kernel_;
  const SmConfig config_ = MachineConfig::Load("tiny", {}).sm;
  TbLink link_;
  WarpTable warps_{kernel_.program(), config_};
  TbSlots tbs_{kernel_.program(), 1, 0, &link_};
  Writeback writeback_{config_, &warps_, &tbs_};
  bool ended_ = false;
};

TEST_F(WritebackTest, ALoadsResultIsWrittenInItsCycle) {
  Load();
  TickAt(10);
  writeback_.LoadDone(0, SmKernel::kLoad, 12);
  EXPECT_EQ(writeback_.NextCycle(10), 12U);
  TickAt(11);
  EXPECT_EQ(warps_.ready(), 0b10U);
  TickAt(12);
  EXPECT_EQ(warps_.ready(), 0b11U);
  EXPECT_TRUE(writeback_.empty());
}

TEST_F(WritebackTest, AResultThatCanBeUsedNowIsWrittenAtOnce) {
  Load();
  TickAt(10);
  writeback_.LoadDone(0, SmKernel::kLoad, 10);
  EXPECT_EQ(warps_.ready(), 0b11U);
  EXPECT_TRUE(writeback_.empty());
}

TEST_F(WritebackTest, AResultOnItsWayHoldsItsTb) {
  TickAt(10);
  warps_.Reserve(1, SmKernel::kThread, false);
  writeback_.ResultAt(14, 1, SmKernel::kThread);
  tbs_.WarpExited(0);
  tbs_.WarpExited(0);
  EXPECT_FALSE(ended_);
  TickAt(14);
  EXPECT_TRUE(ended_);
}

TEST_F(WritebackTest, AStoredSectorOnItsWayHoldsItsTb) {
  tbs_.Begin(0, 4);
  tbs_.WarpExited(0);
  tbs_.WarpExited(0);
  writeback_.StoreDone(0, 3);
  EXPECT_FALSE(ended_);
  writeback_.StoreDone(0, 1);
  EXPECT_TRUE(ended_);
}

TEST_F(WritebackTest, AWarpGoesOnAfterItsBranch) {
  warps_.AwaitControl(0);
  warps_.SetNext(0, SmKernel::kAdd, true);
  TickAt(10);
  writeback_.ControlAt(13, 0);
  TickAt(12);
  EXPECT_EQ(warps_.ready(), 0b10U);
  TickAt(13);
  EXPECT_EQ(warps_.ready(), 0b11U);
}

TEST_F(WritebackTest, EveryResultPassesTheStagesOfTheWriteback) {
  SmConfig deep = config_;
  deep.writeback_latency = 6;
  Writeback writeback(deep, &warps_, &tbs_);
  Load();
  TickAt(10);
  writeback.LoadDone(0, SmKernel::kLoad, 10);
  writeback.ResultAt(14, 1, SmKernel::kAdd);
  EXPECT_EQ(writeback.NextCycle(10), 15U);
  EXPECT_EQ(writeback.NextCycle(15), 19U);
  writeback.ControlAt(12, 1);  // a branch has no result
  EXPECT_EQ(writeback.NextCycle(10), 12U);
}

}  // namespace writeback_test
}  // namespace flagstone
