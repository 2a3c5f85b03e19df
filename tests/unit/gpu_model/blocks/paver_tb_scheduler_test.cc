// Latencies and special cases of the PAVER TB scheduler's model, as rtl/paver's page states them.
#include "gpu_model/blocks/tb_scheduler/paver/paver_tb_scheduler.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace paver_tb_scheduler_test {

constexpr uint32_t kLatency = 40;

BenchConfig Config(uint32_t num_sms) {
  BenchConfig config;
  config.num_sms = num_sms;
  config.memory_latency = kLatency;
  config.contexts = 1;
  return config;
}

Groups Ascending(const std::vector<uint32_t>& sizes) {
  Groups groups;
  uint32_t id = 0;
  for (const uint32_t size : sizes) {
    groups.emplace_back();
    for (uint32_t i = 0; i < size; ++i) groups.back().push_back(id++);
  }
  return groups;
}

TEST(PaverTbScheduler, OffersTheFirstTbTwoMemoryLatenciesAfterTheStart) {
  PaverTbScheduler scheduler({2, 2});
  TbSchedulerBench bench(&scheduler, Config(2));
  const KernelRecord record = bench.RunGroups(Ascending({1, 1}));
  ASSERT_EQ(record.issues.size(), 2u);
  EXPECT_EQ(record.issues[0].cycle, 7 + 2 * kLatency);
  EXPECT_EQ(record.issues[1].cycle, 8 + 2 * kLatency);
  EXPECT_EQ(record.reads[0].cycle, 2u);
  EXPECT_EQ(record.reads[1].cycle, 3u);
}

TEST(PaverTbScheduler, OffersTheNextTbOfAGroupOneMemoryLatencyAfterTheIssue) {
  PaverTbScheduler scheduler({1, 2});
  BenchConfig config = Config(1);
  config.contexts = 8;
  TbSchedulerBench bench(&scheduler, config);
  const KernelRecord record = bench.RunGroups(Ascending({3}));
  ASSERT_EQ(record.issues.size(), 3u);
  EXPECT_EQ(record.issues[1].cycle - record.issues[0].cycle, 4 + kLatency);
  EXPECT_EQ(record.issues[2].cycle - record.issues[1].cycle, 4 + kLatency);
}

TEST(PaverTbScheduler, LosesOneMoreCycleFromGroupToGroup) {
  PaverTbScheduler scheduler({1, 2});
  BenchConfig config = Config(1);
  config.contexts = 8;
  TbSchedulerBench bench(&scheduler, config);
  const KernelRecord record = bench.RunGroups(Ascending({1, 1, 1}));
  ASSERT_EQ(record.issues.size(), 3u);
  EXPECT_EQ(record.issues[1].cycle - record.issues[0].cycle, 5 + kLatency);
  EXPECT_EQ(record.issues[2].cycle - record.issues[1].cycle, 5 + kLatency);
}

TEST(PaverTbScheduler, HidesTheFetchBehindARunningTb) {
  PaverTbScheduler scheduler({1, 2});
  BenchConfig config = Config(1);
  config.run_cycles = [](uint32_t, uint32_t) { return uint64_t{500}; };
  TbSchedulerBench bench(&scheduler, config);
  const KernelRecord record = bench.RunGroups(Ascending({2, 2}));
  ASSERT_EQ(record.issues.size(), 4u);
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(record.issues[i].cycle - record.issues[i - 1].cycle, 501u);
  }
}

TEST(PaverTbScheduler, HandsFourGroupsOutPerMemoryLatency) {
  PaverTbScheduler scheduler({12, 2, 4});
  TbSchedulerBench bench(&scheduler, Config(12));
  const KernelRecord record = bench.RunGroups(Ascending(std::vector<uint32_t>(12, 1)));
  ASSERT_EQ(record.issues.size(), 12u);
  EXPECT_LT(record.issues[3].cycle, 2 * kLatency + 16);
  EXPECT_GT(record.issues[4].cycle, 3 * kLatency);
  EXPECT_LT(record.issues[11].cycle, 4 * kLatency + 24);
}

TEST(PaverTbScheduler, StealsAsManyCyclesAfterTheLastIssueAsThePageSays) {
  constexpr uint32_t kSms = 3;
  PaverTbScheduler scheduler({kSms, 2});
  BenchConfig config = Config(kSms);
  config.run_cycles = [](uint32_t sm, uint32_t) { return sm == 1 ? uint64_t{9000} : 300; };
  TbSchedulerBench bench(&scheduler, config);
  const Groups groups = Ascending({1, 7, 1});
  const KernelRecord record = bench.RunGroups(groups);
  ExpectIssuedOnceInOrder(groups, record, kSms);
  ASSERT_FALSE(record.steals.empty());
  // SM 0 ends its only TB first; SM 1 has issued one of its seven TBs and has five beyond nextTB.
  const SeenSteal& steal = record.steals.front();
  EXPECT_EQ(steal.thief, 0u);
  EXPECT_EQ(steal.donor, 1u);
  EXPECT_EQ(steal.count, 5u - 5 / 3);
  const uint64_t free = record.free_since[0].front();
  EXPECT_EQ(steal.cycle, free + kSms + 16 + 10);
  // The thief offers its first TB after the fetch of its id.
  for (const IssueEvent& issue : record.issues) {
    if (issue.sm != 0 || issue.cycle < steal.cycle) continue;
    EXPECT_EQ(issue.cycle, steal.cycle + 3 + kLatency);
    EXPECT_EQ(issue.tb, 4u);
    break;
  }
}

