// What the LRR TB scheduler promises, on each of its bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace lrr_contract_test {

using testing::ElementsAre;
using testing::IsEmpty;

class LrrContract : public ContractTest {
 protected:
  KernelRecord Run(uint32_t count, const BenchConfig& config) {
    const auto scheduler = Make(FindTbScheduler("lrr"), {config.num_sms, config.id_bytes});
    return TbSchedulerBench(scheduler.get(), config).RunSequential(count);
  }

  // All ids in ascending order, at most one a cycle.
  static void ExpectSequential(const KernelRecord& record, uint32_t count) {
    EXPECT_TRUE(record.finished);
    ASSERT_EQ(record.issues.size(), count);
    for (uint32_t k = 0; k < count; ++k) {
      ASSERT_EQ(record.issues[k].tb, k);
      if (k > 0) {
        ASSERT_GT(record.issues[k].cycle, record.issues[k - 1].cycle);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, LrrContract,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

TEST_P(LrrContract, IssuesSequentialIdsSmAfterSmOneACycle) {
  BenchConfig config;
  config.num_sms = 3;
  config.contexts = 2;
  const KernelRecord record = Run(6, config);
  ExpectSequential(record, 6);
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 3));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(1, 4));
  EXPECT_THAT(record.TbsOf(2), ElementsAre(2, 5));
  EXPECT_EQ(record.issues[5].cycle, record.issues[0].cycle + 5);
}

TEST_P(LrrContract, PassesOverSmsWithoutAFreeContext) {
  BenchConfig config;
  config.num_sms = 3;
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm == 1 ? 1000 : 20; };
  const KernelRecord record = Run(9, config);
  ExpectSequential(record, 9);
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 3, 5, 7));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(1));
  EXPECT_THAT(record.TbsOf(2), ElementsAre(2, 4, 6, 8));
}

TEST_P(LrrContract, OffersOnlyToAFreeContext) {
  BenchConfig config;
  config.num_sms = 15;
  config.contexts = 2;
  config.run_cycles = [](uint32_t, uint32_t tb) { return 10 + SplitMix64(tb).Below(90); };
  const auto scheduler = Make(FindTbScheduler("lrr"), {15});
  TbSchedulerBench bench(scheduler.get(), config);
  uint64_t offers = 0;
  bench.SetObserver([&](uint64_t, const TbSchedulerOut& out, const TbSchedulerIn& in) {
    for (uint32_t sm = 0; sm < 15; ++sm) {
      if (!TestBit(out.tb_valid, sm)) continue;
      ++offers;
      EXPECT_TRUE(TestBit(in.tb_ready, sm));
    }
  });
  ExpectSequential(bench.RunSequential(300), 300);
  EXPECT_EQ(offers, 300u);
}

TEST_P(LrrContract, NeverReadsMemoryNorSteals) {
  BenchConfig config;
  config.num_sms = 15;
  const KernelRecord record = Run(100, config);
  EXPECT_THAT(record.reads, IsEmpty());
  EXPECT_THAT(record.steals, IsEmpty());
}

TEST_P(LrrContract, EndsAKernelWithoutTbs) {
  const KernelRecord record = Run(0, {});
  EXPECT_TRUE(record.finished);
  EXPECT_THAT(record.issues, IsEmpty());
}

TEST_P(LrrContract, IsBusyUntilTheLastTbHasCompleted) {
  BenchConfig config;
  config.run_cycles = [](uint32_t, uint32_t tb) -> uint64_t { return tb == 0 ? 700 : 10; };
  const KernelRecord record = Run(2, config);
  const uint64_t last_done = record.free_since[0].back() - 1;
  EXPECT_EQ(last_done, record.issues[0].cycle + 700);
  EXPECT_GT(record.cycles, last_done);
  EXPECT_LE(record.cycles, last_done + 4);
}

TEST_P(LrrContract, BeginsAtSmZeroInEachKernel) {
  const auto scheduler = Make(FindTbScheduler("lrr"), {3});
  BenchConfig config;
  config.num_sms = 3;
  TbSchedulerBench bench(scheduler.get(), config);
  for (const uint32_t count : {4u, 1u, 0u, 11u}) {
    const KernelRecord record = bench.RunSequential(count);
    ExpectSequential(record, count);
    if (count > 0) {
      EXPECT_EQ(record.issues[0].sm, 0u);
    }
  }
}

TEST_P(LrrContract, IgnoresStartWhileBusy) {
  const auto scheduler = Make(FindTbScheduler("lrr"), {2});
  TbSchedulerBench bench(scheduler.get(), {});
  bench.SetDisturbance([](uint64_t cycle, TbSchedulerIn* in) {
    if (cycle == 0) return;
    in->start = true;
    in->queue_count = 3;
  });
  EXPECT_TRUE(bench.RunSequential(20).SameTraffic(Run(20, {})));
}

TEST_P(LrrContract, IssuesTheHighestIdOfEachWidth) {
  BenchConfig config;
  config.num_sms = 15;
  config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 1; };
  ExpectSequential(Run(65536, config), 65536);
  config.id_bytes = 4;
  ExpectSequential(Run(65540, config), 65540);
}

TEST_P(LrrContract, HoldsOnRandomKernels) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    SplitMix64 random(seed);
    const uint32_t choices[] = {1, 2, 3, 15, 80};
    BenchConfig config;
    config.num_sms = choices[random.Below(5)];
    config.contexts = 1 + static_cast<uint32_t>(random.Below(8));
    const uint64_t longest = 1 + random.Below(200);
    config.run_cycles = [=](uint32_t, uint32_t tb) {
      return 1 + SplitMix64(tb + seed).Below(longest);
    };
    const auto count = static_cast<uint32_t>(random.Below(500));
    ExpectSequential(Run(count, config), count);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace lrr_contract_test
}  // namespace flagstone
