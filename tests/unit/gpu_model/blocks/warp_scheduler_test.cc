// Each warp scheduler on eligibility made by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace warp_scheduler_test {

constexpr uint32_t kNobody = 99;

class Bench {
 public:
  explicit Bench(std::string_view name, const WarpSchedulerConfig& config = {})
      : scheduler_(MakeWarpScheduler(name, config)) {}

  // A cycle in which the granted warp, if any, issues; afterwards `eligible` could. Gives the warp
  // granted for the next cycle.
  uint32_t Step(WarpMask eligible) {
    in.eligible = eligible;
    in.issued_valid = scheduler_->Outputs().grant_valid;
    in.issued_warp = scheduler_->Outputs().grant_warp;
    return Tick();
  }
  // The same, but the grant was void.
  uint32_t StepWithoutIssue(WarpMask eligible) {
    in.eligible = eligible;
    in.issued_valid = false;
    return Tick();
  }
  void Start(WarpMask warps) {
    in.started = warps;
    StepWithoutIssue(0);
  }
  void Finish(WarpMask warps) {
    in.finished = warps;
    StepWithoutIssue(0);
  }
  bool Idle() const { return scheduler_->Idle(in); }
  const WarpSchedulerOut& out() const { return scheduler_->Outputs(); }
  WarpScheduler& scheduler() { return *scheduler_; }

  WarpSchedulerIn in;  // levels stay, pulses last for one tick

 private:
  uint32_t Tick() {
    scheduler_->Tick(in);
    in.started = in.finished = 0;
    in.issued_valid = in.lost_locality_valid = false;
    return scheduler_->Outputs().grant_valid ? scheduler_->Outputs().grant_warp : kNobody;
  }
  std::unique_ptr<WarpScheduler> scheduler_;
};

TEST(WarpScheduler, GtoStaysWithItsWarpUntilItStalls) {
  Bench gto("gto");
  gto.Start(0b10101);
  EXPECT_EQ(gto.Step(0b10100), 2U);
  EXPECT_EQ(gto.Step(0b10101), 2U);
  EXPECT_EQ(gto.Step(0b10001), 0U);
}

TEST(WarpScheduler, GtoTakesTheOldestNotTheLowestSlot) {
  Bench gto("gto");
  for (const uint32_t warp : {6U, 4U, 2U}) gto.Start(WarpMask{1} << warp);
  EXPECT_EQ(gto.Step(0b1010100), 6U);
  gto.Finish(0b1000000);
  EXPECT_EQ(gto.Step(0b0010100), 4U);
  gto.Start(0b1000000);  // a new warp in the same slot is the youngest
  EXPECT_EQ(gto.Step(0b1000100), 2U);
}

TEST(WarpScheduler, AWarpThatStartsWhereOneFinishedInTheSameCycleIsTheYoungest) {
  Bench gto("gto");
  gto.Start(0b11);
  gto.in.finished = gto.in.started = 0b01;
  EXPECT_EQ(gto.StepWithoutIssue(0b11), 1U);
}

TEST(WarpScheduler, AVoidGrantDoesNotCountAsIssued) {
  Bench gto("gto");
  gto.Start(0b11);
  EXPECT_EQ(gto.Step(0b10), 1U);
  EXPECT_EQ(gto.StepWithoutIssue(0b11), 0U);  // greedy would stay with warp 1
  Bench lrr("lrr");
  lrr.Start(0b11);
  EXPECT_EQ(lrr.Step(0b01), 0U);
  EXPECT_EQ(lrr.StepWithoutIssue(0b11), 0U);
  EXPECT_EQ(lrr.Step(0b11), 1U);
}

TEST(WarpScheduler, LrrGoesRound) {
  Bench lrr("lrr");
  const WarpMask all = (WarpMask{1} << 63) | 0b100010;
  lrr.Start(all);
  EXPECT_EQ(lrr.Step(all), 1U);
  EXPECT_EQ(lrr.Step(all), 5U);
  EXPECT_EQ(lrr.Step(all), 63U);
  EXPECT_EQ(lrr.Step(all), 1U);
  EXPECT_EQ(lrr.Step(0b10), 1U);
}

TEST(WarpScheduler, TwoLevelIssuesFromItsReadyQueueOnly) {
  Bench two("two-level", {.two_level_ready = 2});
  two.Start(0b1111);
  EXPECT_EQ(two.Step(0b1111), 0U);
  EXPECT_EQ(two.Step(0b1110), 1U);
  EXPECT_EQ(two.Step(0b1100), kNobody);  // 0 and 1 hold the places: they wait for a pipe only
  EXPECT_EQ(two.Step(0b1101), 0U);
}