TEST(PaverTbScheduler, DoesNotStealWhenNotEnabled) {
  PaverTbScheduler scheduler({3, 2});
  BenchConfig config = Config(3);
  config.steal_enable = false;
  TbSchedulerBench bench(&scheduler, config);
  const Groups groups = Ascending({1, 9, 1});
  const KernelRecord record = bench.RunGroups(groups);
  EXPECT_TRUE(record.steals.empty());
  EXPECT_EQ(record.TbsOf(1), groups[1]);
}

TEST(PaverTbScheduler, IsBusyUntilFourCyclesAfterTheLastCompletion) {
  PaverTbScheduler scheduler({1, 2});
  TbSchedulerBench bench(&scheduler, Config(1));
  const KernelRecord record = bench.RunGroups(Ascending({1}));
  // free_since is one cycle after tb_done.
  EXPECT_EQ(record.cycles, record.free_since[0].back() + 3);
}

TEST(PaverTbScheduler, EndsAKernelWithoutGroupsAtOnce) {
  PaverTbScheduler scheduler({2, 2});
  TbSchedulerBench bench(&scheduler, Config(2));
  EXPECT_EQ(bench.RunGroups({}).cycles, 2u);
}

TEST(PaverTbScheduler, EndsAKernelOfEmptyGroups) {
  PaverTbScheduler scheduler({2, 2});
  TbSchedulerBench bench(&scheduler, Config(2));
  const KernelRecord record = bench.RunGroups({{}, {}, {}, {}, {}, {}});
  EXPECT_TRUE(record.finished);
  EXPECT_TRUE(record.issues.empty());
  EXPECT_EQ(record.reads.size(), 6u);
}

TEST(PaverTbScheduler, RunsASecondKernelAsTheFirst) {
  PaverTbScheduler scheduler({3, 2});
  BenchConfig config = Config(3);
  TbSchedulerBench bench(&scheduler, config);
  const Groups groups = Ascending({5, 1, 2, 8, 1, 1, 1});
  const KernelRecord first = bench.RunGroups(groups);
  const KernelRecord second = bench.RunGroups(groups);
  EXPECT_EQ(first.issues, second.issues);
  EXPECT_EQ(first.steals, second.steals);
  EXPECT_EQ(first.cycles, second.cycles);
}

TEST(PaverTbScheduler, IgnoresAStartWhileBusyAndAnAnswerWithoutARequest) {
  const Groups groups = Ascending({4, 2, 3});
  PaverTbScheduler quiet({2, 2});
  TbSchedulerBench quiet_bench(&quiet, Config(2));
  PaverTbScheduler disturbed({2, 2});
  TbSchedulerBench disturbed_bench(&disturbed, Config(2));
  disturbed_bench.SetDisturbance([](uint64_t cycle, TbSchedulerIn* in) {
    if (cycle == 1) in->mem_rsp_valid = true;
    if (cycle == 0) return;
    in->start = true;
    in->queue_base = 0xdead0000;
    in->queue_count = 77;
    in->steal_rule = StealRule::kOff;
  });
  EXPECT_TRUE(disturbed_bench.RunGroups(groups).SameTraffic(quiet_bench.RunGroups(groups)));
}

TEST(PaverTbScheduler, IsTheSameWithIdleTicksSkipped) {
  const Groups groups = Ascending({9, 1, 1, 30, 2, 2, 2, 1, 1});
  BenchConfig config = Config(4);
  config.contexts = 2;
  config.run_cycles = [](uint32_t sm, uint32_t tb) { return uint64_t{90} + 31 * sm + tb; };
  PaverTbScheduler every({4, 2});
  TbSchedulerBench every_bench(&every, config);
  PaverTbScheduler some({4, 2});
  TbSchedulerBench some_bench(&some, config);
  some_bench.SetGate(
      [](const TbScheduler& body, const TbSchedulerIn& in) { return body.Idle(in); });
  const KernelRecord full = every_bench.RunGroups(groups);
  const KernelRecord gated = some_bench.RunGroups(groups);
  EXPECT_TRUE(gated.SameTraffic(full));
  EXPECT_FALSE(full.steals.empty());
  EXPECT_GT(gated.skipped_ticks, gated.cycles / 2);
}

}  // namespace paver_tb_scheduler_test
}  // namespace flagstone
