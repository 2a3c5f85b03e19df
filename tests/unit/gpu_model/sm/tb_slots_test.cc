#include "gpu_model/sm/tb_slots.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/gpu_model/sm/sm_kernel.h"

namespace flagstone {
namespace tb_slots_test {

class TbSlotsTest : public testing::Test, public TbEndSink {
 protected:
  static constexpr uint32_t kSm = 200;

  TbSlotsTest() { tbs_.Connect(this); }
  void EndTb(uint32_t slot) override { ended_.push_back(slot); }
  void Exit(uint32_t slot) {
    for (int warp = 0; warp < 2; ++warp) tbs_.WarpExited(slot);
  }

  SmKernel kernel_;
  TbLink link_;
  TbSlots tbs_{kernel_.program(), 2, kSm, &link_};
  std::vector<uint32_t> ended_;
};

TEST_F(TbSlotsTest, ATbGoesOverWhereItIsOfferedToAFreeSlot) {
  EXPECT_FALSE(tbs_.Offered());
  SetBit(&link_.valid, kSm);
  link_.id[kSm] = 5;
  EXPECT_TRUE(tbs_.Offered());
  EXPECT_EQ(tbs_.OfferedTb(), 5U);
  EXPECT_EQ(tbs_.Start(5), 0U);
  EXPECT_EQ(tbs_.block(0).tb(), 5U);
  tbs_.Show();
  EXPECT_TRUE(tbs_.Offered());
  EXPECT_EQ(tbs_.Start(6), 1U);
  EXPECT_FALSE(tbs_.NothingToShow());
  tbs_.Show();  // both slots are taken
  EXPECT_FALSE(tbs_.Offered());
  EXPECT_EQ(tbs_.used(), 2U);
}

TEST_F(TbSlotsTest, ATbEndsWhenNothingOfItIsUnderWay) {
  tbs_.Start(5);
  tbs_.Begin(0, 3);
  Exit(0);
  tbs_.End(0, 2);
  EXPECT_TRUE(ended_.empty());
  EXPECT_EQ(tbs_.completed(), 0U);
  tbs_.End(0, 1);
  EXPECT_EQ(ended_, std::vector<uint32_t>{0});
  EXPECT_EQ(tbs_.completed(), 1U);
  EXPECT_FALSE(tbs_.Drained());  // the TB scheduler does not know yet
  tbs_.Show();
  EXPECT_TRUE(TestBit(link_.done, kSm));
  EXPECT_TRUE(tbs_.Drained());
}

TEST_F(TbSlotsTest, TellsOneEndUntilItHasBeenTaken) {
  tbs_.Start(5);
  tbs_.Start(6);
  Exit(1);
  Exit(0);
  EXPECT_EQ(ended_, (std::vector<uint32_t>{1, 0}));
  tbs_.Show();
  tbs_.Show();
  EXPECT_TRUE(tbs_.HasUntold());
  link_.done = {};
  tbs_.Show();
  EXPECT_TRUE(TestBit(link_.done, kSm));
  EXPECT_FALSE(tbs_.HasUntold());
}

TEST_F(TbSlotsTest, WritesDownWhenATbBeginsAndEnds) {
  TbLog log(2);
  tbs_.KeepLog(&log);
  tbs_.SetCycle(10);
  tbs_.Start(5);
  tbs_.SetCycle(30);
  Exit(0);
  ASSERT_EQ(log.spans().size(), 1U);
  EXPECT_EQ(log.spans()[0].tb, 5U);
  EXPECT_EQ(log.spans()[0].from, 10U);
  EXPECT_EQ(log.spans()[0].to, 30U);
}

}  // namespace tb_slots_test
}  // namespace flagstone
