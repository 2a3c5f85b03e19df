#include "app/flow/sample/sampled_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/flow/run/result_key.h"
#include "app/flow/run/run.h"
#include "app/flow/run/run_options.h"
#include "base/error.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace sampled_launch_test {

// 32 waves on the small machine.
RunOptions Options(const std::string& policy = "lrr") {
  RunOptions options;
  options.workload = "vecadd";
  options.size = "paper";
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  options.policy = policy;
  return options;
}
RunRecord Sampled(RunOptions options, double percent = 10) {
  options.sample_percent = percent;
  return RunWorkload(options);
}

void ExpectWithin(uint64_t estimate, uint64_t whole, uint64_t half_width) {
  EXPECT_NEAR(static_cast<double>(estimate), static_cast<double>(whole),
              std::max(static_cast<double>(half_width), 0.02 * static_cast<double>(whole)));
}

class SampledPolicies : public testing::TestWithParam<std::string> {};

TEST_P(SampledPolicies, FewTbsTellTheCyclesAndTheTrafficOfAll) {
  const RunRecord whole = RunWorkload(Options(GetParam()));
  const RunRecord sampled = Sampled(Options(GetParam()));
  const LaunchRecord& launch = sampled.launches.front();
  ASSERT_TRUE(launch.sample);
  ASSERT_EQ(launch.sample->whole, "");
  EXPECT_LT(launch.sample->tbs, 128U);
  EXPECT_EQ(launch.statistics.tb.completed, 256U);
  const LaunchStatistics& half = launch.sample->half_widths;
  ExpectWithin(sampled.totals.cycles, whole.totals.cycles, half.cycles);
  ExpectWithin(sampled.totals.l2.accesses, whole.totals.l2.accesses, half.l2.accesses);
  ExpectWithin(sampled.totals.dram.reads, whole.totals.dram.reads, half.dram.reads);
  ExpectWithin(sampled.totals.warp_instructions, whole.totals.warp_instructions,
               half.warp_instructions);
}
INSTANTIATE_TEST_SUITE_P(All, SampledPolicies, testing::Values("lrr", "chunk", "rb", "kway"),
                         [](const auto& policy) { return policy.param; });

TEST(SampledLaunch, ResultsAreThoseOfAllTbsWhereTheyAreAskedFor) {
  const RunRecord record = Sampled(Options());
  ASSERT_FALSE(record.checks.empty());
  EXPECT_TRUE(record.ChecksPassed());
}

TEST(SampledLaunch, ALaunchOfFewWavesIsSimulatedWholeAndSaysSo) {
  RunOptions options = Options();
  options.size = "test";
  const RunRecord record = Sampled(options);
  EXPECT_EQ(record.launches.front().sample->whole,
            "it has 2.0 waves of TBs; no loop that the warps of a TB go round together");
  EXPECT_EQ(record.totals.cycles, RunWorkload(options).totals.cycles);
}

TEST(SampledLaunch, TbsAreNotLeftOutWhereTheirSchedulerGoesByTheGrid) {
  const RunRecord record = Sampled(Options("cta-x"));
  EXPECT_NE(record.launches.front().sample->whole.find("goes by rows and columns of the grid"),
            std::string::npos)
      << record.launches.front().sample->whole;
}

TEST(SampledLaunch, WavesThatNeverAgreeAreSimulatedWholeAsIfNothingHadBeenTried) {
  const RunRecord record = Sampled(Options(), kLeastSamplePercent);
  EXPECT_NE(record.launches.front().sample->whole.find("its cycles were known to"),
            std::string::npos);
  EXPECT_EQ(record.totals.cycles, RunWorkload(Options()).totals.cycles);
  EXPECT_TRUE(record.ChecksPassed());
}

// TB b goes through a loop of 20 turns, and one more for each 16 TBs before it.
TEST(SampledLaunch, TbsThatDoMoreThanTheOthersAreNotLeftOut) {
  const TemporaryFolder folder;
  folder.Write("longer.ptx", R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry longer() {
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  mov.u32 %r1, %ctaid.x;
  shr.u32 %r1, %r1, 4;
  add.u32 %r1, %r1, 20;
AGAIN:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ret;
}
)");
  folder.Write("workload.toml", R"(name = "longer"
description = "TBs that do more and more"
[[launch]]
ptx = "longer.ptx"
entry = "longer"
grid = [1024, 1, 1]
block = [64, 1, 1]
args = []
)");
  RunOptions options = Options();
  options.workload = (folder.path() / "workload.toml").string();
  const RunRecord record = Sampled(options, 50);
  EXPECT_NE(record.launches.front().sample->whole.find("times the instructions of others"),
            std::string::npos)
      << record.launches.front().sample->whole;
  EXPECT_EQ(record.totals.cycles, RunWorkload(options).totals.cycles);
}

TEST(SampledLaunch, AnL2ThatFillsUpForLongIsFilledBeforeWavesAreSampled) {
  RunOptions options = Options();
  options.machine = MachineConfig::Load("tiny", {"l2.size_kib=128"});
  options.cold_l2 = true;
  const RunRecord whole = RunWorkload(options);
  const RunRecord sampled = Sampled(options);
  ASSERT_EQ(sampled.launches.front().sample->whole, "");
  const LaunchStatistics& half = sampled.launches.front().sample->half_widths;
  EXPECT_GT(whole.totals.dram.writes, 0U);
  ExpectWithin(sampled.totals.dram.writes, whole.totals.dram.writes, half.dram.writes);
}

TEST(SampledLaunch, DetailNamesTbsAndGroupsAsTheWholeLaunchDoes) {
  RunOptions options = Options("kway");
  options.detail = true;
  const RunRecord record = Sampled(options);
  const LaunchDetail& detail = *record.launches.front().detail;
  uint64_t highest = 0;
  for (const PlacedTb& placed : detail.tbs) highest = std::max(highest, placed.tb);
  EXPECT_EQ(highest, 255U) << "the last TBs of a launch are simulated";
  EXPECT_EQ(detail.tbs.size(), record.launches.front().sample->tbs);
  uint32_t in_groups = 0;
  for (const auto& group : detail.groups.groups) {
    for (const uint32_t tb : group) in_groups = std::max(in_groups, tb);
  }
  EXPECT_EQ(in_groups, 255U);
}

TEST(SampledLaunch, SampledAndWholeRunsHaveNamesOfTheirOwnInTheStore) {
  RunOptions options = Options();
  const std::string whole = ResultIdentity(options, 0);
  options.sample_percent = 3;
  const std::string to_three = ResultIdentity(options, 0);
  options.sample_percent = 5;
  EXPECT_NE(to_three, whole);
  EXPECT_NE(ResultIdentity(options, 0), to_three);
}

TEST(SampledLaunch, WhatOnlyAWholeLaunchHasIsRefusedInOneLine) {
  const auto refused = [](void (*ask)(RunOptions*)) {
    RunOptions options = Options();
    options.sample_percent = 3;
    ask(&options);
    EXPECT_THROW(RequireSampleable(options), Error);
  };
  refused([](RunOptions* options) { options->checkpoint = "a"; });
  refused([](RunOptions* options) { options->wave.file = "a"; });
  refused([](RunOptions* options) { options->engine = Engine::kLockstep; });
  refused([](RunOptions* options) { options->check_races = true; });
  refused([](RunOptions* options) { options->functional = true; });
  refused([](RunOptions* options) {
    options->skip_checks = true;
    options->dumps = {{"c", "c.bin"}};
  });
}

}  // namespace sampled_launch_test
}  // namespace flagstone
