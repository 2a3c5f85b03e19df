// The warp scheduler that keeps groups of TBs together on each body: hand-made cycles and random
// ones.
#include "gpu_model/blocks/warp_scheduler/group/group_warp_scheduler.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "systemc/cosim/sm_blocks_factory.h"
#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/random_warps.h"

namespace flagstone {
namespace group_warp_scheduler_test {

constexpr uint32_t kNobody = 99;
constexpr uint32_t kNoTurns = 1023;

constexpr WarpMask Bit(uint32_t warp) { return WarpMask{1} << warp; }

class GroupWarpSchedulerTest : public testing::TestWithParam<Engine> {
 protected:
  void Make(const GroupWarpsConfig& config, uint64_t reset_seed = 1) {
    BodyOptions options;
    options.rtl.path = "gpu.sm0.warp_scheduler0";
    options.rtl.reset_seed = reset_seed;
    options.lockstep = &report_;
    block_ = MakeWarpSchedulerBody(GroupWarpsDescriptor().type({{"NumWarps", config.num_warps},
                                                                {"GroupWidth", config.group_bits},
                                                                {"CountWidth", config.count_bits},
                                                                {"AgeWidth", config.age_bits},
                                                                {"AgeSlots", config.age_slots},
                                                                {"Patience", config.patience}}),
                                   GetParam(), options);
    in_ = {};
  }
  // A window of 3 loads, and no turns in the time of a test.
  void Make() { Make({.num_warps = 8, .count_bits = 2, .age_slots = 1, .patience = kNoTurns}); }
  uint32_t Tick(WarpMask eligible) {
    in_.eligible = eligible;
    block_->Tick(in_);
    const WarpSchedulerOut& out = block_->Outputs();
    in_.started = in_.finished = 0;
    in_.issued_valid = in_.issued_load = false;
    return out.grant_valid ? out.grant_warp : kNobody;
  }
  void Start(WarpMask warps, uint32_t group) {
    in_.started = warps;
    in_.started_number = group;
    Tick(0);
  }
  void End(WarpMask warps) {
    in_.finished = warps;
    Tick(0);
  }
  // The warp is granted and issues, a load or something else.
  void Issue(uint32_t warp, bool load = true) {
    ASSERT_EQ(Tick(Bit(warp)), warp);
    in_.issued_valid = true;
    in_.issued_load = load;
    Tick(0);
  }
  void Load(uint32_t warp, uint32_t loads) {
    for (uint32_t i = 0; i < loads; ++i) Issue(warp);
  }
  // Whom it grants if these can issue, once its group is told and counters are lowered.
  uint32_t Grant(WarpMask eligible) {
    for (int i = 0; i < 4; ++i) Tick(0);
    return Tick(eligible);
  }
  // A cycle in which these can issue, and whoever was granted has issued.
  uint32_t Step(WarpMask eligible, bool load = false) {
    in_.issued_valid = block_->Outputs().grant_valid;
    in_.issued_load = in_.issued_valid && load;
    return Tick(eligible);
  }
  void TearDown() override {
    if (GetParam() == Engine::kLockstep) {
      EXPECT_GT(report_.compared_cycles, 0u);
    }
  }

