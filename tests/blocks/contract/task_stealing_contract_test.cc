// What PAVER's task stealer promises (PAVER, section 5.2, Algorithm 2), on each body of the TB
// scheduler.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace task_stealing_contract_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kLong = 3000;  // outlives everything else in these scenes

// One context per SM, so that once memory has answered an SM with a group of n ids has one TB
// running, the next one in nextTB, and n - 2 waiting.
class TaskStealing : public ContractTest {
 protected:
  // SM s gets a group of sizes[s] ids, 100 * s onwards. TBs of the SMs in `quick` take 40 cycles,
  // all others outlive the scene.
  KernelRecord Run(const std::vector<uint32_t>& sizes, const std::vector<uint32_t>& quick,
                   bool steal_enable = true) {
    groups_.clear();
    for (const uint32_t size : sizes) {
      const auto first = static_cast<uint32_t>(100 * groups_.size());
      groups_.emplace_back(size);
      std::iota(groups_.back().begin(), groups_.back().end(), first);
    }
    BenchConfig config;
    config.num_sms = static_cast<uint32_t>(sizes.size());
    config.memory_latency = 5;
    config.steal_enable = steal_enable;
    config.run_cycles = [=](uint32_t sm, uint32_t) -> uint64_t {
      return std::find(quick.begin(), quick.end(), sm) != quick.end() ? 40 : kLong;
    };
    const auto scheduler = Make(FindTbScheduler("paver"), {config.num_sms});
    TbSchedulerBench bench(scheduler.get(), config);
    if (observe_) bench.SetObserver(observe_);
    const KernelRecord record = bench.RunGroups(groups_);
    ExpectIssuedOnceInOrder(groups_, record, config.num_sms);
    return record;
  }

  Groups groups_;
  std::function<void(uint64_t, const TbSchedulerOut&, const TbSchedulerIn&)> observe_;
};

INSTANTIATE_TEST_SUITE_P(Bodies, TaskStealing,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

TEST_P(TaskStealing, ItsRuleSaysWhoSteals) {
  // SM 0 has a group of 20, SM 1 one TB, which runs for 500 cycles beside a free context.
  Groups groups(2);
  groups[0].resize(20);
  std::iota(groups[0].begin(), groups[0].end(), 0);
  groups[1] = {20};
  const auto first_steal = [&](StealRule rule) {
    BenchConfig config;
    config.num_sms = 2;
    config.contexts = 2;
    config.memory_latency = 5;
    config.steal_rule = rule;
    config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 1 ? 500 : kLong; };
    const auto scheduler = Make(FindTbScheduler("paver"), {2});
    const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
    ExpectIssuedOnceInOrder(groups, record, 2);
    return record.steals.empty() ? ~uint64_t{0} : record.steals[0].cycle;
  };
  EXPECT_LT(first_steal(StealRule::kWhenFree), 100u);
  EXPECT_GT(first_steal(StealRule::kNeverFirst), 500u);
  EXPECT_LT(first_steal(StealRule::kNeverFirst), 600u);
  EXPECT_GT(first_steal(StealRule::kWhenIdle), 500u);
  EXPECT_EQ(first_steal(StealRule::kOff), ~uint64_t{0});
}

TEST_P(TaskStealing, MovesMaxMinusAverageTbs) {
  // Waiting: 18, 9, 0. max = 18, average = floor(27 / 3) = 9.
  const KernelRecord record = Run({20, 11, 1}, {2});
  ASSERT_FALSE(record.steals.empty());
  EXPECT_EQ(record.steals[0].donor, 0u);
  EXPECT_EQ(record.steals[0].thief, 2u);
  EXPECT_EQ(record.steals[0].count, 9u);
}

TEST_P(TaskStealing, RoundsTheAverageDown) {
  // Waiting: 18, 10, 0 and 18, 11, 0: the average is 9 of 28 / 3 and 9 of 29 / 3.
  EXPECT_EQ(Run({20, 12, 1}, {2}).steals.at(0).count, 9u);
  EXPECT_EQ(Run({20, 13, 1}, {2}).steals.at(0).count, 9u);
  EXPECT_EQ(Run({20, 14, 1}, {2}).steals.at(0).count, 8u);
}

TEST_P(TaskStealing, CountsTheThiefInTheAverage) {
  // Waiting: 7, 0: the average over both SMs is 3.
  EXPECT_EQ(Run({9, 1}, {1}).steals.at(0).count, 4u);
}

TEST_P(TaskStealing, RobsTheSmWithMostWaitingTbs) {
  EXPECT_EQ(Run({6, 20, 1}, {2}).steals.at(0).donor, 1u);
  EXPECT_EQ(Run({1, 6, 20}, {0}).steals.at(0).donor, 2u);
}

TEST_P(TaskStealing, RobsTheLowestSmOfEquals) {
  EXPECT_EQ(Run({12, 12, 1}, {2}).steals.at(0).donor, 0u);
  EXPECT_EQ(Run({1, 12, 12}, {0}).steals.at(0).donor, 1u);
  std::vector<uint32_t> sizes(15, 4);
  sizes[0] = 1;
  sizes[5] = sizes[9] = sizes[14] = 16;
  const SeenSteal steal = Run(sizes, {0}).steals.at(0);
  // Waiting: 3 x 14, 11 x 2, 0: the average is floor(64 / 15) = 4.
  EXPECT_EQ(steal.donor, 5u);
  EXPECT_EQ(steal.count, 10u);
}

TEST_P(TaskStealing, FindsThievesRoundRobin) {
  // Both quick SMs ask for work again and again; neither is passed over.
  const KernelRecord record = Run({40, 1, 1}, {1, 2});
  ASSERT_GE(record.steals.size(), 2u);
  EXPECT_NE(record.steals[0].thief, record.steals[1].thief);
}

