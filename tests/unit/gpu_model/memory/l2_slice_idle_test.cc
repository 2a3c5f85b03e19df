// When a slice has something to do, and when it has nothing left.
#include <gtest/gtest.h>

#include "tests/unit/gpu_model/memory/l2_slice_fixture.h"

namespace flagstone {
namespace l2_slice_test {

TEST_F(L2SliceTest, IsNotDrainedWhileAWriteThatNobodyWaitsForIsInItsPipeline) {
  EXPECT_TRUE(slice_.Drained());
  Ask(3, 1, 0, PacketKind::kWrite);
  EXPECT_FALSE(slice_.Drained());
  RunUntil(5);
  EXPECT_FALSE(slice_.Drained());
  RunUntil(60);
  EXPECT_TRUE(slice_.Drained());
}

TEST_F(L2SliceTest, IsDueInEachCycleInWhichItHasSomethingToSend) {
  EXPECT_EQ(slice_.NextWork(0), kNever);
  dram_.open = false;
  Ask(3, 1);
  EXPECT_EQ(slice_.NextWork(0), 1U);
  RunUntil(2);
  EXPECT_EQ(slice_.NextWork(1), 20U) << "the end of its pipeline";
  RunUntil(50);
  EXPECT_EQ(slice_.NextWork(49), 50U) << "a miss waits for the DRAM";
  dram_.open = true;
  RunUntil(60);
  EXPECT_EQ(slice_.NextWork(59), kNever) << "only an answer helps";
  replies_.open = false;
  slice_.DramReply(dram_.requests.at(0).second.tag, 1);
  EXPECT_EQ(slice_.NextWork(59), 60U);
  RunUntil(70);
  EXPECT_EQ(slice_.NextWork(69), 70U) << "a reply waits for its port";
}

}  // namespace l2_slice_test
}  // namespace flagstone
