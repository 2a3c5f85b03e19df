// Warp schedulers that know which TBs are a group, on eligibility made by hand.
#include "gpu_model/blocks/warp_scheduler/group/group_order.h"

#include <gtest/gtest.h>

#include <array>

namespace flagstone {
namespace group_order_test {

using Rule = GroupOrderConfig::Rule;

constexpr uint32_t kNobody = 99;

class Bench {
 public:
  explicit Bench(const GroupOrderConfig& config) : scheduler_(GroupOrder(config)) {
    scheduler_.Reset();
  }

  void Start(WarpMask warps, uint32_t group) {
    in_.started = warps;
    in_.started_group = group;
    Tick(0);
  }
  void Finish(WarpMask warps) {
    in_.finished = warps;
    Tick(0);
  }
  // The warp issues, a load or something else.
  void Issue(uint32_t warp, bool load = true) {
    in_.issued_valid = true;
    in_.issued_warp = warp;
    in_.issued_load = load;
    Tick(0);
  }
  void Load(uint32_t warp, uint32_t loads) {
    for (uint32_t i = 0; i < loads; ++i) Issue(warp);
  }
  // Whom it grants if these can issue, once all counters have settled.
  uint32_t Grant(WarpMask eligible) {
    for (int i = 0; i < 8; ++i) Tick(0);
    return Tick(eligible);
  }
  // A cycle in which these can issue, and whoever was granted has issued.
  uint32_t Step(WarpMask eligible) {
    in_.issued_valid = scheduler_.Outputs().grant_valid;
    in_.issued_warp = scheduler_.Outputs().grant_warp;
    return Tick(eligible);
  }

 private:
  uint32_t Tick(WarpMask eligible) {
    in_.eligible = eligible;
    scheduler_.Tick(in_);
    in_.started = in_.finished = 0;
    in_.issued_valid = in_.issued_load = false;
    return scheduler_.Outputs().grant_valid ? scheduler_.Outputs().grant_warp : kNobody;
  }

  WarpSchedulerModel<GroupOrder> scheduler_;
  WarpSchedulerIn in_;
};

TEST(GroupOrder, StaysWithAGroupThenTakesTheOldest) {
  Bench turn({.rule = Rule::kTurn, .patience = 0});
  turn.Start(0b0001, 1);
  turn.Start(0b0010, 2);
  turn.Start(0b0100, 2);
  turn.Start(0b1000, 3);
  turn.Issue(1);
  EXPECT_EQ(turn.Grant(0b1101), 2U);
  EXPECT_EQ(turn.Grant(0b1001), 0U);
  EXPECT_EQ(turn.Grant(0b1000), 3U);
}

TEST(GroupOrder, WarpsOfAGroupInTurn) {
  Bench turn({.rule = Rule::kTurn, .patience = 0});
  turn.Start(0b0011, 0);
  turn.Start(0b0100, 1);
  turn.Start(0b1000, 0);
  turn.Issue(0, /*load=*/false);
  EXPECT_EQ(turn.Grant(0b1111), 1U);
  turn.Issue(1, /*load=*/false);
  EXPECT_EQ(turn.Grant(0b1111), 3U);
  turn.Issue(3, /*load=*/false);
  EXPECT_EQ(turn.Grant(0b1111), 0U);
}

TEST(GroupOrder, TheFurthestBehindFirst) {
  Bench behind({.rule = Rule::kBehind, .patience = 0});
  behind.Start(0b111, 0);
  behind.Load(0, 3);
  behind.Load(1, 12);
  behind.Load(2, 2);
  EXPECT_EQ(behind.Grant(0b111), 2U);
  EXPECT_EQ(behind.Grant(0b011), 0U);
  EXPECT_EQ(behind.Grant(0b010), 1U);
}

TEST(GroupOrder, OnlyLoadsAndStoresCount) {
  Bench behind({.rule = Rule::kBehind, .patience = 0});
  behind.Start(0b11, 0);
  behind.Load(0, 1);
  for (int i = 0; i < 9; ++i) behind.Issue(1, /*load=*/false);
  EXPECT_EQ(behind.Grant(0b11), 1U);
}

TEST(GroupOrder, ATbThatComesLaterBeginsLevelWithTheSlowest) {
  Bench behind({.rule = Rule::kBehind, .patience = 0});
  behind.Start(0b0011, 0);
  behind.Load(0, 6);
  behind.Load(1, 7);
  behind.Start(0b0100, 0);
  behind.Load(2, 1);
  EXPECT_EQ(behind.Grant(0b111), 0U);
}

TEST(GroupOrder, AWarpThatEndsHoldsNobodyBack) {
  Bench behind({.rule = Rule::kBehind, .patience = 0});
  behind.Start(0b111, 0);
  behind.Load(1, 3);
  behind.Load(2, 2);
  behind.Finish(0b001);
  EXPECT_EQ(behind.Grant(0b110), 2U);
  behind.Load(2, 2);
  EXPECT_EQ(behind.Grant(0b110), 1U);
}

TEST(GroupOrder, AWarpIsAsOldAsItsGroup) {
  Bench age({.rule = Rule::kAge, .patience = 0});
  age.Start(0b001, 1);
  age.Start(0b010, 2);
  age.Start(0b100, 1);
  EXPECT_EQ(age.Grant(0b110), 2U);
  age.Issue(1);
  EXPECT_EQ(age.Grant(0b110), 1U);
}

// Warp 0 is the oldest of all and never stalls.
TEST(GroupOrder, EachWarpThatCanIssueHasATurn) {
  constexpr uint32_t kPatience = 16;
  for (const Rule rule : {Rule::kTurn, Rule::kBehind, Rule::kAge}) {
    SCOPED_TRACE(static_cast<int>(rule));
    Bench group({.rule = rule, .num_warps = 8, .patience = kPatience});
    for (uint32_t warp = 0; warp < 8; ++warp) group.Start(WarpMask{1} << warp, warp);
    std::array<uint32_t, 8> waits = {};
    for (int cycle = 0; cycle < 4000; ++cycle) {
      const uint32_t granted = group.Step(0xff);
      ASSERT_LT(granted, 8U);
      for (uint32_t warp = 0; warp < 8; ++warp) {
        waits[warp] = warp == granted ? 0 : waits[warp] + 1;
        ASSERT_LE(waits[warp], 8 * kPatience + 2) << warp;
      }
    }
  }
}

TEST(GroupOrder, WithoutPatienceTheYoungestMayStarve) {
  Bench group({.rule = Rule::kAge, .num_warps = 8, .patience = 0});
  group.Start(0b01, 0);
  group.Start(0b10, 1);
  for (int cycle = 0; cycle < 1000; ++cycle) ASSERT_EQ(group.Step(0b11), 0U);
}

// More TBs than are told apart join the youngest one.
TEST(GroupOrder, TbsWithoutASlotJoinTheYoungest) {
  Bench group({.rule = Rule::kTurn, .tb_slots = 2, .patience = 0});
  group.Start(0b001, 0);
  group.Start(0b010, 1);
  group.Start(0b100, 0);
  group.Issue(1);
  EXPECT_EQ(group.Grant(0b101), 2U);
}

}  // namespace group_order_test
}  // namespace flagstone
