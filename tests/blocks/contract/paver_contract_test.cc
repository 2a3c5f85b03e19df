// What PAVER's TB scheduler promises (PAVER, section 5), on each of its bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace paver_contract_test {

using testing::ElementsAre;
using testing::IsEmpty;

// Groups of these sizes, ids counted up from `first`.
Groups GroupsOfSizes(const std::vector<uint32_t>& sizes, uint32_t first = 0) {
  Groups groups;
  for (const uint32_t size : sizes) {
    groups.emplace_back(size);
    std::iota(groups.back().begin(), groups.back().end(), first);
    first += size;
  }
  return groups;
}

class PaverContract : public ContractTest {
 protected:
  // Runs `groups` on a fresh scheduler.
  KernelRecord Run(const Groups& groups, const BenchConfig& config) {
    const auto scheduler =
        Make(FindTbScheduler("paver"), {config.num_sms, config.id_bytes, config.descriptors});
    return TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, PaverContract,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

TEST_P(PaverContract, IssuesEveryTbOnceAndInItsGroupsOrder) {
  // Ids scattered over groups, so that id and position differ.
  Groups groups = {{31, 4, 15, 9}, {2, 6},       {5, 35, 8, 97, 93},
                   {23},           {84, 62, 64}, {33, 83, 27, 95}};
  for (const uint32_t sms : {1u, 2u, 3u, 15u}) {
    BenchConfig config;
    config.num_sms = sms;
    config.contexts = 2;
    config.steal_enable = false;
    const KernelRecord record = Run(groups, config);
    ExpectIssuedOnceInOrder(groups, record, sms);
  }
}

TEST_P(PaverContract, HandsTheFirstGroupsOutRoundRobin) {
  const Groups groups = GroupsOfSizes(std::vector<uint32_t>(30, 4));
  BenchConfig config;
  config.num_sms = 15;
  const KernelRecord record = Run(groups, config);
  for (uint32_t sm = 0; sm < 15; ++sm) EXPECT_EQ(record.TbsOf(sm).at(0), groups[sm][0]);
}

TEST_P(PaverContract, FetchesAsManyDescriptorsAheadAsItIsBuiltFor) {
  const Groups groups = GroupsOfSizes(std::vector<uint32_t>(100, 2));
  for (const uint32_t descriptors : {1u, 3u, 4u, 80u, 128u}) {
    BenchConfig config;
    config.descriptors = descriptors;
    config.memory_latency = 200;
    const KernelRecord record = Run(groups, config);
    ExpectIssuedOnceInOrder(groups, record, 2);
    // Before the first answer, a request a cycle.
    const auto early = std::count_if(record.reads.begin(), record.reads.end(),
                                     [](const ReadEvent& read) { return read.cycle <= 202; });
    EXPECT_EQ(early, std::min(descriptors, 100u));
  }
}

TEST_P(PaverContract, HandsLaterGroupsOutOnDemand) {
  const Groups groups = GroupsOfSizes({3, 2, 2, 2});
  BenchConfig config;
  config.steal_enable = false;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 0 ? 2000 : 5; };
  const KernelRecord record = Run(groups, config);
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 1, 2));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST_P(PaverContract, FetchesTheNextIdWhileTheTbRuns) {
  BenchConfig config;
  config.num_sms = 1;
  config.memory_latency = 50;
  config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 200; };
  const KernelRecord record = Run(GroupsOfSizes({8}), config);
  ASSERT_EQ(record.issues.size(), 8u);
  // No cycle is lost between a free context and the issue into it.
  for (size_t k = 1; k < 8; ++k) EXPECT_EQ(record.issues[k].cycle, record.free_since[0][k - 1]);
}

TEST_P(PaverContract, WaitsForTheNextIdWhenMemoryIsSlowerThanTheTb) {
  BenchConfig config;
  config.num_sms = 1;
  config.memory_latency = 300;
  config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 10; };
  const KernelRecord record = Run(GroupsOfSizes({5}), config);
  ASSERT_EQ(record.issues.size(), 5u);
  for (size_t k = 1; k < 5; ++k) {
    EXPECT_GE(record.issues[k].cycle, record.issues[k - 1].cycle + 300);
    EXPECT_LE(record.issues[k].cycle, record.issues[k - 1].cycle + 304);
  }
}

