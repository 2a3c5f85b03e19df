// The issue stage with scripted warp schedulers: what these hear, when pipes take the next
// instruction, and where cycles are counted.
#include "gpu_model/sm/issue_stage.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/sm/sm_stages.h"

namespace flagstone {
namespace issue_stage_test {

// Grants what the test says.
class ScriptedScheduler final : public WarpScheduler {
 public:
  void Reset() override {}
  const WarpSchedulerOut& Outputs() const override { return out; }
  void Tick(const WarpSchedulerIn& in) override { heard.push_back(in); }
  bool Idle(const WarpSchedulerIn& in) const override {
    const WarpSchedulerIn last = heard.empty() ? WarpSchedulerIn{} : heard.back();
    return kWarpSchedulerEvents.idle(out, in, last);
  }

  WarpSchedulerOut out;
  std::vector<WarpSchedulerIn> heard;
};

class IssueStageTest : public testing::Test {
 protected:
  // `quiescent`: the schedulers are ticked on events alone.
  void Make(const std::string& body, uint32_t threads, const std::vector<std::string>& settings,
            uint64_t epoch, bool quiescent) {
    sm_ = std::make_unique<SmStages>(body, threads, settings);
    sm_->setup.epoch = epoch;
    sm_->setup.tb_groups = tb_groups_;
    sm_->setup.make_warp_scheduler = [this, quiescent](uint32_t, uint32_t) {
      auto block = std::make_unique<ScriptedScheduler>();
      block->out.quiescent = quiescent;
      blocks_.push_back(block.get());
      return block;
    };
    issue_ = std::make_unique<IssueStage>(sm_->setup, 0, sm_->warps.get(), sm_->memory.get(),
                                          sm_->execute.get());
  }
  // A TB begins, and all its warps are ready.
  void Start(const std::string& body, uint32_t threads,
             const std::vector<std::string>& settings = {}, uint64_t epoch = 0,
             bool quiescent = true) {
    Make(body, threads, settings, epoch, quiescent);
    sm_->execute->StartTb(0);
  }
  // The next cycle; says whether an instruction was issued in it.
  bool Cycle(const WarpSignals& signals = {}) {
    ++now_;
    sm_->tbs->SetCycle(now_);
    issue_->Begin(now_);
    sm_->warps->Begin();
    sm_->writeback->Tick();
    const bool issued = issue_->Issue(now_);
    issue_->TickSchedulers(now_, signals);
    return issued;
  }
  // Two cycles: the scheduler of the warp grants it, and it issues.
  void Issue(uint32_t warp) {
    ScriptedScheduler& block = *blocks_[warp % blocks_.size()];
    block.out.grant_valid = true;
    block.out.grant_warp = warp;
    EXPECT_FALSE(Cycle());
    block.out.grant_valid = false;
    EXPECT_TRUE(Cycle());
  }
  const WarpSchedulerIn& Heard(size_t scheduler) const { return blocks_[scheduler]->heard.back(); }
  uint64_t Count(IssueSlot slot) const { return issue_->Statistics(now_ + 1)[slot]; }

