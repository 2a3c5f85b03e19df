// What PAVER's wide TB scheduler promises beside what every TB scheduler does, on each of its
// bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace paver_wide_contract_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kLong = 3000;  // outlives everything else in these scenes

Groups GroupsOfSizes(const std::vector<uint32_t>& sizes) {
  Groups groups;
  uint32_t first = 0;
  for (const uint32_t size : sizes) {
    groups.emplace_back(size);
    std::iota(groups.back().begin(), groups.back().end(), first);
    first += size;
  }
  return groups;
}

class PaverWide : public ContractTest {
 protected:
  KernelRecord Run(const Groups& groups, const BenchConfig& config) {
    const auto scheduler =
        Make(FindTbScheduler("paver_wide"), {config.num_sms, config.id_bytes, config.descriptors});
    const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
    ExpectIssuedOnceInOrder(groups, record, config.num_sms);
    return record;
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, PaverWide,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

TEST_P(PaverWide, OffersTheFirstTbAsThePageSays) {
  BenchConfig config;
  config.num_sms = 1;
  for (const uint32_t latency : {1u, 20u, 77u}) {
    config.memory_latency = latency;
    EXPECT_EQ(Run(GroupsOfSizes({4}), config).issues.at(0).cycle, 9 + 2 * latency);
  }
}

TEST_P(PaverWide, IssuesTheIdsOfASectorEveryThreeCycles) {
  BenchConfig config;
  config.num_sms = 1;
  config.contexts = 16;
  config.memory_latency = 100;
  config.run_cycles = [](uint32_t, uint32_t) { return kLong; };
  // One descriptor: the ids begin half a sector after it.
  const KernelRecord record = Run(GroupsOfSizes({16}), config);
  for (size_t k = 1; k < 8; ++k) {
    EXPECT_EQ(record.issues[k].cycle, record.issues[k - 1].cycle + 3);
  }
  EXPECT_EQ(record.issues[8].cycle, record.issues[7].cycle + 6 + 100 - 1);
}

TEST_P(PaverWide, ReadsEachSectorOnce) {
  BenchConfig config;
  config.num_sms = 1;
  const KernelRecord record = Run(GroupsOfSizes({40}), config);
  std::vector<uint64_t> sectors;
  for (const ReadEvent& read : record.reads) {
    if (read.size == 32) sectors.push_back(read.address % 0x100000);
  }
  // 16 bytes of descriptor, 80 of ids.
  EXPECT_THAT(sectors, ElementsAre(0x10000, 0x10020, 0x10040));
}

TEST_P(PaverWide, FetchesADescriptorForEachSmThatWaits) {
  for (const uint32_t sms : {1u, 15u, 80u}) {
    BenchConfig config;
    config.num_sms = sms;
    config.memory_latency = 300;
    config.descriptors = 5;
    const KernelRecord record = Run(GroupsOfSizes(std::vector<uint32_t>(3 * sms + 9, 2)), config);
    const auto early = std::count_if(record.reads.begin(), record.reads.end(),
                                     [](const ReadEvent& read) { return read.cycle <= 300; });
    EXPECT_EQ(early, sms + 5 - 2);
  }
}

TEST_P(PaverWide, FetchesTheNextGroupWhileTheLastTbOfTheOneBeforeWaits) {
  BenchConfig config;
  config.num_sms = 1;
  config.memory_latency = 100;
  config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 250; };
  const KernelRecord record = Run(GroupsOfSizes({2, 2, 2}), config);
  // No cycle is lost between a free context and the issue into it.
  for (size_t k = 2; k < 6; ++k) EXPECT_EQ(record.issues[k].cycle, record.free_since[0][k - 1]);
}

// SM 0 has one context and gets a group of 20, SM 1 one TB.
KernelRecord RunOfOneDonor(const std::function<KernelRecord(const Groups&, BenchConfig)>& run,
                           StealRule rule, uint32_t contexts, uint64_t thiefs_cycles) {
  BenchConfig config;
  config.memory_latency = 5;
  config.contexts = contexts;
  config.steal_rule = rule;
  config.run_cycles = [=](uint32_t sm, uint32_t) { return sm == 1 ? thiefs_cycles : kLong; };
  return run(GroupsOfSizes({20, 1}), config);
}

TEST_P(PaverWide, StealsByItsRule) {
  const auto run = [this](const Groups& groups, const BenchConfig& config) {
    return Run(groups, config);
  };
  // The thief's own TB runs for 500 cycles beside a free context.
  const auto first_steal = [&](StealRule rule) {
    const KernelRecord record = RunOfOneDonor(run, rule, 2, 500);
    return record.steals.empty() ? ~uint64_t{0} : record.steals[0].cycle;
  };
  EXPECT_LT(first_steal(StealRule::kWhenFree), 100u);
  EXPECT_GT(first_steal(StealRule::kNeverFirst), 500u);
  EXPECT_LT(first_steal(StealRule::kNeverFirst), 600u);
  EXPECT_GT(first_steal(StealRule::kWhenIdle), 500u);
  EXPECT_THAT(RunOfOneDonor(run, StealRule::kOff, 2, 500).steals, IsEmpty());
}

TEST_P(PaverWide, AnSmThatIsNotIdleStealsAfterItsFirstTbOnly) {
  // SM 1 has two TBs, of which one ends soon: it may steal then, but is not idle.
  BenchConfig config;
  config.memory_latency = 5;
  config.contexts = 2;
  config.run_cycles = [](uint32_t, uint32_t tb) -> uint64_t { return tb == 20 ? 100 : kLong; };
  const auto first_steal = [&](StealRule rule) {
    config.steal_rule = rule;
    return Run(GroupsOfSizes({20, 2}), config).steals.at(0).cycle;
  };
  EXPECT_LT(first_steal(StealRule::kNeverFirst), 300u);
  EXPECT_GT(first_steal(StealRule::kWhenIdle), kLong);
}

TEST_P(PaverWide, SurvivesAnIssueOfTheDonorAtAnyMomentOfASteal) {
  // The donor's TBs take one cycle more from run to run, so that its issues, its moves and the
  // answers with its sectors meet each step of the scan, the division and the commit.
  uint64_t steals = 0;
  for (uint64_t cycles = 5; cycles <= 90; ++cycles) {
    for (const uint32_t latency : {1u, 9u, 40u}) {
      BenchConfig config;
      config.id_bytes = 4;  // eight ids a sector
      config.memory_latency = latency;
      config.run_cycles = [=](uint32_t sm, uint32_t) { return sm == 0 ? cycles : 7; };
      steals += Run(GroupsOfSizes({26, 1}), config).steals.size();
      if (HasFailure()) FAIL() << "TBs of " << cycles << " cycles, latency " << latency;
    }
  }
  EXPECT_GT(steals, 500u);
}

TEST_P(PaverWide, GivesTheIdOfAnotherSectorOnceItIsHere) {
  // Behind three descriptors the ids begin at the ninth place of a sector: SM 0 runs seven TBs, has
  // the eighth in nextTB, and the ninth stands in a sector that comes 400 cycles later. Before that
  // the others have ended their TBs and found nothing to take.
  BenchConfig config;
  config.num_sms = 3;
  config.contexts = 7;
  config.memory_latency = 400;
  config.steal_rule = StealRule::kNeverFirst;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 0 ? kLong : 100; };
  const KernelRecord record = Run(GroupsOfSizes({9, 1, 1}), config);
  ASSERT_EQ(record.steals.size(), 1u);
  EXPECT_EQ(record.steals[0].count, 1u);
  EXPECT_EQ(record.steals[0].donor, 0u);
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_P(PaverWide, FillsAMachineOfEightySms) {
  const Groups groups = GroupsOfSizes(std::vector<uint32_t>(93, 5));
  BenchConfig config;
  config.num_sms = 80;
  config.contexts = 2;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return 100 + 7 * sm; };
  EXPECT_FALSE(Run(groups, config).steals.empty());
}

}  // namespace paver_wide_contract_test
}  // namespace flagstone