TEST_P(TaskStealing, GivesTheThiefTheDonorsTailInOrder) {
  const KernelRecord record = Run({20, 11, 1}, {2});
  std::vector<uint32_t> tbs = record.TbsOf(2);
  ASSERT_GE(tbs.size(), 10u);
  tbs.resize(10);
  EXPECT_THAT(tbs, ElementsAre(200, 11, 12, 13, 14, 15, 16, 17, 18, 19));
}

TEST_P(TaskStealing, LeavesTheDonorItsFetchedId) {
  const KernelRecord record = Run({3, 1}, {1});
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 1));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(100, 2));
}

TEST_P(TaskStealing, NeverRobsAGroupWithNothingWaiting) {
  EXPECT_THAT(Run({2, 1}, {1}).steals, IsEmpty());
  EXPECT_THAT(Run({1, 1}, {1}).steals, IsEmpty());
}

TEST_P(TaskStealing, StealsOnlyWhenEnabled) {
  const KernelRecord record = Run({10, 1}, {1}, /*steal_enable=*/false);
  EXPECT_THAT(record.steals, IsEmpty());
  EXPECT_THAT(record.TbsOf(1), ElementsAre(100));
}

TEST_P(TaskStealing, WaitsUntilTheLastGroupIsHandedOut) {
  BenchConfig config;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 0 ? kLong : 10; };
  const Groups groups = {{0, 1, 2, 3, 4, 5}, {10}, {11}, {12}, {13}, {14}, {15}, {16}};
  const auto scheduler = Make(FindTbScheduler("paver"), {2});
  const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
  ExpectIssuedOnceInOrder(groups, record, 2);
  const auto last = std::find_if(record.issues.begin(), record.issues.end(),
                                 [](const IssueEvent& issue) { return issue.tb == 16; });
  ASSERT_NE(last, record.issues.end());
  ASSERT_FALSE(record.steals.empty());
  EXPECT_GT(record.steals[0].cycle, last->cycle);
}

TEST_P(TaskStealing, StealsOneAtATimeUntilNothingWaits) {
  const KernelRecord record = Run({30, 1, 1}, {1, 2});
  // 28 TBs wait; the donor keeps the one that runs and the one fetched.
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 1));
  for (size_t k = 1; k < record.steals.size(); ++k) {
    EXPECT_GT(record.steals[k].cycle, record.steals[k - 1].cycle + 3);  // a scan of three SMs
  }
}

TEST_P(TaskStealing, SurvivesAnIssueOfTheDonorAtAnyMomentOfASteal) {
  // The donor's TBs take one cycle more from run to run, so that its issues and fetches meet each
  // step of the scan, the division and the commit.
  uint64_t steals = 0;
  for (uint64_t cycles = 5; cycles <= 90; ++cycles) {
    for (const uint32_t latency : {1u, 9u, 40u}) {
      BenchConfig config;
      config.memory_latency = latency;
      config.run_cycles = [=](uint32_t sm, uint32_t) { return sm == 0 ? cycles : 7; };
      const Groups groups = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {100}};
      const auto scheduler = Make(FindTbScheduler("paver"), {2});
      const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
      ExpectIssuedOnceInOrder(groups, record, 2);
      steals += record.steals.size();
      if (HasFailure()) FAIL() << "TBs of " << cycles << " cycles, latency " << latency;
    }
  }
  EXPECT_GT(steals, 258u);
}

TEST_P(TaskStealing, LetsAThiefBeRobbedInItsTurn) {
  // SM 2 is quick for its own TB, then slow for what it steals; SM 1 ends later and robs it.
  const Groups groups = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {100}, {200}};
  BenchConfig config;
  config.num_sms = 3;
  config.run_cycles = [](uint32_t sm, uint32_t tb) -> uint64_t {
    if (tb == 200) return 20;
    return tb == 100 ? 400 : (sm == 1 ? 40 : kLong);
  };
  const auto scheduler = Make(FindTbScheduler("paver"), {3});
  const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
  ExpectIssuedOnceInOrder(groups, record, 3);
  const auto robbed = [&](const SeenSteal& steal) { return steal.donor == 2; };
  EXPECT_TRUE(std::any_of(record.steals.begin(), record.steals.end(), robbed));
}

TEST_P(TaskStealing, EndsWhenNothingWaitsAnywhere) {
  // SM 1 has a free context from early on, and there is nothing to give it: the scheduler must come
  // to rest rather than scan until the kernel ends.
  uint64_t restless = 0;
  bool looked = false;
  observe_ = [&](uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn& in) {
    if (cycle < 500 || cycle >= 3000) return;
    EXPECT_TRUE(TestBit(in.tb_ready, 1));
    looked = true;
    if (!out.quiescent || HasEvent(out, in)) ++restless;
  };
  Run({3, 1}, {1});
  EXPECT_TRUE(looked);
  EXPECT_EQ(restless, 0u);
}

TEST_P(TaskStealing, BeginsAnewInTheNextKernel) {
  BenchConfig config;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 0 ? 500 : 10; };
  const auto scheduler = Make(FindTbScheduler("paver"), {2});
  TbSchedulerBench bench(scheduler.get(), config);
  const Groups groups = {{0, 1, 2, 3}, {10}};
  const KernelRecord first = bench.RunGroups(groups);
  const KernelRecord second = bench.RunGroups(groups);
  EXPECT_FALSE(first.steals.empty());
  EXPECT_EQ(first.steals, second.steals);
}

}  // namespace task_stealing_contract_test
}  // namespace flagstone