  LockstepReport report_;
  std::unique_ptr<WarpScheduler> block_;
  WarpSchedulerIn in_;
};

TEST_P(GroupWarpSchedulerTest, StaysWithAWarpUntilItStalls) {
  Make();
  Start(0b1111, 0);
  EXPECT_EQ(Step(0b1100), 2U);
  EXPECT_EQ(Step(0b1111), 2U);
  EXPECT_EQ(Step(0b1011), 0U);
}

TEST_P(GroupWarpSchedulerTest, GivesWayOnceItIsAWindowAhead) {
  Make();
  Start(0b11, 0);
  Load(1, 2);
  EXPECT_EQ(Grant(0b11), 1U);
  Load(1, 1);
  EXPECT_EQ(Grant(0b11), 0U);
}

TEST_P(GroupWarpSchedulerTest, OnlyLoadsAndStoresCount) {
  Make();
  Start(0b11, 0);
  for (int i = 0; i < 9; ++i) Issue(1, /*load=*/false);
  EXPECT_EQ(Grant(0b11), 1U);
}

TEST_P(GroupWarpSchedulerTest, WhereNobodyIsNearTheLowestSlotComes) {
  Make();
  Start(0b0001, 1);
  Start(0b1110, 2);
  Load(2, 3);
  Load(3, 3);
  EXPECT_EQ(Grant(0b1111), 1U);
  Issue(3, /*load=*/false);
  EXPECT_EQ(Grant(0b0101), 0U);
}

TEST_P(GroupWarpSchedulerTest, CountersGoDownByOneOnceAllOfTheGroupHaveALoad) {
  Make();
  Start(0b11, 0);
  Load(1, 3);
  Issue(0);
  Issue(1, /*load=*/false);
  EXPECT_EQ(Grant(0b11), 1U);  // two ahead
  Issue(1);
  EXPECT_EQ(Grant(0b11), 0U);
  Load(0, 2);
  Issue(1, /*load=*/false);
  EXPECT_EQ(Grant(0b11), 1U);  // one ahead
}

TEST_P(GroupWarpSchedulerTest, AWarpThatLoadsAsCountersGoDownStaysWhereItIs) {
  Make();
  Start(0b11, 0);
  Load(1, 3);
  Issue(0);  // in the next cycle counters go down
  ASSERT_EQ(Tick(0b10), 1U);
  in_.issued_valid = in_.issued_load = true;
  EXPECT_EQ(Grant(0b11), 0U);
}

TEST_P(GroupWarpSchedulerTest, WhatIsDoneBeyondTheWindowIsNotCounted) {
  Make();
  Start(0b11, 0);
  Load(1, 9);
  Load(0, 2);
  Issue(1, /*load=*/false);
  EXPECT_EQ(Grant(0b11), 1U);
}

TEST_P(GroupWarpSchedulerTest, TbsOfOneGroupWaitForEachOther) {
  Make();
  Start(0b0011, 7);
  Start(0b1100, 7);
  Load(0, 3);
  Load(1, 3);
  EXPECT_EQ(Grant(0b1111), 2U);
}

TEST_P(GroupWarpSchedulerTest, TbsOfOtherGroupsDoNotWait) {
  Make();
  Start(0b1100, 7);
  Start(0b0011, 15);
  Load(2, 3);
  Load(3, 3);
  EXPECT_EQ(Grant(0b1111), 3U);
}

TEST_P(GroupWarpSchedulerTest, StaysWithAGroupThenTakesTheLowestWarp) {
  Make();
  Start(0b00001, 1);
  Start(0b01010, 2);
  Start(0b10100, 3);
  Issue(1);
  EXPECT_EQ(Grant(0b11101), 3U);
  EXPECT_EQ(Grant(0b10100), 2U);
  EXPECT_EQ(Grant(0b11001), 4U);
}

TEST_P(GroupWarpSchedulerTest, TheGroupIsToldACycleLater) {
  Make();
  Start(0b00001, 1);
  Start(0b11000, 2);
  Issue(0);
  EXPECT_EQ(Grant(0b01000), 3U);
  EXPECT_EQ(Tick(0b10001), 0U);
  EXPECT_EQ(Grant(0b01000), 3U);
  EXPECT_EQ(Tick(0b01000), 3U);
  EXPECT_EQ(Tick(0b10001), 4U);
}

TEST_P(GroupWarpSchedulerTest, AWarpThatEndsHoldsNobodyBack) {
  Make();
  Start(0b111, 0);
  Load(1, 3);
  Load(2, 2);
  EXPECT_EQ(Grant(0b110), 2U);
  End(0b001);
  Issue(1, /*load=*/false);
  EXPECT_EQ(Grant(0b110), 1U);
}

TEST_P(GroupWarpSchedulerTest, AWarpThatBeginsHasNoLoads) {
  Make();
  Start(0b11, 0);
  Load(1, 3);
  in_.finished = 0b10;
  Start(0b10, 0);
  Issue(1, /*load=*/false);
  EXPECT_EQ(Grant(0b11), 1U);
}

TEST_P(GroupWarpSchedulerTest, AGroupGoesOnWithoutTheWarpThatIssuedLast) {
  Make();
  Start(0b00001, 1);
  Start(0b00110, 2);
  Issue(1);
  End(0b00010);
  EXPECT_EQ(Grant(0b00101), 2U);
}

TEST_P(GroupWarpSchedulerTest, AWarpFarAheadGoesOnWhereNoOtherIsNear) {
  Make();
  Start(0b1111, 0);
  Load(1, 3);
  Load(2, 3);
  EXPECT_EQ(Step(0b0110), 2U);  // both are far ahead
  EXPECT_EQ(Step(0b1110), 3U);
  EXPECT_EQ(Tick(0b0110), 1U);  // the last one, 3, cannot
}

// TBs take the slots of those that end.
TEST_P(GroupWarpSchedulerTest, OfThoseThatAreNearTheOldestTbGoesFirst) {
  Make();
  Start(0b11000000, 0);
  Start(0b00000011, 0);
  Start(0b00011100, 0);
  End(0b11000000);
  Start(0b11000000, 0);
  Issue(7);
  EXPECT_EQ(Grant(0b01011111), 0U);
  EXPECT_EQ(Grant(0b01011000), 3U);
  EXPECT_EQ(Grant(0b01000000), 6U);
}

// Two bits number four TBs: 1, 2, 3, 0.
TEST_P(GroupWarpSchedulerTest, NumbersOfTbsBeginAnewOnceTheOldestHasEnded) {
  Make({.num_warps = 8, .count_bits = 2, .age_bits = 2, .age_slots = 1, .patience = kNoTurns});
  for (uint32_t warp = 7; warp > 3; --warp) Start(Bit(warp), 0);
  for (int cycle = 0; cycle < 2; ++cycle) Tick(0);
  Start(Bit(3), 0);  // 0 again, as 1 lives
  Start(Bit(2), 0);
  EXPECT_EQ(Grant(0b00111100), 5U);
  EXPECT_EQ(Grant(0b00011100), 2U);  // of one number the lowest
  End(Bit(7));
  for (int cycle = 0; cycle < 2; ++cycle) Tick(0);
  Start(Bit(1), 0);  // 1
  EXPECT_EQ(Grant(0b01010010), 6U);
  EXPECT_EQ(Grant(0b00010010), 4U);
  EXPECT_EQ(Grant(0b00000110), 2U);
  EXPECT_EQ(Grant(0b00000010), 1U);
}

TEST_P(GroupWarpSchedulerTest, SlotsInARowHaveTheAgeOfWhoBeganLast) {
  Make({.num_warps = 10, .count_bits = 2, .age_slots = 4, .patience = kNoTurns});
  Start(Bit(0), 0);
  Start(Bit(4), 0);
  Start(Bit(8), 0);
  EXPECT_EQ(Grant(0b0100010001), 0U);
  Start(Bit(3), 0);
  EXPECT_EQ(Grant(0b0100010000), 4U);
  EXPECT_EQ(Grant(0b0100000001), 8U);
}

// The oldest number stays while nobody lives.
TEST_P(GroupWarpSchedulerTest, TheOldestIsFoundAgainAfterAllHaveEnded) {
  Make({.num_warps = 8, .count_bits = 2, .age_bits = 2, .age_slots = 1, .patience = kNoTurns});
  Start(Bit(0), 0);  // 1
  Start(Bit(1), 0);  // 2
  End(0b11);
  for (int cycle = 0; cycle < 3; ++cycle) Tick(0);
  EXPECT_TRUE(block_->Outputs().quiescent);
  Start(Bit(5), 0);                                 // 3
  for (int cycle = 0; cycle < 4; ++cycle) Tick(0);  // past those that have ended
  Start(Bit(4), 0);                                 // 0
  Start(Bit(3), 0);                                 // 1
  EXPECT_EQ(Grant(0b00111000), 5U);
  EXPECT_EQ(Grant(0b00011000), 4U);
  EXPECT_EQ(Grant(0b00001000), 3U);
  EXPECT_EQ(Grant(0b00011000), 3U);  // it stays
}

TEST_P(GroupWarpSchedulerTest, WhatBeginsIsNotChosenInThatCycle) {
  Make();
  in_.started = 0b10;
  EXPECT_EQ(Tick(0b10), kNobody);
  EXPECT_EQ(Tick(0b10), 1U);
}

// Warp 0 never stalls and has no loads.
TEST_P(GroupWarpSchedulerTest, EachWarpThatCanIssueHasATurn) {
  constexpr uint32_t kPatience = 6;
  Make({.num_warps = 8, .patience = kPatience});
  for (uint32_t warp = 0; warp < 8; ++warp) Start(Bit(warp), warp);
  std::array<uint32_t, 8> waits = {};
  uint32_t longest = 0;
  for (int cycle = 0; cycle < 4000; ++cycle) {
    const uint32_t granted = Step(0xff);
    ASSERT_LT(granted, 8U);
    for (uint32_t warp = 0; warp < 8; ++warp) {
      waits[warp] = warp == granted ? 0 : waits[warp] + 1;
      longest = std::max(longest, waits[warp]);
    }
  }
  EXPECT_GT(longest, 7 * kPatience);
  EXPECT_LE(longest, 8 * (kPatience + 2));
}

TEST_P(GroupWarpSchedulerTest, ATurnPassesThoseThatCannotIssue) {
  Make({.num_warps = 8, .patience = 2});
  Start(0xff, 0);
  EXPECT_EQ(Step(0b11000000), 6U);
  EXPECT_EQ(Step(0b11000000), 6U);  // one issue
  EXPECT_EQ(Step(0b11000000), 6U);  // two
  for (int warp = 0; warp < 6; ++warp) EXPECT_EQ(Tick(0b11000000), 6U);
  EXPECT_EQ(Tick(0b11000000), 6U);  // its turn
  EXPECT_EQ(Step(0b11000000), 6U);
  EXPECT_EQ(Step(0b11000000), 6U);
  EXPECT_EQ(Step(0b11000000), 6U);
  EXPECT_EQ(Tick(0b11000000), 7U);
}

TEST_P(GroupWarpSchedulerTest, ATurnLastsUntilItsWarpIssues) {
  Make({.num_warps = 4, .patience = 1});
  Start(0b1111, 0);
  EXPECT_EQ(Step(0b1000), 3U);
  EXPECT_EQ(Tick(0b1001), 3U);
  EXPECT_EQ(Step(0b1001), 3U);
  for (int cycle = 0; cycle < 5; ++cycle) EXPECT_EQ(Tick(0b1001), 0U);
  EXPECT_FALSE(block_->Outputs().quiescent);
  EXPECT_EQ(Step(0b1011), 0U);  // has issued
  EXPECT_EQ(Step(0b1010), 1U);
}

TEST_P(GroupWarpSchedulerTest, GrantsWhoCanIssueAndIsQuietOnlyWhenNothingWouldChange) {
  for (const GroupWarpsConfig& config :
       {GroupWarpsConfig{}, GroupWarpsConfig{64, 8, 5, 4, 8, 1023},
        GroupWarpsConfig{5, 1, 2, 1, 3, 1}, GroupWarpsConfig{8, 2, 2, 2, 1, 12},
        GroupWarpsConfig{2, 1, 3, 3, 2, 7}}) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Make(config, 77 + seed);
      RandomWarps warps(seed, config.num_warps, std::min(config.group_bits, 4U));
      WarpMask live = 0;
      uint64_t grants = 0, quiet = 0;
      for (uint32_t cycle = 0; cycle < 6000; ++cycle) {
        in_ = warps.Next(block_->Outputs());
        const WarpMask can_issue = in_.eligible & live & ~in_.finished;
        live = warps.live();
        const uint32_t grant = Tick(in_.eligible);
        ASSERT_EQ(grant != kNobody, can_issue != 0) << "seed " << seed << ", cycle " << cycle;
        if (grant != kNobody) {
          ++grants;
          ASSERT_NE(can_issue & Bit(grant), 0u) << "seed " << seed << ", cycle " << cycle;
        }
        if (cycle % 7 != 0 || !block_->Outputs().quiescent) continue;
        ASSERT_EQ(Tick(in_.eligible), grant) << "seed " << seed << ", cycle " << cycle;
        ASSERT_TRUE(block_->Outputs().quiescent);
        ++quiet;
      }
      EXPECT_GT(grants, 1000u);
      EXPECT_GT(quiet, 10u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, GroupWarpSchedulerTest,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

}  // namespace group_warp_scheduler_test
}  // namespace flagstone
