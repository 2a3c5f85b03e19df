#include "gpu_model/sm/warp_table.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {
namespace warp_table_test {

class WarpTableTest : public testing::Test {
 protected:
  WarpTableTest() {
    for (uint32_t warp = 0; warp < 2; ++warp) {
      warps_.Start(warp, 0, warp);
      warps_.SetNext(warp, 0, /*fetched=*/true);
    }
  }

  SmKernel kernel_;
  WarpTable warps_{kernel_.program(), MachineConfig::Load("tiny", {}).sm};
};

TEST_F(WarpTableTest, AStartedWarpIsReadyAndTheFirstOfItsTbLeads) {
  EXPECT_EQ(warps_.live(), 0b11U);
  EXPECT_EQ(warps_.live_count(), 2U);
  EXPECT_EQ(warps_.ready(), 0b11U);
  EXPECT_EQ(warps_.leading(), 0b01U);
  EXPECT_EQ(warps_.started(), 0b11U);
  EXPECT_EQ(warps_.wants(Unit::kConst), 0b11U);
  warps_.Begin();
  EXPECT_EQ(warps_.started(), 0U);
}

TEST_F(WarpTableTest, AWarpIsStalledUntilTheLoadThatItNeedsIsWritten) {
  warps_.Reserve(0, SmKernel::kLoad, /*from_memory=*/true);
  warps_.LoadBegins(0);
  warps_.SetNext(0, SmKernel::kAdd, true);
  EXPECT_EQ(warps_.ready(), 0b10U);
  EXPECT_EQ(warps_.stalled(), 0b01U);
  EXPECT_STREQ(warps_.Reason(0), "memory");
  warps_.LoadEnds(0);
  EXPECT_STREQ(warps_.Reason(0), "scoreboard");
  warps_.Release(0, SmKernel::kLoad);
  EXPECT_EQ(warps_.ready(), 0b11U);
  EXPECT_EQ(warps_.stalled(), 0U);
  EXPECT_STREQ(warps_.Reason(0), "");
}

TEST_F(WarpTableTest, AResultOfAPipeStallsNobodyForLong) {
  warps_.Reserve(1, SmKernel::kLoad, /*from_memory=*/false);
  warps_.SetNext(1, SmKernel::kAdd, true);
  EXPECT_EQ(warps_.ready(), 0b01U);
  EXPECT_EQ(warps_.stalled(), 0U);
}

TEST_F(WarpTableTest, NoWarpIsReadyBehindABarrierABranchOrAFetch) {
  warps_.AwaitControl(0);
  warps_.EnterBarrier(0);
  warps_.SetNext(0, SmKernel::kAdd, true);
  EXPECT_EQ(warps_.ready(), 0b10U);
  EXPECT_STREQ(warps_.Reason(0), "barrier");
  warps_.LeaveBarrier(0);
  EXPECT_STREQ(warps_.Reason(0), "branch");
  EXPECT_EQ(warps_.ready(), 0b10U);
  warps_.ControlDone(0);
  EXPECT_EQ(warps_.ready(), 0b11U);
  warps_.SetNext(0, SmKernel::kStore, /*fetched=*/false);
  EXPECT_EQ(warps_.ready(), 0b10U);
  EXPECT_STREQ(warps_.Reason(0), "instruction fetch");
  warps_.Fetched(0);
  EXPECT_EQ(warps_.ready(), 0b11U);
}

TEST_F(WarpTableTest, ItsVersionChangesWithEachOfItsMasks) {
  uint64_t version = warps_.version();
  const auto changed = [&] { return std::exchange(version, warps_.version()) != version; };
  EXPECT_FALSE(changed());
  warps_.AwaitControl(0);
  EXPECT_TRUE(changed());
  warps_.SetNext(0, SmKernel::kAdd, true);
  EXPECT_TRUE(changed());
  warps_.ControlDone(0);
  EXPECT_TRUE(changed());
  warps_.SetNext(0, SmKernel::kStore, false);
  EXPECT_TRUE(changed());
  warps_.Fetched(0);
  EXPECT_TRUE(changed());
  warps_.EnterBarrier(1);
  EXPECT_TRUE(changed());
  warps_.LeaveBarrier(1);
  EXPECT_TRUE(changed());
  warps_.Exit(1);
  EXPECT_TRUE(changed());
}

TEST_F(WarpTableTest, KnowsWhatUnitEachWarpWantsNext) {
  warps_.SetNext(0, SmKernel::kStore, true);
  EXPECT_EQ(warps_.wants(Unit::kConst), 0b10U);
  EXPECT_EQ(warps_.wants(Unit::kLoadStore), 0b01U);
  EXPECT_EQ(warps_.wants_load(), 0b01U);
}

TEST_F(WarpTableTest, AWarpMayStopToLead) {
  const uint64_t version = warps_.version();
  warps_.EndLead(0b10);
  EXPECT_EQ(warps_.leading(), 0b01U);
  EXPECT_EQ(warps_.version(), version) << "nothing has changed";
  warps_.EndLead(0b11);
  EXPECT_EQ(warps_.leading(), 0U);
  EXPECT_NE(warps_.version(), version);
}

TEST_F(WarpTableTest, AnExitedWarpIsFinishedInThatCycle) {
  warps_.SetNext(0, SmKernel::kStore, true);
  warps_.Exit(0);
  EXPECT_EQ(warps_.live(), 0b10U);
  EXPECT_EQ(warps_.live_count(), 1U);
  EXPECT_EQ(warps_.ready(), 0b10U);
  EXPECT_EQ(warps_.wants(Unit::kLoadStore), 0U);
  EXPECT_EQ(warps_.wants_load(), 0U);
  EXPECT_EQ(warps_.leading(), 0U);
  EXPECT_EQ(warps_.finished(), 0b01U);
  warps_.Begin();
  EXPECT_EQ(warps_.finished(), 0U);
}

}  // namespace warp_table_test
}  // namespace flagstone