TEST(WarpScheduler, OrchFillsItsReadyQueueWithWarpsThatAreNotNeighbours) {
  Bench orch("orch", {.two_level_ready = 2, .orch_groups = 3});
  orch.Start(0b111111);  // groups {0, 3}, {1, 4}, {2, 5}
  EXPECT_EQ(orch.Step(0b111111), 0U);
  EXPECT_EQ(orch.Step(0b111110), 3U);
  orch.in.stalled = 0b001001;
  EXPECT_EQ(orch.Step(0b110110), 1U);  // the next group has its turn
  EXPECT_EQ(orch.Step(0b110100), 4U);
}

TEST(WarpScheduler, OrchTakesAnotherGroupWhenTheOneInTurnHasNoEligibleWarp) {
  Bench orch("orch", {.two_level_ready = 2, .orch_groups = 3});
  orch.Start(0b111111);
  EXPECT_EQ(orch.Step(0b110001), 0U);  // 4 took the second place: 3 cannot issue
  EXPECT_EQ(orch.Step(0b111000), 4U);
  orch.in.stalled = 0b010001;
  EXPECT_EQ(orch.Step(0b101000), 5U);  // the turn has gone on to 1 and 4: 2 and 5 are before 3
  EXPECT_EQ(orch.Step(0b001000), 3U);
}

TEST(WarpScheduler, OrchsWarpsGoOnJoiningWhereTheLastOnesEnded) {
  Bench orch("orch", {.two_level_ready = 2, .orch_groups = 3});
  orch.Start(0b0011);
  orch.in.finished = 0b0001;
  orch.Start(0b0001);  // after {0}, {1}: this one is in the third
  orch.Start(0b1100);  // 2 in the first group, 3 in the second
  EXPECT_EQ(orch.Step(0b1101), 2U);
  EXPECT_EQ(orch.Step(0b1001), 3U);
}

TEST(WarpScheduler, TwoLevelGivesThePlaceOfAStalledWarpToTheFirstEligiblePendingOne) {
  Bench two("two-level", {.two_level_ready = 2});
  two.Start(0b1111);
  EXPECT_EQ(two.Step(0b1111), 0U);
  two.in.stalled = 0b0001;
  EXPECT_EQ(two.Step(0b1010), 1U);  // 2 is not eligible, so 3 came in
  EXPECT_EQ(two.Step(0b1100), 3U);
  two.in.stalled = 0;  // its data is there, but there is no place
  EXPECT_EQ(two.Step(0b0001), kNobody);
  two.in.barrier = 0b1000;          // a barrier is a long wait, too
  EXPECT_EQ(two.Step(0b0101), 2U);  // 2 has been pending for longer than 0
  two.in.finished = 0b0110;
  EXPECT_EQ(two.StepWithoutIssue(0b0001), 0U);
}

TEST(WarpScheduler, SwlKeepsToTheOldestWarps) {
  Bench swl("swl", {.swl_warps = 2});
  swl.Start(0b1000);
  swl.Start(0b0111);
  EXPECT_EQ(swl.Step(0b1111), 3U);
  EXPECT_EQ(swl.Step(0b0111), 0U);
  EXPECT_EQ(swl.Step(0b0110), kNobody);
  swl.in.barrier = 0b0001;  // else it would wait for the others for ever
  EXPECT_EQ(swl.Step(0b0110), 1U);
  swl.in.barrier = 0;
  swl.in.finished = 0b1000;
  EXPECT_EQ(swl.StepWithoutIssue(0b0110), 1U);
  EXPECT_EQ(swl.Step(0b0100), kNobody);
}

TEST(WarpScheduler, PriorityGroupTakesTurnsAndLeavesOnlySpareCycles) {
  Bench group("priority-group", {.priority_warps = 2});
  group.Start(0b1111);
  EXPECT_EQ(group.Step(0b1111), 0U);
  EXPECT_EQ(group.Step(0b1111), 1U);
  EXPECT_EQ(group.Step(0b1111), 0U);
  EXPECT_EQ(group.Step(0b1100), 2U);
  EXPECT_EQ(group.Step(0b1110), 1U);
  EXPECT_EQ(group.Step(0b1100), 3U);  // the others go on where they were
  group.in.finished = 0b0001;         // 2 moves up
  EXPECT_EQ(group.StepWithoutIssue(0b1110), 2U);
}