TEST_P(PaverContract, TakesTheNextGroupWhileAllContextsAreFull) {
  BenchConfig config;
  config.num_sms = 1;
  config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 500; };
  const KernelRecord record = Run(GroupsOfSizes({1, 1, 1}), config);
  ASSERT_EQ(record.issues.size(), 3u);
  for (size_t k = 1; k < 3; ++k) EXPECT_EQ(record.issues[k].cycle, record.free_since[0][k - 1]);
}

TEST_P(PaverContract, ReadsEachDescriptorAndEachIdOnce) {
  const Groups groups = GroupsOfSizes({9, 1, 4, 12, 1, 1, 7});
  BenchConfig config;
  config.num_sms = 3;
  config.contexts = 2;
  const KernelRecord record = Run(groups, config);
  EXPECT_FALSE(record.steals.empty());
  std::vector<uint64_t> descriptors;
  std::vector<uint64_t> ids;
  for (const ReadEvent& read : record.reads) {
    (read.size == 16 ? descriptors : ids).push_back(read.address);
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(descriptors.size(), groups.size());
  EXPECT_TRUE(std::is_sorted(descriptors.begin(), descriptors.end()));
  EXPECT_EQ(std::adjacent_find(descriptors.begin(), descriptors.end()), descriptors.end());
  EXPECT_EQ(ids.size(), 35u);
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
}

TEST_P(PaverContract, RunsGroupsOfOne) {
  const Groups groups = {{7}, {9}, {8}};
  const KernelRecord record = Run(groups, {});
  ExpectIssuedOnceInOrder(groups, record, 2);
  EXPECT_THAT(record.steals, IsEmpty());
  EXPECT_EQ(record.reads.size(), 6u);
}

TEST_P(PaverContract, SkipsEmptyGroups) {
  const Groups groups = {{}, {1, 2}, {}, {}, {3}, {}, {4, 5, 6}, {}};
  for (const uint32_t sms : {1u, 2u, 15u}) {
    BenchConfig config;
    config.num_sms = sms;
    ExpectIssuedOnceInOrder(groups, Run(groups, config), sms);
  }
}

TEST_P(PaverContract, EndsAKernelWithoutTbs) {
  for (const Groups& groups : {Groups{}, Groups{{}}, Groups{{}, {}, {}, {}, {}, {}, {}}}) {
    const KernelRecord record = Run(groups, {});
    EXPECT_TRUE(record.finished);
    EXPECT_THAT(record.issues, IsEmpty());
    EXPECT_EQ(record.reads.size(), groups.size());
  }
}

TEST_P(PaverContract, IsBusyUntilTheLastTbHasCompleted) {
  BenchConfig config;
  config.run_cycles = [](uint32_t, uint32_t tb) -> uint64_t { return tb == 1 ? 700 : 10; };
  const KernelRecord record = Run(GroupsOfSizes({1, 1}), config);
  ASSERT_EQ(record.issues.size(), 2u);
  const uint64_t last_done = record.free_since[1].back() - 1;
  EXPECT_EQ(last_done, record.issues[1].cycle + 700);
  EXPECT_GT(record.cycles, last_done);
  EXPECT_LE(record.cycles, last_done + 4);
}

TEST_P(PaverContract, RunsKernelsBackToBack) {
  BenchConfig config;
  config.num_sms = 3;
  const auto scheduler = Make(FindTbScheduler("paver"), {3});
  TbSchedulerBench bench(scheduler.get(), config);
  for (const Groups& groups : {GroupsOfSizes({5, 3, 9, 1}), GroupsOfSizes({2}, 40), Groups{},
                               GroupsOfSizes({30, 1, 1, 1, 6}, 100)}) {
    const KernelRecord record = bench.RunGroups(groups);
    ExpectIssuedOnceInOrder(groups, record, 3);
    // Round-robin begins at SM 0 in each kernel.
    if (!groups.empty()) {
      EXPECT_EQ(record.TbsOf(0).at(0), groups[0][0]);
    }
  }
}

TEST_P(PaverContract, ASecondKernelsQueueMayBeLoadedWhileTheFirstDrains) {
  const Groups first = GroupsOfSizes({5, 3, 9, 1});
  const Groups second = GroupsOfSizes({4, 11, 2, 6}, 300);
  BenchConfig config;
  config.num_sms = 3;
  const KernelRecord first_alone = Run(first, config);
  const KernelRecord second_alone = Run(second, config);
  for (const uint64_t load_at : {uint64_t{1}, uint64_t{90}, first_alone.cycles - 1}) {
    const auto scheduler = Make(FindTbScheduler("paver"), {3});
    TbSchedulerBench bench(scheduler.get(), config);
    bool loaded = false;
    bench.SetDisturbance([&](uint64_t cycle, TbSchedulerIn*) {
      if (loaded || cycle != load_at) return;
      bench.Load(second);
      loaded = true;
    });
    EXPECT_TRUE(bench.RunGroups(first).SameTraffic(first_alone));
    // It starts in the first cycle that is not busy, and runs as it does alone.
    const KernelRecord record = bench.RunLoaded(second);
    EXPECT_EQ(record.issues, second_alone.issues);
    EXPECT_EQ(record.steals, second_alone.steals);
    EXPECT_EQ(record.cycles, second_alone.cycles);
  }
}

TEST_P(PaverContract, StartsAfreshAfterAResetInMidKernel) {
  const Groups first = GroupsOfSizes({20, 1, 7, 7, 1}, 300);
  const Groups second = GroupsOfSizes({4, 11, 2, 6});
  BenchConfig config;
  config.num_sms = 3;
  const KernelRecord undisturbed = Run(second, config);
  for (const uint64_t cycles :
       {1u, 2u, 3u, 10u, 23u, 24u, 30u, 45u, 90u, 150u, 200u, 250u, 300u, 400u}) {
    const auto scheduler = Make(FindTbScheduler("paver"), {3});
    TbSchedulerBench bench(scheduler.get(), config);
    bench.RunGroupsUntil(first, cycles);
    scheduler->Reset();
    const KernelRecord record = bench.RunGroups(second);
    ExpectIssuedOnceInOrder(second, record, 3);
    EXPECT_EQ(record.issues, undisturbed.issues) << "reset after " << cycles << " cycles";
    EXPECT_EQ(record.cycles, undisturbed.cycles);
  }
}

TEST_P(PaverContract, IsGivenUpInAnyCycle) {
  const Groups first = GroupsOfSizes({20, 1, 7, 7, 1}, 300);
  std::vector<uint32_t> tbs(36);
  std::iota(tbs.begin(), tbs.end(), 300U);
  const Groups second = GroupsOfSizes({4, 11, 2, 6});
  BenchConfig config;
  config.num_sms = 3;
  for (const char* kind : {"paver", "paver_wide"}) {
    for (const uint32_t stall_percent : {0u, 70u}) {
      const uint32_t fewest = std::string_view(kind) == "paver" ? 1 : 3;  // the kind's least
      config.descriptors = stall_percent == 0 ? 4 : fewest;
      const KernelRecord undisturbed = Run(second, config);
      for (const uint64_t cycle : CyclesBefore(Run(first, config).cycles)) {
        const auto scheduler = Make(FindTbScheduler(kind), {3, 2, config.descriptors});
        config.stall_percent = stall_percent;
        config.abort_at = cycle;
        config.abort_held = cycle % 2 == 0;
        const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(first);
        ExpectAborted(record, tbs, cycle);
        // It drains: an answer, a TB that runs, the descriptors that wait.
        if (stall_percent == 0) {
          EXPECT_LE(record.cycles, cycle + 70);
        }
        config.stall_percent = 0;
        config.abort_at = kNever;
        const KernelRecord next = TbSchedulerBench(scheduler.get(), config).RunGroups(second);
        ExpectIssuedOnceInOrder(second, next, 3);
        if (std::string_view(kind) == "paver") {
          EXPECT_EQ(next.issues, undisturbed.issues);
          EXPECT_EQ(next.cycles, undisturbed.cycles);
        }
        if (HasFailure()) FAIL() << kind << " given up in cycle " << cycle;
      }
    }
  }
}

TEST_P(PaverContract, IgnoresAbortUnlessBusy) {
  const Groups groups = GroupsOfSizes({6, 2, 9, 1});
  const auto scheduler = Make(FindTbScheduler("paver"), {2});
  TbSchedulerIn idle;
  idle.abort = true;
  scheduler->Tick(idle);
  TbSchedulerBench bench(scheduler.get(), {});
  bench.SetDisturbance([](uint64_t cycle, TbSchedulerIn* in) { in->abort = cycle == 0; });
  EXPECT_TRUE(bench.RunGroups(groups).SameTraffic(Run(groups, {})));
}

TEST_P(PaverContract, IgnoresStartWhileBusy) {
  const Groups groups = GroupsOfSizes({6, 2, 9, 1});
  const auto scheduler = Make(FindTbScheduler("paver"), {2});
  TbSchedulerBench bench(scheduler.get(), {});
  const KernelRecord undisturbed = Run(groups, {});
  bench.SetDisturbance([](uint64_t cycle, TbSchedulerIn* in) {
    if (cycle == 0) return;
    in->start = true;
    in->queue_base = 0xdead0000;
    in->queue_count = 77;
    in->steal_rule = StealRule::kOff;
  });
  const KernelRecord record = bench.RunGroups(groups);
  EXPECT_TRUE(record.SameTraffic(undisturbed));
}

TEST_P(PaverContract, CarriesTheLowestAndTheHighestId) {
  const Groups narrow = {{0, 65535, 32768}, {65534, 1}, {255, 256}};
  ExpectIssuedOnceInOrder(narrow, Run(narrow, {}), 2);
  const Groups wide = {{0, 0xffffffff, 65536}, {65535, 0x80000000}, {1}};
  BenchConfig config;
  config.id_bytes = 4;
  ExpectIssuedOnceInOrder(wide, Run(wide, config), 2);
}

TEST_P(PaverContract, WorksAtAnyMemoryLatency) {
  const Groups groups = GroupsOfSizes({14, 3, 1, 8, 2, 2});
  for (const uint32_t latency : {1u, 2u, 3u, 4u, 5u, 7u, 13u, 49u, 50u, 51u, 100u, 333u, 1000u}) {
    for (const uint32_t stall_percent : {0u, 30u, 80u}) {
      BenchConfig config;
      config.num_sms = 3;
      config.memory_latency = latency;
      config.stall_percent = stall_percent;
      config.seed = latency;
      ExpectIssuedOnceInOrder(groups, Run(groups, config), 3);
    }
  }
}

TEST_P(PaverContract, HoldsOnRandomKernels) {
  uint64_t steals = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SplitMix64 random(seed);
    const uint32_t choices[] = {1, 2, 3, 15, 80};
    BenchConfig config;
    config.num_sms = choices[random.Below(5)];
    config.id_bytes = config.num_sms == 80 || random.Below(2) == 0 ? 2 : 4;
    config.contexts = 1 + static_cast<uint32_t>(random.Below(4));
    config.memory_latency = 1 + static_cast<uint32_t>(random.Below(120));
    config.stall_percent = static_cast<uint32_t>(random.Below(3)) * 25;
    config.steal_enable = random.Below(4) != 0;
    config.seed = seed;
    const uint64_t longest = 1 + random.Below(300);
    config.run_cycles = [=](uint32_t, uint32_t tb) {
      return 1 + SplitMix64(tb * 1000 + seed).Below(longest);
    };
    std::vector<uint32_t> sizes(1 + random.Below(3 * config.num_sms));
    for (uint32_t& size : sizes) size = static_cast<uint32_t>(random.Below(20));
    const Groups groups = GroupsOfSizes(sizes);
    const KernelRecord record = Run(groups, config);
    ExpectIssuedOnceInOrder(groups, record, config.num_sms);
    steals += record.steals.size();
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GT(steals, 500u);
}

TEST_P(PaverContract, FillsAMachineOfEightySms) {
  const Groups groups = GroupsOfSizes(std::vector<uint32_t>(93, 5));
  BenchConfig config;
  config.num_sms = 80;
  config.contexts = 2;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return 100 + 7 * sm; };
  const KernelRecord record = Run(groups, config);
  ExpectIssuedOnceInOrder(groups, record, 80);
  EXPECT_FALSE(record.steals.empty());
}

}  // namespace paver_contract_test
}  // namespace flagstone
