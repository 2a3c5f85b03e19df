// The programmable warp scheduler on each body: hand-made cycles and random ones.
#include "gpu_model/blocks/warp_scheduler/programmable/programmable_warp_scheduler.h"

#include <gmock/gmock.h>

#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "systemc/cosim/sm_blocks_factory.h"
#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/random_warps.h"

namespace flagstone {
namespace programmable_warp_scheduler_test {

constexpr WarpMask Bit(uint32_t warp) { return WarpMask{1} << warp; }

class ProgrammableWarpSchedulerTest : public testing::TestWithParam<Engine> {
 protected:
  void Make(uint32_t num_warps, uint32_t tb_slots, uint64_t reset_seed = 1) {
    const WarpSchedulerDescriptor& kind = ProgrammableDescriptor();
    BodyOptions options;
    options.rtl.path = "gpu.sm0.warp_scheduler0";
    options.rtl.reset_seed = reset_seed;
    options.lockstep = &report_;
    block_ = MakeWarpSchedulerBody(kind.type({{"NumWarps", num_warps}, {"TbSlots", tb_slots}}),
                                   GetParam(), options);
    in_ = {};
  }
  std::optional<uint32_t> Tick() {
    block_->Tick(in_);
    const WarpSchedulerOut& out = block_->Outputs();
    in_.started = in_.finished = 0;
    in_.issued_valid = in_.group_valid = false;
    return out.grant_valid ? std::optional(out.grant_warp) : std::nullopt;
  }
  // A TB of these warps begins, and all can issue.
  void Start(WarpMask warps) {
    in_.started = warps;
    in_.eligible |= warps;
    Tick();
  }
  void End(WarpMask warps) {
    in_.finished = warps;
    in_.eligible &= ~warps;
  }
  void Issue(uint32_t warp) {
    in_.issued_valid = true;
    in_.issued_warp = warp;
  }
  // The size, and the cycles in which the group fills.
  void Write(uint32_t size) {
    in_.group_valid = true;
    in_.group_size = size;
    Idle(3 * size + 4);
  }
  // Cycles in which no warp can issue.
  void Idle(uint32_t cycles) {
    const WarpMask eligible = in_.eligible;
    in_.eligible = 0;
    for (uint32_t cycle = 0; cycle < cycles; ++cycle) Tick();
    in_.eligible = eligible;
  }
  // The warps that are granted while each one that is granted waits from then on.
  std::vector<uint32_t> GrantedInTurn() {
    const WarpMask eligible = in_.eligible;
    std::vector<uint32_t> order;
    for (auto grant = Tick(); grant; grant = Tick()) {
      order.push_back(*grant);
      in_.eligible &= ~Bit(*grant);
      Issue(*grant);
    }
    in_.eligible = eligible;
    return order;
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

using testing::ElementsAre;

// Two TBs of which the younger one has the lower slots.
TEST_P(ProgrammableWarpSchedulerTest, WithoutASizeIsGreedyThenOldest) {
  Make(8, 2);
  Start(0xf0);
  Start(0x0f);
  EXPECT_THAT(GrantedInTurn(), ElementsAre(4, 5, 6, 7, 0, 1, 2, 3));
  Issue(2);
  EXPECT_EQ(Tick(), 2u);  // stays
  in_.eligible &= ~Bit(2);
  EXPECT_EQ(Tick(), 4u);
}

TEST_P(ProgrammableWarpSchedulerTest, TheGroupIsTheOldestWarpsAcrossTbs) {
  Make(8, 2);
  Start(0xf0);
  Start(0x0f);
  Write(6);  // 4 to 7, and of the next TB 0 and 1
  in_.eligible = 0x0f;
  Issue(2);
  EXPECT_EQ(Tick(), 0u);  // not the one that issued last: it is none of the group
  in_.eligible = 0x0c;
  EXPECT_EQ(Tick(), 2u);  // in spare cycles the others, in turn
  EXPECT_EQ(Tick(), 3u);
  in_.eligible = 0x1e;
  EXPECT_EQ(Tick(), 1u);
}

TEST_P(ProgrammableWarpSchedulerTest, WarpsOfTheGroupTakeTurns) {
  Make(8, 2);
  Start(0x0f);
  Start(0xf0);
  Write(3);
  EXPECT_EQ(Tick(), 0u);
  EXPECT_EQ(Tick(), 1u);
  EXPECT_EQ(Tick(), 2u);
  EXPECT_EQ(Tick(), 0u);  // 3 is none of them
  in_.eligible = 0xfc;
  EXPECT_EQ(Tick(), 2u);
}

// A grant to another warp does not move the turn.
TEST_P(ProgrammableWarpSchedulerTest, OthersDoNotMoveTheTurn) {
  Make(8, 2);
  Start(0xff);
  Write(4);
  EXPECT_EQ(Tick(), 0u);
  in_.eligible = 0xf0;
  EXPECT_EQ(Tick(), 4u);
  Issue(4);
  in_.eligible = 0xff;
  EXPECT_EQ(Tick(), 1u);
}

TEST_P(ProgrammableWarpSchedulerTest, TheNextOldestTakesThePlaceOfOneThatEnds) {
  Make(8, 2);
  Start(0xf0);
  Start(0x0f);
  Write(2);
  in_.eligible = 0xcf;
  EXPECT_EQ(Tick(), 0u);
  End(Bit(4));
  Idle(6);
  in_.eligible = 0x4f;
  EXPECT_EQ(Tick(), 6u);  // the group is 5 and 6
  in_.eligible = 0x8f;
  EXPECT_EQ(Tick(), 1u);  // 7 is none of it
}

// A slot that is used again has a warp of the youngest TB.
TEST_P(ProgrammableWarpSchedulerTest, AWarpThatBeginsIsTheYoungest) {
  Make(8, 2);
  Start(0x0f);
  Start(0xf0);
  Write(4);
  End(0x0f);
  in_.started = 0x03;
  in_.eligible |= 0x03;
  Idle(16);  // 4 to 7 are the group
  in_.eligible = 0x83;
  Issue(1);
  EXPECT_EQ(Tick(), 7u);
}

TEST_P(ProgrammableWarpSchedulerTest, JoinsEveryThirdCycle) {
  Make(8, 2);
  Start(0xff);
  in_.group_valid = true;
  in_.group_size = 2;
  Idle(4);  // the size is there, there is room, 0 is chosen, and joins
  in_.eligible = 0xfe;
  EXPECT_EQ(Tick(), 1u);
  EXPECT_EQ(Tick(), 2u);
  EXPECT_EQ(Tick(), 3u);  // 1 joins
  EXPECT_EQ(Tick(), 1u);
  EXPECT_FALSE(block_->Outputs().quiescent);  // the turn goes on
  Idle(2);
  EXPECT_TRUE(block_->Outputs().quiescent);
}

TEST_P(ProgrammableWarpSchedulerTest, ASmallerSizeBeginsANewGroup) {
  Make(8, 2);
  Start(0xff);
  Write(6);
  in_.eligible = 0xe0;
  EXPECT_EQ(Tick(), 5u);
  EXPECT_EQ(Tick(), 5u);
  Write(2);
  EXPECT_EQ(Tick(), 5u);
  EXPECT_EQ(Tick(), 6u);
  Write(0);
  in_.eligible = 0xff;
  Issue(7);
  EXPECT_EQ(Tick(), 7u);
}

TEST_P(ProgrammableWarpSchedulerTest, ALargerSizeKeepsTheGroup) {
  Make(8, 2);
  Start(0xff);
  Write(2);
  in_.eligible = 0xfe;
  Issue(7);
  in_.group_valid = true;
  in_.group_size = 8;
  EXPECT_EQ(Tick(), 1u);
  Issue(7);
  EXPECT_EQ(Tick(), 1u);
}

// A warp that ends while it is the one to join does not.
TEST_P(ProgrammableWarpSchedulerTest, OneThatEndsDoesNotJoin) {
  Make(8, 2);
  Start(0xff);
  in_.group_valid = true;
  in_.group_size = 1;
  Idle(3);  // 0 is chosen
  End(Bit(0));
  Idle(4);  // 1 has joined
  Issue(7);
  EXPECT_EQ(Tick(), 1u);
  in_.eligible = 0xfc;
  EXPECT_EQ(Tick(), 2u);
  EXPECT_EQ(Tick(), 3u);
}

// More TBs than slots: the last ones are one.
TEST_P(ProgrammableWarpSchedulerTest, TbsWithoutASlotJoinTheYoungest) {
  Make(8, 2);
  Start(0xc0);
  Start(0x30);
  Start(0x03);  // with 4 and 5
  EXPECT_THAT(GrantedInTurn(), ElementsAre(6, 7, 0, 1, 4, 5));
}

TEST_P(ProgrammableWarpSchedulerTest, GrantsWhoCanIssueAndIsQuietOnlyWhenNothingWouldChange) {
  for (const auto& [num_warps, tb_slots] :
       {std::pair{48U, 8U}, std::pair{64U, 32U}, std::pair{5U, 2U}, std::pair{8U, 3U}}) {
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      Make(num_warps, tb_slots, 77 + seed);
      RandomWarps warps(seed, num_warps);
      WarpMask live = 0;
      uint64_t grants = 0, quiet = 0;
      for (uint32_t cycle = 0; cycle < 6000; ++cycle) {
        in_ = warps.Next(block_->Outputs());
        const WarpMask can_issue = in_.eligible & live & ~in_.finished;
        live = warps.live();
        const auto grant = Tick();
        ASSERT_EQ(grant.has_value(), can_issue != 0) << "seed " << seed << ", cycle " << cycle;
        if (grant) {
          ++grants;
          ASSERT_NE(can_issue & Bit(*grant), 0u) << "seed " << seed << ", cycle " << cycle;
        }
        if (cycle % 7 != 0 || !block_->Outputs().quiescent) continue;
        ASSERT_EQ(Tick(), grant) << "seed " << seed << ", cycle " << cycle;
        ASSERT_TRUE(block_->Outputs().quiescent);
        ++quiet;
      }
      EXPECT_GT(grants, 1000u);
      EXPECT_GT(quiet, 10u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, ProgrammableWarpSchedulerTest,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

}  // namespace programmable_warp_scheduler_test
}  // namespace flagstone