TEST(WarpScheduler, CcwsKeepsTheOthersFromLoadingOnceAWarpLosesItsLines) {
  WarpSchedulerConfig config;
  config.ccws_base_score = 10;
  config.ccws_throttle = 8;
  Bench ccws("ccws", config);
  ccws.Start(0b1111);
  EXPECT_TRUE(ccws.out().quiescent);
  ccws.in.wants_load = 0b1111;
  EXPECT_EQ(ccws.Step(0b1111), 0U);
  for (int i = 0; i < 9; ++i) ccws.Step(0b1111);
  // Score of 3: 1 * 8 * (4 * 10) / 10 = 32 of 40. No place for a base score of 10 beside it.
  ccws.in.lost_locality_valid = true;
  ccws.in.lost_locality_warp = 3;
  EXPECT_EQ(ccws.Step(0b1111), 3U);
  EXPECT_FALSE(ccws.out().quiescent);
  EXPECT_EQ(ccws.Step(0b0111), kNobody);
  ccws.in.wants_load = 0b1011;
  EXPECT_EQ(ccws.Step(0b0110), 2U);       // no load
  EXPECT_EQ(ccws.Step(0b0011), 0U);       // 29 and 10: there is room for the oldest ...
  EXPECT_EQ(ccws.Step(0b0010), kNobody);  // ... but only for that one
  int cycles = 0;
  while (!ccws.out().quiescent) ccws.StepWithoutIssue(0b0010), ++cycles;
  EXPECT_EQ(ccws.StepWithoutIssue(0b0010), 1U);
  EXPECT_GT(cycles, 10);
}

TEST(WarpScheduler, CcwsAlwaysLetsOneWarpLoad) {
  WarpSchedulerConfig config;
  config.ccws_throttle = 1000;
  Bench ccws("ccws", config);
  ccws.Start(0b11);
  ccws.in.wants_load = 0b11;
  ccws.in.lost_locality_valid = true;
  ccws.in.lost_locality_warp = 1;
  EXPECT_EQ(ccws.Step(0b11), 1U);
  EXPECT_EQ(ccws.Step(0b01), kNobody);
}

// With the same levels and no pulse, a quiescent scheduler's tick changes nothing: it keeps its
// grant, and it chooses the same afterwards.
class EveryWarpScheduler : public testing::TestWithParam<const WarpSchedulerDescriptor*> {};

TEST_P(EveryWarpScheduler, GrantsOnlyEligibleWarpsAndSkipsIdleTicksWithoutLoss) {
  Bench ticked(GetParam()->name);
  Bench gated(GetParam()->name);
  uint64_t random = 1;
  const auto draw = [&] {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return random >> 33;
  };
  WarpMask live = 0;
  uint32_t skipped = 0;
  WarpSchedulerIn in;
  for (int cycle = 0; cycle < 20'000; ++cycle) {
    ASSERT_EQ(ticked.out().grant_valid, gated.out().grant_valid) << cycle;
    if (ticked.out().grant_valid) {
      ASSERT_EQ(ticked.out().grant_warp, gated.out().grant_warp) << cycle;
      ASSERT_NE(in.eligible & (WarpMask{1} << ticked.out().grant_warp), 0U) << cycle;
    }
    in.started = in.finished = 0;
    in.issued_valid = ticked.out().grant_valid && draw() % 8 != 0;
    in.issued_warp = ticked.out().grant_warp;
    in.lost_locality_valid = draw() % 64 == 0;
    in.lost_locality_warp = static_cast<uint32_t>(draw() % 16);
    if (in.issued_valid || draw() % 4 == 0) {
      in.finished = live & draw() & draw() & draw() & draw() & draw();
      in.started = ~(live & ~in.finished) & draw() & 0xffff;
      live = (live & ~in.finished) | in.started;
      in.barrier = live & draw() & draw() & draw();
      in.stalled = live & ~in.barrier & draw();
      in.eligible = live & ~in.barrier & ~in.stalled & draw() & draw();
      in.wants_load = live & draw();
    }
    ticked.scheduler().Tick(in);
    if (gated.scheduler().Idle(in)) {
      ++skipped;
    } else {
      gated.scheduler().Tick(in);
    }
  }
  EXPECT_GT(skipped, 100U);
}

INSTANTIATE_TEST_SUITE_P(WarpScheduler, EveryWarpScheduler, testing::ValuesIn(AllWarpSchedulers()),
                         [](const auto& scheduler) {
                           std::string name(scheduler.param->name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

TEST(WarpScheduler, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(BadInputMessage([] { MakeWarpScheduler("oldest", {}); }),
            "unknown warp scheduler 'oldest': expected one of lrr, gto, two-level, orch, swl, "
            "ccws, priority-group, pas, pas-lrr, pas-gto, pas+, programmable, group, group-turn, "
            "group-behind, group-age, baws");
}

TEST(WarpScheduler, AGroupsWindowIsTheLargestNumberOfACounter) {
  EXPECT_EQ(BadInputMessage([] { MakeWarpScheduler("group", {.group_window = 5}); }),
            "group_warp_scheduler with a window of 5 loads: expected 3, 7, 15 or 31");
  EXPECT_EQ(BadInputMessage([] { MakeWarpScheduler("group", {.group_patience = 0}); }),
            "group_warp_scheduler with issues between two turns = 0: expected 1 to 1023");
  EXPECT_NO_THROW(MakeWarpScheduler("group", {.group_window = 31, .group_patience = 1023}));
  EXPECT_NO_THROW(MakeWarpScheduler("group-turn", {.group_window = 5, .group_patience = 0}));
}

}  // namespace warp_scheduler_test
}  // namespace flagstone