  std::vector<uint32_t> tb_groups_;
  std::unique_ptr<SmStages> sm_;
  std::vector<ScriptedScheduler*> blocks_;
  std::unique_ptr<IssueStage> issue_;
  uint64_t now_ = ~uint64_t{0};  // the first cycle is 0
};

constexpr const char* kMultiply = "mul.lo.s32 %r1, %r8, 3; mul.lo.s32 %r2, %r8, 3; ret;";
// The divisions are apart, so that the multiplication waits for none.
constexpr const char* kDivide =
    "div.s32 %r1, %r8, 7; mul.lo.s32 %r2, %r8, 3; div.s32 %r3, %r8, 7; ret;";

TEST_F(IssueStageTest, EachWarpBelongsToOneScheduler) {
  Start(kMultiply, 128, {"sm.schedulers=3"});
  Cycle();
  EXPECT_EQ(Heard(0).eligible, 0b1001U);
  EXPECT_EQ(Heard(1).eligible, 0b0010U);
  EXPECT_EQ(Heard(2).eligible, 0b0100U);
}

TEST_F(IssueStageTest, ASchedulerHearsTheGroupOfATbThatStarts) {
  tb_groups_ = {5, 9};
  Start(kMultiply, 64);
  issue_->TbStarted(1);
  Cycle();
  EXPECT_EQ(Heard(0).started_group, 9U);
}

TEST_F(IssueStageTest, TbsOfOneGroupThatComeInARowHaveOneNumber) {
  tb_groups_ = {5, 5, 9, 5};
  Start(kMultiply, 64, {}, 0, /*quiescent=*/false);
  std::vector<uint32_t> numbers;
  for (const uint32_t tb : {0U, 1U, 2U, 3U}) {
    issue_->TbStarted(tb);
    Cycle();
    numbers.push_back(Heard(0).started_number);
  }
  EXPECT_EQ(numbers[1], numbers[0]);
  EXPECT_EQ(numbers[2], numbers[0] + 1);
  EXPECT_EQ(numbers[3], numbers[0] + 2);
}

TEST_F(IssueStageTest, ASchedulerHearsWhetherALoadHasIssued) {
  Start("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; ret;", 32, {}, 0,
        /*quiescent=*/false);
  Issue(0);
  EXPECT_TRUE(Heard(0).issued_valid);
  EXPECT_FALSE(Heard(0).issued_load);
  for (int i = 0; i < 8; ++i) Cycle();
  Issue(0);
  EXPECT_TRUE(Heard(0).issued_valid);
  EXPECT_TRUE(Heard(0).issued_load);
}

TEST_F(IssueStageTest, ASchedulerHearsOfItsOwnWarpsAlone) {
  Start("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; ret;", 128, {}, 0,
        /*quiescent=*/false);
  for (const uint32_t warp : {1U, 2U}) {
    Issue(warp);
    for (int i = 0; i < 8; ++i) Cycle();
    Issue(warp);
  }
  EXPECT_EQ(Heard(0).stalled, 0b0100U);
  EXPECT_EQ(Heard(1).stalled, 0b0010U);
  EXPECT_EQ(Heard(0).leading, 0b0001U);
  EXPECT_EQ(Heard(1).leading, 0U);
  WarpSignals signals;
  signals.lost = 3;
  Cycle(signals);
  EXPECT_FALSE(Heard(0).lost_locality_valid);
  EXPECT_TRUE(Heard(1).lost_locality_valid);
  EXPECT_EQ(Heard(1).lost_locality_warp, 3U);
}

// Two schedulers of two warps; those of the first one load one after the other.
TEST_F(IssueStageTest, CyclesWithoutAnIssueTellHowManyWarpsNeedDataFromMemory) {
  Start("ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; add.s32 %r2, %r1, 1; ret;", 128, {}, 0,
        /*quiescent=*/false);
  const auto waits = [&] { return issue_->Statistics(now_ + 1).memory_waits; };
  const auto load = [&](uint32_t warp) {
    Issue(warp);
    for (int i = 0; i < 8; ++i) Cycle();
    Issue(warp);
  };
  load(0);
  EXPECT_EQ(waits().any, 0U) << "the cycle of the load is one with an issue";
  for (int i = 0; i < 3; ++i) Cycle();
  EXPECT_EQ(waits().any, 3U) << "though warp 2 could issue";
  EXPECT_EQ(waits().half, 3U);
  EXPECT_EQ(waits().all, 0U);
  load(2);
  const MemoryWaits before = waits();
  EXPECT_EQ(before.all, 0U);
  now_ += 10;  // skipped
  Cycle();
  EXPECT_EQ(waits().all, 11U);
  EXPECT_EQ(waits().half, before.half + 11);
  EXPECT_EQ(waits().any, before.any + 11);
  EXPECT_EQ(issue_->Statistics(now_ + 6).memory_waits.all, 16U) << "a launch that ends later";
}

TEST_F(IssueStageTest, AStartedWarpIsToldWhereNoLevelChanges) {
  Start(kMultiply, 64);
  Cycle();
  Cycle();
  const size_t before = blocks_[1]->heard.size();
  ++now_;
  issue_->Begin(now_);
  sm_->warps->Begin();
  issue_->Issue(now_);
  sm_->warps->Start(5, 1, 1);  // its first instruction has not come
  issue_->TickSchedulers(now_, {});
  ASSERT_EQ(blocks_[1]->heard.size(), before + 1);
  EXPECT_EQ(Heard(1).started, 0b100000U);
}

TEST_F(IssueStageTest, IssuesNothingInCyclesWithoutAGrant) {
  Start(kMultiply, 64);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(Cycle());
  EXPECT_EQ(Count(IssueSlot::kNoGrant), 8U);
  EXPECT_EQ(Count(IssueSlot::kIssued), 0U);
}

TEST_F(IssueStageTest, APipeTakesNoInstructionBeforeItsInterval) {
  Start(kMultiply, 128, {}, 0, /*quiescent=*/false);
  Issue(0);  // an interval of two
  EXPECT_EQ(Heard(0).eligible, 0U) << "the next cycle is too early";
  EXPECT_EQ(Heard(1).eligible, 0b1010U) << "the other scheduler has a pipe of its own";
  Cycle();
  EXPECT_EQ(Heard(0).eligible, 0b0101U);
}

TEST_F(IssueStageTest, APipeStaysBusyWhileAnotherBecomesFree) {
  Start(kDivide, 192, {}, 0, /*quiescent=*/false);
  Issue(0);
  const uint64_t divided = now_;
  Issue(0);  // the multiplication
  for (int i = 0; i < 4; ++i) {
    Cycle();
    EXPECT_EQ(Heard(0).eligible, 0U) << "the divisions of all three wait";
  }
  while (now_ + 1 < divided + sm_->machine.sm.int_div.interval) Cycle();
  EXPECT_EQ(Heard(0).eligible, 0b010101U) << "for the cycle in which the pipe is free";
}

// One place in the load/store unit, and a load that each scheduler grants for the same cycle.
class SchedulerOrderTest : public IssueStageTest {
 protected:
  // Which scheduler issues in cycle `cycle`, the one before it being the first since cycle 0.
  uint32_t WinnerIn(uint64_t cycle, const std::string& order, uint32_t schedulers) {
    now_ = ~uint64_t{0};
    blocks_.clear();
    Start("ld.shared.u32 %r1, [s]; ret;", 32 * schedulers,
          {"sm.lsu_queue=1", "sm.scheduler_order=" + order,
           "sm.schedulers=" + std::to_string(schedulers)},
          0, /*quiescent=*/false);
    Cycle();
    now_ = cycle - 2;
    for (uint32_t i = 0; i < schedulers; ++i) {
      blocks_[i]->out.grant_valid = true;
      blocks_[i]->out.grant_warp = i;
    }
    EXPECT_FALSE(Cycle());
    EXPECT_TRUE(Cycle());
    EXPECT_EQ(now_, cycle);
    uint32_t winner = schedulers;
    for (uint32_t i = 0; i < schedulers; ++i) {
      if (!Heard(i).issued_valid) continue;
      EXPECT_EQ(winner, schedulers) << "only one has a place";
      winner = i;
    }
    return winner;
  }
};

TEST_F(SchedulerOrderTest, FixedTheFirstSchedulerIsAlwaysFirst) {
  for (const uint64_t cycle : {2U, 3U, 100U, 101U}) EXPECT_EQ(WinnerIn(cycle, "fixed", 2), 0U);
}

// Whether or not the SM had anything to do in the cycles before.
TEST_F(SchedulerOrderTest, RotatingTheCycleSaysWhoIsFirst) {
  for (const uint32_t schedulers : {1U, 2U, 3U, 4U}) {
    for (const uint64_t cycle : {2U, 3U, 4U, 5U, 6U, 1001U, 1002U}) {
      EXPECT_EQ(WinnerIn(cycle, "rotating", schedulers), cycle % schedulers)
          << "cycle " << cycle << " of " << schedulers << " schedulers";
    }
  }
}

// Two instructions of the first scheduler come before the second scheduler's turn.
TEST_F(SchedulerOrderTest, DualIssueIsOneTurn) {
  for (const uint32_t first : {0U, 1U}) {
    now_ = ~uint64_t{0};
    blocks_.clear();
    Start("add.s32 %r2, %r8, 1; ld.shared.u32 %r1, [s]; ret;", 64,
          {"sm.lsu_queue=1", "sm.scheduler_order=rotating", "sm.issue_width=2"}, 0,
          /*quiescent=*/false);
    Cycle();
    now_ = 98 + first;
    for (uint32_t i = 0; i < 2; ++i) {
      blocks_[i]->out.grant_valid = true;
      blocks_[i]->out.grant_warp = i;
    }
    Cycle();
    ASSERT_TRUE(Cycle());  // cycle 100 or 101
    EXPECT_EQ((*sm_->warps)[first].pc, 2U) << "the addition and the load";
    EXPECT_EQ((*sm_->warps)[1 - first].pc, 1U) << "the addition alone";
  }
}

TEST_F(IssueStageTest, AnSmIssuesNoMoreMemoryInstructionsACycleThanItsRegistersHold) {
  for (const uint32_t most : {1U, 2U}) {
    now_ = ~uint64_t{0};
    blocks_.clear();
    Start("ld.shared.u32 %r1, [s]; ret;", 64, {"sm.lsu_issue=" + std::to_string(most)}, 0,
          /*quiescent=*/false);
    Cycle();
    for (uint32_t i = 0; i < 2; ++i) {
      blocks_[i]->out.grant_valid = true;
      blocks_[i]->out.grant_warp = i;
    }
    Cycle();
    ASSERT_TRUE(Cycle());
    EXPECT_TRUE(Heard(0).issued_valid);
    EXPECT_EQ(Heard(1).issued_valid, most == 2);
  }
}

TEST_F(IssueStageTest, ASchedulerWhoseCollectorsAreFullIssuesToMemoryAlone) {
  Start("ld.shared.u32 %r1, [s]; ld.shared.u32 %r2, [s]; add.s32 %r3, %r8, 1; ret;", 128,
        {"sm.lsu_queue=2", "sm.lsu_queue_of=scheduler", "sm.lsu_blocking=1", "sm.lsu_latency=1"}, 0,
        /*quiescent=*/false);
  Issue(0);  // served
  EXPECT_EQ(Heard(0).eligible, 0b0101U);
  Issue(0);  // waits; warp 0 wants to add now
  EXPECT_EQ(Heard(0).eligible, 0b0100U);
  EXPECT_EQ(Heard(1).eligible, 0b1010U) << "the other scheduler has collectors of its own";
}

TEST_F(IssueStageTest, SleepsUntilTheCycleBeforeABusyPipeIsFree) {
  Start(kDivide, 160);
  Issue(0);
  const uint64_t free = now_ + sm_->machine.sm.int_div.interval;
  EXPECT_EQ(issue_->NextWork(now_), free - 1);
  while (now_ + 1 < free) Cycle();
  EXPECT_EQ(issue_->NextWork(now_), kNever) << "all that can be granted has been shown";
}

TEST_F(IssueStageTest, WakesForTheEndOfAnEpochWhileAWarpLives) {
  Start(kMultiply, 32, {}, /*epoch=*/100);
  for (int i = 0; i < 6; ++i) Cycle();
  EXPECT_EQ(issue_->NextWork(now_), 100U);
  EXPECT_EQ(issue_->NextWork(100), 200U);
}

TEST_F(IssueStageTest, AnSmWithoutWarpsIsIdle) {
  Make(kMultiply, 32, {}, 0, true);
  for (int i = 0; i < 3; ++i) Cycle();
  EXPECT_EQ(Count(IssueSlot::kIdle), 6U);
}

TEST_F(IssueStageTest, AResultInAPipeIsWhatItsReaderWaitsFor) {
  Start("add.s32 %r1, %r8, 1; add.s32 %r2, %r1, 1; ret;", 32);
  Issue(0);
  for (uint32_t i = 1; i < sm_->machine.sm.int_add.latency; ++i) Cycle();
  EXPECT_EQ(Count(IssueSlot::kPipe), sm_->machine.sm.int_add.latency - 1);
  Cycle();
  EXPECT_EQ(Count(IssueSlot::kPipe), sm_->machine.sm.int_add.latency - 1);
}

TEST_F(IssueStageTest, SkippedCyclesCountAsTheFirstOfThemWould) {
  Start(kMultiply, 96);
  Issue(0);
  Cycle();  // the pipe is free in the next one
  const uint64_t before = Count(IssueSlot::kNoGrant);
  now_ += 10;
  Cycle();
  EXPECT_EQ(Count(IssueSlot::kNoGrant), before + 2 * 11);
  EXPECT_EQ(Count(IssueSlot::kUnit), 1U) << "that of the cycle after the multiplication";
}

// A launch may end before the last cycle that was counted, with it, or later.
TEST_F(IssueStageTest, EachCycleOfALaunchCountsOnceForEachScheduler) {
  Start(kDivide, 160);
  Issue(0);
  Cycle();
  for (const uint64_t cycles : {now_, now_ + 1, now_ + 6}) {
    const SmStatistics counted = issue_->Statistics(cycles);
    EXPECT_EQ(std::accumulate(counted.slots.begin(), counted.slots.end(), uint64_t{0}), 2 * cycles);
    EXPECT_EQ(std::accumulate(counted.unit_waits.begin(), counted.unit_waits.end(), uint64_t{0}),
              counted[IssueSlot::kUnit])
        << cycles;
  }
  EXPECT_EQ(issue_->Statistics(now_ + 6).resident_warp_cycles,
            issue_->Statistics(now_ + 1).resident_warp_cycles + 5 * 5)
      << "of five warps";
}

}  // namespace issue_stage_test
}  // namespace flagstone
