// CAPS's warp scheduler on each body: hand-made cycles and random ones.
#include "gpu_model/blocks/warp_scheduler/pas/caps_warp_scheduler.h"

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "systemc/cosim/sm_blocks_factory.h"
#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/random_warps.h"

namespace flagstone {
namespace caps_warp_scheduler_test {

using Policy = CapsWarpSchedulerConfig::Policy;

class CapsWarpSchedulerTest : public testing::TestWithParam<Engine> {
 protected:
  void Make(const CapsWarpSchedulerConfig& config, uint64_t reset_seed = 1) {
    BodyOptions options;
    options.rtl.path = "gpu.sm0.warp_scheduler0";
    options.rtl.reset_seed = reset_seed;
    options.lockstep = &report_;
    block_ = MakeWarpSchedulerBody(CapsWarpSchedulerType(config), GetParam(), options);
    in_ = {};
  }
  // `count` warps begin in slots 0 on, all eligible, those of `leading` being their CTAs' lowest.
  void Start(uint32_t count, WarpMask leading) {
    in_.started = in_.eligible = (WarpMask{1} << count) - 1;
    in_.leading = leading;
    Tick();
    in_.started = 0;
  }
  std::optional<uint32_t> Tick() {
    block_->Tick(in_);
    const WarpSchedulerOut& out = block_->Outputs();
    return out.grant_valid ? std::optional(out.grant_warp) : std::nullopt;
  }
  // After `cycles` more cycles.
  std::optional<uint32_t> After(uint32_t cycles) {
    for (uint32_t i = 1; i < cycles; ++i) Tick();
    return Tick();
  }
  std::optional<uint32_t> Wake(uint32_t warp) {
    in_.wake_valid = true;
    in_.wake_warp = warp;
    const auto grant = Tick();
    in_.wake_valid = false;
    return grant;
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

constexpr WarpMask Bit(uint32_t warp) { return WarpMask{1} << warp; }

// Fig. 8b: three CTAs of three warps; the leading ones go first.
TEST_P(CapsWarpSchedulerTest, LeadingWarpsGoFirst) {
  Make({});
  Start(9, Bit(0) | Bit(3) | Bit(6));
  EXPECT_EQ(After(9), 0u);
  in_.stalled = Bit(0);  // it has loaded
  in_.eligible &= ~Bit(0);
  EXPECT_EQ(After(2), 3u);
  in_.stalled |= Bit(3);
  in_.eligible &= ~Bit(3);
  EXPECT_EQ(After(2), 6u);
  in_.stalled |= Bit(6);
  in_.eligible &= ~Bit(6);
  EXPECT_EQ(After(2), 1u);
}

// A warp that has told the base addresses of its CTA waits its turn, in its place.
TEST_P(CapsWarpSchedulerTest, AWarpThatLeadsNoLongerIsOneOfTheOthers) {
  Make({});
  Start(9, Bit(3) | Bit(6));  // 3 and 6 come in before 0
  EXPECT_EQ(After(9), 3u);
  in_.leading = Bit(6);
  EXPECT_EQ(Tick(), 3u);  // places know it a cycle later
  EXPECT_FALSE(block_->Outputs().quiescent);
  EXPECT_EQ(Tick(), 6u);
  in_.leading = 0;
  EXPECT_EQ(After(2), 3u);  // it came in first
  in_.leading = Bit(0);
  EXPECT_EQ(After(2), 0u);
}

TEST_P(CapsWarpSchedulerTest, AWarpThatLeadsNoLongerIsPushedOut) {
  Make({});
  Start(9, 0xff);
  After(12);
  in_.leading = 0x7f;  // 7 came in last
  Tick();
  Wake(8);
  in_.eligible = Bit(7);
  EXPECT_EQ(Tick(), std::nullopt);
  in_.eligible = Bit(8);
  EXPECT_EQ(Tick(), 8u);
}

TEST_P(CapsWarpSchedulerTest, WithoutLeadingFirstTheOrderOfComingDecides) {
  CapsWarpSchedulerConfig config;
  config.leading_first = false;
  Make(config);
  Start(9, Bit(3) | Bit(6));
  EXPECT_EQ(After(9), 0u);
  in_.stalled = Bit(0);
  in_.eligible &= ~Bit(0);
  EXPECT_EQ(After(2), 1u);
}

TEST_P(CapsWarpSchedulerTest, AGrantIsMadeFromOneCyclesLevelsForTheNext) {
  Make({});
  Start(1, 0);                      // pending, and chosen
  EXPECT_EQ(Tick(), std::nullopt);  // it enters
  EXPECT_EQ(Tick(), 0u);
  in_.eligible = 0;
  EXPECT_EQ(Tick(), std::nullopt);
  in_.eligible = 1;
  EXPECT_EQ(Tick(), 0u);
}

TEST_P(CapsWarpSchedulerTest, EightWarpsAreReadyAndAStalledOneGivesItsPlace) {
  Make({});
  Start(10, 0);
  After(12);
  in_.eligible = Bit(8) | Bit(9);  // pending: all places are taken by others
  EXPECT_EQ(Tick(), std::nullopt);
  EXPECT_EQ(After(5), std::nullopt);
  in_.stalled = Bit(4);
  EXPECT_EQ(Tick(), std::nullopt);
  EXPECT_EQ(Tick(), std::nullopt);  // it enters
  EXPECT_EQ(Tick(), 8u);
}

TEST_P(CapsWarpSchedulerTest, AWokenWarpPushesTheYoungestTrailingOneOut) {
  Make({});
  Start(12, Bit(7));
  After(14);  // ready: 7 first, then 0 to 6, of which 6 came last
  in_.eligible = Bit(6) | Bit(11);
  EXPECT_EQ(Tick(), 6u);
  Wake(11);
  EXPECT_EQ(Tick(), 11u);
  in_.eligible = Bit(6);
  EXPECT_EQ(After(3), std::nullopt);  // 6 is pending
  in_.eligible = Bit(5);
  EXPECT_EQ(Tick(), 5u);
}

TEST_P(CapsWarpSchedulerTest, AReadyWarpIsNotMovedByItsData) {
  Make({});
  Start(8, 0);
  After(10);
  Wake(3);
  in_.eligible = Bit(7);
  EXPECT_EQ(Tick(), 7u);
  in_.eligible = Bit(3) | Bit(2);
  EXPECT_EQ(Tick(), 2u);  // the order is as it was
}

TEST_P(CapsWarpSchedulerTest, NoLeadingWarpIsPushedOut) {
  Make({});
  Start(9, 0xff);
  After(10);
  Wake(8);
  in_.eligible = Bit(8);
  EXPECT_EQ(After(3), std::nullopt);
  in_.eligible = Bit(7);
  EXPECT_EQ(Tick(), 7u);
}

TEST_P(CapsWarpSchedulerTest, AWokenWarpThatFindsNoPlaceMayBeChosenLater) {
  Make({});
  Start(8, 0xff);
  After(12);
  ASSERT_TRUE(block_->Outputs().quiescent);
  in_.eligible |= Bit(8);
  Wake(8);
  EXPECT_FALSE(block_->Outputs().quiescent);
}

TEST_P(CapsWarpSchedulerTest, RoundRobinTakesTurnsLeadingWarpsFirst) {
  CapsWarpSchedulerConfig config;
  config.policy = Policy::kRoundRobin;
  Make(config);
  Start(6, Bit(1) | Bit(4));
  EXPECT_EQ(Tick(), 1u);
  in_.issued_valid = true;
  in_.issued_warp = 1;
  EXPECT_EQ(Tick(), 4u);
  in_.issued_warp = 4;
  EXPECT_EQ(Tick(), 1u);
  in_.eligible &= ~in_.leading;
  EXPECT_EQ(Tick(), 5u);
  in_.issued_warp = 5;
  EXPECT_EQ(Tick(), 0u);
}

TEST_P(CapsWarpSchedulerTest, GreedyStaysThenTakesTheOldest) {
  CapsWarpSchedulerConfig config;
  config.policy = Policy::kGreedy;
  Make(config);
  Start(6, 0);
  in_.finished = in_.started = Bit(0);  // slot 0 holds the youngest warp now
  EXPECT_EQ(Tick(), 1u);
  in_.finished = in_.started = 0;
  in_.issued_valid = true;
  in_.issued_warp = 3;
  EXPECT_EQ(Tick(), 3u);
  in_.eligible = Bit(0) | Bit(5);
  EXPECT_EQ(Tick(), 5u);
  in_.leading = Bit(0);
  EXPECT_EQ(Tick(), 0u);
}

// Four warps, of which slot 0 begins anew: the first that is ready is 1, the one in turn 3, and 2
// issues.
class CapsOrderDuelTest : public CapsWarpSchedulerTest {
 protected:
  static constexpr uint32_t kTwoLevel = 1, kTurns = 3, kGreedy = 2;

  void Begin() {
    CapsWarpSchedulerConfig config;
    config.policy = Policy::kDuel;
    Make(config);
    Start(4, 0);
    After(8);
    in_.issued_warp = 2;
    EXPECT_EQ(Epoch(1), 0u);  // the first that is ready
  }
  void Refill() {
    in_.finished = in_.started = Bit(0);
    Tick();
    in_.finished = in_.started = 0;
  }
  // An epoch in which so many instructions issue. Returns the grant in its middle.
  uint32_t Epoch(uint32_t issues) {
    std::optional<uint32_t> grant;
    for (uint32_t cycle = 1; cycle <= 100; ++cycle) {
      in_.issued_valid = cycle <= issues;
      in_.epoch = cycle == 100;
      const auto now = Tick();
      if (cycle == 50) grant = now;
    }
    in_.issued_valid = in_.epoch = false;
    return grant.value_or(kNoWarp);
  }
  // The epochs of a round in which each order is tried, beginning with `first`: what each issues,
  // by the grant that tells it.
  void Try(const std::vector<uint32_t>& order, std::map<uint32_t, uint32_t> issues) {
    for (const uint32_t tells : order) {
      EXPECT_EQ(Epoch(90), tells);  // does not count
      EXPECT_EQ(Epoch(issues[tells]), tells);
    }
  }
  // The rest of the round, in which one order stays in charge.
  void Stay(uint32_t tells) {
    for (int epoch = 0; epoch < 32; ++epoch) ASSERT_EQ(Epoch(1), tells);
  }
};

TEST_P(CapsOrderDuelTest, TheOrderThatLetsMostIssueIsInChargeUntilItIsBeaten) {
  Begin();
  Refill();
  Try({kTwoLevel, kTurns, kGreedy}, {{kTwoLevel, 50}, {kTurns, 60}, {kGreedy, 55}});
  Stay(kTurns);
  // A sixteenth more is not enough.
  Try({kTurns, kGreedy, kTwoLevel}, {{kTurns, 64}, {kGreedy, 68}, {kTwoLevel, 66}});
  Stay(kTurns);
  Try({kTurns, kGreedy, kTwoLevel}, {{kTurns, 64}, {kGreedy, 69}, {kTwoLevel, 69}});
  EXPECT_EQ(Epoch(1), kGreedy);
}

TEST_P(CapsOrderDuelTest, InAFirstWaveTheGreedyOrderHasToIssueTwiceAsMuchAndTurnsAnEighthMore) {
  Begin();
  const uint32_t two_level = 0;  // slot 0 has not begun anew
  EXPECT_EQ(Epoch(24), two_level);
  Try({kTurns, kGreedy}, {{kTurns, 27}, {kGreedy, 54}});
  Stay(two_level);
  Try({two_level, kTurns, kGreedy}, {{two_level, 24}, {kTurns, 28}, {kGreedy, 56}});
  Stay(kTurns);
  Try({kTurns, kGreedy, two_level}, {{kTurns, 24}, {kGreedy, 55}, {two_level, 55}});
  Stay(kGreedy);
  // In charge already, it loses as the others do.
  Try({kGreedy, two_level, kTurns}, {{kGreedy, 24}, {two_level, 27}, {kTurns, 28}});
  EXPECT_EQ(Epoch(1), kTurns);
}

TEST_P(CapsOrderDuelTest, TheGreedyOrderEndsWhereWarpsEndAndNoneBegins) {
  Begin();
  Refill();
  Try({kTwoLevel}, {});
  EXPECT_EQ(Epoch(10), kTurns);
  in_.eligible &= ~Bit(0);
  in_.finished = Bit(0);
  Tick();
  in_.finished = 0;
  EXPECT_EQ(Epoch(10), kTurns);
  EXPECT_EQ(Epoch(10), kGreedy);  // the slot was empty at the end of one epoch only
  Try({kTwoLevel, kTurns, kGreedy}, {{kTwoLevel, 10}, {kTurns, 10}, {kGreedy, 22}});
  for (int epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(Epoch(10), kTwoLevel);
  // A new round begins with the next warp that begins there.
  in_.eligible |= Bit(0);
  Refill();
  Try({kTwoLevel, kTurns, kGreedy}, {{kTwoLevel, 10}, {kTurns, 10}, {kGreedy, 11}});
  EXPECT_EQ(Epoch(1), kGreedy);
}

TEST_P(CapsOrderDuelTest, AnSmWithoutWarpsForgetsItsSlots) {
  Begin();
  in_.eligible = 0;
  in_.finished = 0xf;
  Tick();
  in_.finished = 0;
  Start(4, 0);
  After(8);
  EXPECT_NE(Epoch(24), kGreedy);
  Try({kTurns, kGreedy}, {{kTurns, 10}, {kGreedy, 54}});
  EXPECT_NE(Epoch(1), kGreedy);
}

TEST_P(CapsWarpSchedulerTest, GrantsEligibleWarpsAndIsQuietOnlyWhenNothingWouldChange) {
  for (const CapsWarpSchedulerConfig& config :
       {CapsWarpSchedulerConfig{}, CapsWarpSchedulerConfig{48, Policy::kTwoLevel, false, 8},
        CapsWarpSchedulerConfig{64, Policy::kTwoLevel, true, 4},
        CapsWarpSchedulerConfig{48, Policy::kRoundRobin, true, 8},
        CapsWarpSchedulerConfig{48, Policy::kGreedy, true, 8},
        CapsWarpSchedulerConfig{48, Policy::kDuel, true, 8},
        CapsWarpSchedulerConfig{5, Policy::kDuel, false, 2},
        CapsWarpSchedulerConfig{8, Policy::kDuel, true, 3}}) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Make(config, 77 + seed);
      RandomWarps warps(seed, config.num_warps);
      uint64_t grants = 0;
      uint64_t quiet = 0;
      for (uint32_t cycle = 0; cycle < 6000; ++cycle) {
        in_ = warps.Next(block_->Outputs());
        const auto grant = Tick();
        if (grant) {
          ++grants;
          ASSERT_NE(in_.eligible & Bit(*grant), 0u) << "seed " << seed << ", cycle " << cycle;
          const WarpMask others = in_.eligible & in_.leading;
          const bool of_all =
              config.policy == Policy::kRoundRobin || config.policy == Policy::kGreedy;
          if (config.leading_first && of_all && others != 0) {
            ASSERT_NE(others & Bit(*grant), 0u) << "seed " << seed << ", cycle " << cycle;
          }
        }
        if (cycle % 7 != 0 || !block_->Outputs().quiescent) continue;
        in_.started = in_.finished = 0;
        in_.issued_valid = in_.wake_valid = in_.lost_locality_valid = in_.epoch = false;
        ASSERT_EQ(Tick(), grant) << "seed " << seed << ", cycle " << cycle;
        ASSERT_TRUE(block_->Outputs().quiescent);
        ++quiet;
      }
      EXPECT_GT(grants, 1000u);
      EXPECT_GT(quiet, 10u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, CapsWarpSchedulerTest,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

INSTANTIATE_TEST_SUITE_P(Engines, CapsOrderDuelTest,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

}  // namespace caps_warp_scheduler_test
}  // namespace flagstone
