#include "gpu_model/blocks/tb_scheduler/paver/task_stealer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"

namespace flagstone {
namespace task_stealer_test {

// Runs one scan over queues that do not change, until the steal or the end; counts the cycles from
// the one in which the candidate was seen to the one in which the steal is carried out.
struct Outcome {
  Steal steal;
  uint32_t cycles = 0;
};
Outcome RunScan(TaskStealer* stealer, const std::vector<uint16_t>& waiting, uint32_t thief) {
  SmMask candidates = {};
  SetBit(&candidates, thief);
  Outcome outcome;
  for (; outcome.cycles < 1000; ++outcome.cycles) {
    const uint32_t sm = stealer->Observed();
    const uint16_t count = sm == kNoSm ? uint16_t{0} : waiting[sm];
    outcome.steal = stealer->Tick(true, candidates, count, false);
    if (outcome.steal.count != 0 || (stealer->Idle() && !stealer->Armed())) return outcome;
  }
  return outcome;
}

TEST(TaskStealer, TakesMaximumMinusAverageFromTheLowestOfTheFullest) {
  TaskStealer stealer(5, 2);
  const Outcome outcome = RunScan(&stealer, {3, 9, 0, 9, 2}, 2);
  EXPECT_EQ(outcome.steal.count, 9 - 23 / 5);
  EXPECT_EQ(outcome.steal.donor, 1u);
  EXPECT_EQ(outcome.steal.thief, 2u);
}

TEST(TaskStealer, EqualsAlgorithm2OnRandomCounts) {
  SplitMix64 random(7);
  for (int round = 0; round < 3000; ++round) {
    const auto sms = static_cast<uint32_t>(2 + random.Below(127));
    const uint64_t largest = uint64_t{1} << random.Below(16);
    std::vector<uint16_t> waiting(sms);
    for (uint16_t& count : waiting) {
      count = static_cast<uint16_t>(random.Below(std::min<uint64_t>(largest, 65535 / sms) + 1));
    }
    const auto thief = static_cast<uint32_t>(random.Below(sms));
    waiting[thief] = 0;
    const auto most = std::max_element(waiting.begin(), waiting.end());
    const uint32_t sum = std::accumulate(waiting.begin(), waiting.end(), 0u);
    TaskStealer stealer(sms, 2);
    const Outcome outcome = RunScan(&stealer, waiting, thief);
    ASSERT_EQ(outcome.steal.count, *most == 0 ? 0u : *most - sum / sms);
    if (*most == 0) continue;
    ASSERT_EQ(outcome.steal.donor, static_cast<uint32_t>(most - waiting.begin()));
    ASSERT_EQ(outcome.steal.thief, thief);
    ASSERT_GE(outcome.steal.count, 1);
    ASSERT_LE(outcome.steal.count, *most);
  }
}

TEST(TaskStealer, NeedsACycleForEachSmAndForEachBitOfTheAverageAndNineMore) {
  TaskStealer narrow(15, 2);
  std::vector<uint16_t> waiting(15, 4);
  waiting[3] = 0;
  EXPECT_EQ(RunScan(&narrow, waiting, 3).cycles, 15u + 16 + 9);
  TaskStealer wide(15, 4);
  EXPECT_EQ(RunScan(&wide, waiting, 3).cycles, 15u + 20 + 9);
}

TEST(TaskStealer, EndsForThisKernelWhenNothingWaitsAnywhere) {
  TaskStealer stealer(3, 2);
  const Outcome outcome = RunScan(&stealer, {0, 0, 0}, 1);
  EXPECT_EQ(outcome.steal.count, 0);
  EXPECT_TRUE(stealer.Idle());
  EXPECT_FALSE(stealer.Armed());
  stealer.Clear();
  EXPECT_TRUE(stealer.Armed());
}

TEST(TaskStealer, ScansAgainWhenTheDonorHasIssuedAllMeanwhile) {
  TaskStealer stealer(2, 2);
  const SmMask candidates = {1, 0};
  uint32_t scans = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    // SM 1 has 2 waiting when the first scan reads it, and none from then on.
    if (stealer.Observed() == 0) ++scans;
    const uint16_t waiting = stealer.Observed() == 1 && cycle == 2 ? uint16_t{2} : uint16_t{0};
    EXPECT_EQ(stealer.Tick(true, candidates, waiting, false).count, 0);
  }
  EXPECT_EQ(scans, 2u);
  EXPECT_TRUE(stealer.Idle());
  EXPECT_FALSE(stealer.Armed());
}

// A donor with `scanned` waiting in the scan and `later` from then on, which issues a TB in the
// cycles of `issues`, counted from its second reading. Returns the steal and its cycle.
std::pair<Steal, int> RobDonor(uint16_t scanned, uint16_t later, const std::vector<int>& issues) {
  TaskStealer stealer(2, 2);
  const SmMask candidates = {1, 0};
  int since = -1;
  for (int cycle = 0; cycle < 100; ++cycle) {
    const bool observed = stealer.Observed() == 1;
    if (observed && cycle > 10) ++since;  // the scan is over by then
    const uint16_t waiting = !observed ? uint16_t{0} : cycle > 10 ? later : scanned;
    const bool issue =
        observed && since >= 0 && std::find(issues.begin(), issues.end(), since) != issues.end();
    const Steal steal = stealer.Tick(true, candidates, waiting, issue);
    if (steal.count != 0) return {steal, cycle};
  }
  return {};
}

TEST(TaskStealer, TakesNoMoreThanTheDonorHasLeft) {
  EXPECT_EQ(RobDonor(10, 10, {}).first.count, 5);
  EXPECT_FALSE(RobDonor(10, 10, {}).first.all);
  EXPECT_EQ(RobDonor(10, 3, {}).first.count, 3);
  EXPECT_TRUE(RobDonor(10, 3, {}).first.all);
}

TEST(TaskStealer, ReadsTheDonorAgainWhenItIssuesBeforeTheCommit) {
  const int undisturbed = RobDonor(10, 4, {}).second;
  for (int issue = 0; issue < 4; ++issue) {  // READ, SUBTRACT, CLAMP, CUT
    EXPECT_EQ(RobDonor(10, 4, {issue}).second, undisturbed + 5) << issue;
  }
}

}  // namespace task_stealer_test
}  // namespace flagstone
