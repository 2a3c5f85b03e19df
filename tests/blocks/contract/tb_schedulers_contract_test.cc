// What the TB schedulers without a queue in memory promise, on each of their bodies: block CTA
// scheduling, cache-fit, swizzle, chunk and CTA mapping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace tb_schedulers_contract_test {

using testing::ElementsAre;
using testing::IsEmpty;

BenchConfig Machine(uint32_t sms, uint32_t contexts, uint64_t seed = 1) {
  BenchConfig config;
  config.num_sms = sms;
  config.contexts = contexts;
  config.seed = seed;
  config.run_cycles = [seed](uint32_t, uint32_t tb) { return 5 + SplitMix64(tb + seed).Below(90); };
  return config;
}

std::vector<uint32_t> IdsInOrder(const KernelRecord& record) {
  std::vector<uint32_t> ids;
  for (const IssueEvent& issue : record.issues) ids.push_back(issue.tb);
  return ids;
}

class TbSchedulerContract : public ContractTest {
 protected:
  KernelRecord Run(const TbSchedulerDescriptor* kind, uint32_t tbs, const TbSettings& settings,
                   BenchConfig config) {
    config.settings = settings;
    const auto scheduler = Make(kind, {config.num_sms, config.id_bytes});
    KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunSequential(tbs);
    ExpectEachOnce(record, tbs);
    return record;
  }

  static void ExpectEachOnce(const KernelRecord& record, uint32_t tbs) {
    EXPECT_TRUE(record.finished);
    EXPECT_THAT(record.reads, IsEmpty());
    EXPECT_THAT(record.steals, IsEmpty());
    std::vector<uint32_t> ids = IdsInOrder(record);
    std::sort(ids.begin(), ids.end());
    std::vector<uint32_t> all(tbs);
    std::iota(all.begin(), all.end(), 0U);
    ASSERT_EQ(ids, all);
    for (size_t k = 1; k < record.issues.size(); ++k) {
      ASSERT_LE(record.issues[k - 1].cycle, record.issues[k].cycle);
    }
  }

  // The most TBs that an SM ran at once.
  static uint32_t MostHeld(const KernelRecord& record) {
    int64_t most = 0;
    for (const IssueEvent& last : record.issues) {
      const auto issued =
          std::count_if(record.issues.begin(), record.issues.end(), [&](const IssueEvent& issue) {
            return issue.sm == last.sm && issue.cycle <= last.cycle;
          });
      const auto& free = record.free_since[last.sm];
      const auto freed = std::count_if(free.begin(), free.end(),
                                       [&](uint64_t cycle) { return cycle <= last.cycle; });
      most = std::max<int64_t>(most, issued - freed);
    }
    return static_cast<uint32_t>(most);
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, TbSchedulerContract,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

TEST_P(TbSchedulerContract, BcsGivesAPairToOneSmAndWaitsForRoomForBoth) {
  const BenchConfig config = Machine(3, 4);
  const KernelRecord record = Run(FindTbScheduler("bcs"), 60, LimitSettings(4), config);
  for (uint32_t sm = 0; sm < 3; ++sm) {
    const std::vector<uint32_t> tbs = record.TbsOf(sm);
    ASSERT_EQ(tbs.size() % 2, 0U);
    for (size_t k = 0; k < tbs.size(); k += 2) {
      EXPECT_EQ(tbs[k] % 2, 0U);
      EXPECT_EQ(tbs[k + 1], tbs[k] + 1);
    }
  }
  EXPECT_EQ(MostHeld(record), 4U);
}

TEST_P(TbSchedulerContract, BcsWithAnOddNumberOfContextsLeavesOneEmptyUntilATbHasCompleted) {
  BenchConfig config = Machine(1, 3);
  config.run_cycles = [](uint32_t, uint32_t tb) -> uint64_t { return tb == 0 ? 200 : 500; };
  const KernelRecord record = Run(FindTbScheduler("bcs"), 6, LimitSettings(3), config);
  EXPECT_THAT(IdsInOrder(record), ElementsAre(0, 1, 2, 3, 4, 5));
  const auto issued = [&](size_t k) { return record.issues[k].cycle; };
  // TBs 0 and 1 leave one context empty; TB 0's makes two for TBs 2 and 3; then two must complete.
  EXPECT_LT(issued(1), 10U);
  EXPECT_GT(issued(2), record.free_since[0][0]);
  EXPECT_LT(issued(3), record.free_since[0][0] + 10);
  EXPECT_GT(issued(4), record.free_since[0][2]);
  EXPECT_EQ(MostHeld(record), 3U);
}

TEST_P(TbSchedulerContract, BcsGivesTheLastOfAnOddCountAloneAndAllAloneToSingleContexts) {
  EXPECT_EQ(Run(FindTbScheduler("bcs"), 7, LimitSettings(2), Machine(3, 2)).issues.back().tb, 6U);
  EXPECT_EQ(Run(FindTbScheduler("bcs"), 1, LimitSettings(8), Machine(3, 8)).TbsOf(0).size(), 1U);
  const KernelRecord single = Run(FindTbScheduler("bcs"), 6, LimitSettings(1), Machine(3, 1));
  EXPECT_EQ(IdsInOrder(single), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
}

TEST_P(TbSchedulerContract, CacheFitNeverExceedsItsLimitThoughContextsAreFree) {
  for (const uint32_t limit : {1U, 2U, 5U, 8U}) {
    const BenchConfig config = Machine(3, 8, limit);
    const KernelRecord record = Run(FindTbScheduler("cache_fit"), 80, LimitSettings(limit), config);
    EXPECT_EQ(MostHeld(record), limit);
    EXPECT_TRUE(std::is_sorted(record.issues.begin(), record.issues.end(),
                               [](const auto& a, const auto& b) { return a.tb < b.tb; }));
  }
}

TEST_P(TbSchedulerContract, SwizzleGoesDownTheRowsOfABand) {
  // 5 columns, 7 rows in bands of 3, 3 and 1.
  const TbLaunchShape shape = {.columns = 5, .rows = 7};
  BenchConfig config = Machine(1, 1);
  const KernelRecord record =
      Run(FindTbScheduler("swizzle"), 35, SwizzleSettings(shape, 3), config);
  EXPECT_THAT(IdsInOrder(record),
              ElementsAre(0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14,            //
                          15, 20, 25, 16, 21, 26, 17, 22, 27, 18, 23, 28, 19, 24, 29,  //
                          30, 31, 32, 33, 34));
}

TEST_P(TbSchedulerContract, SwizzleWithOneRowIsTheOrderOfTheIds) {
  for (const uint32_t rows : {0U, 1U}) {
    const KernelRecord record =
        Run(FindTbScheduler("swizzle"), 12, SwizzleSettings({.columns = 4, .rows = 3}, rows),
            Machine(3, 2));
    EXPECT_TRUE(std::is_sorted(record.issues.begin(), record.issues.end(),
                               [](const auto& a, const auto& b) { return a.tb < b.tb; }));
  }
}

TEST_P(TbSchedulerContract, ChunkGivesEachSmNeighboursAndSizesThatDifferByOne) {
  for (const uint32_t tbs : {0U, 1U, 2U, 3U, 4U, 44U, 45U, 46U}) {
    const TbLaunchShape shape = {.columns = tbs, .sms = 3};
    const KernelRecord record =
        Run(FindTbScheduler("chunk"), tbs, ChunkSettings(shape), Machine(3, 2));
    uint32_t next = 0;
    for (uint32_t sm = 0; sm < 3; ++sm) {
      const uint32_t size = tbs / 3 + (sm < tbs % 3 ? 1 : 0);
      std::vector<uint32_t> expected(size);
      std::iota(expected.begin(), expected.end(), next);
      EXPECT_EQ(record.TbsOf(sm), expected) << tbs << " TBs, SM " << sm;
      next += size;
    }
  }
}

// Which SM issues the TB at place `lin` of the sequence: the corrected Algorithm 3, place by place.
uint32_t SmOfPlace(uint64_t lin, uint64_t width, uint64_t height, uint64_t sms) {
  const uint64_t a = height / sms;
  const uint64_t regular = a * sms * width;
  const uint64_t left = height * width - regular;
  for (uint64_t s = 0; s < sms; ++s) {
    const auto end = [&](uint64_t k) {
      return regular + k * (left / sms) + std::min(k, left % sms);
    };
    if (lin >= s * a * width && lin < (s + 1) * a * width) return static_cast<uint32_t>(s);
    if (lin >= end(s) && lin < end(s + 1)) return static_cast<uint32_t>(s);
  }
  return ~0U;
}

TEST_P(TbSchedulerContract, CtaMapGivesRowsOrColumnsAsTheCorrectedAlgorithm3) {
  const std::vector<std::pair<uint32_t, uint32_t>> grids = {
      {1, 1}, {1, 9}, {9, 1}, {5, 4}, {4, 5}, {6, 6}, {7, 3}, {3, 7}, {11, 10}, {2, 31}, {31, 2}};
  for (const uint32_t sms : {1U, 3U, 15U}) {
    for (const auto& [columns, rows] : grids) {
      for (const CtaMapDirection direction : {CtaMapDirection::kX, CtaMapDirection::kY}) {
        const TbLaunchShape shape = {.columns = columns, .rows = rows, .sms = sms};
        const KernelRecord record = Run(FindTbScheduler("cta_map"), columns * rows,
                                        CtaMapSettings(shape, direction), Machine(sms, 2));
        const bool x = direction == CtaMapDirection::kX;
        for (const IssueEvent& issue : record.issues) {
          const uint32_t column = issue.tb % columns;
          const uint32_t row = issue.tb / columns;
          const uint32_t sm = x ? SmOfPlace(row * columns + column, columns, rows, sms)
                                : SmOfPlace(column * rows + row, rows, columns, sms);
          ASSERT_EQ(issue.sm, sm) << columns << "x" << rows << ", TB " << issue.tb << ", " << sms
                                  << " SMs, " << (x ? "x" : "y");
        }
      }
    }
  }
}

TEST_P(TbSchedulerContract, CtaMapGoesThroughAnSmsPartInTheOrderOfTheSequence) {
  const TbLaunchShape shape = {.columns = 4, .rows = 4, .sms = 3};
  const KernelRecord record = Run(FindTbScheduler("cta_map"), 16,
                                  CtaMapSettings(shape, CtaMapDirection::kY), Machine(3, 2));
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 4, 8, 12, 3, 7));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(1, 5, 9, 13, 11));
  EXPECT_THAT(record.TbsOf(2), ElementsAre(2, 6, 10, 14, 15));
}

TEST_P(TbSchedulerContract, CtaMapWithRoundRobinIsLooseRoundRobin) {
  const BenchConfig config = Machine(3, 2);
  const KernelRecord mapped =
      Run(FindTbScheduler("cta_map"), 40,
          CtaMapSettings({.columns = 40}, CtaMapDirection::kRoundRobin), config);
  EXPECT_TRUE(mapped.SameTraffic(Run(FindTbScheduler("lrr"), 40, {}, config)));
}

// A kernel of each kind, of a random shape.
struct RandomKernel {
  uint32_t tbs = 0;
  TbSettings settings = {};
};
RandomKernel Draw(const TbSchedulerDescriptor* kind, SplitMix64* random,
                  const BenchConfig& config) {
  TbLaunchShape shape = {.columns = 1 + static_cast<uint32_t>(random->Below(20)),
                         .rows = static_cast<uint32_t>(random->Below(20)),
                         .sms = config.num_sms,
                         .tbs_per_sm = config.contexts};
  RandomKernel kernel = {.tbs = shape.Tbs()};
  if (kind->random_settings != nullptr) kernel.settings = kind->random_settings(shape, random);
  return kernel;
}

TEST_P(TbSchedulerContract, RandomKernelsOneAfterTheOtherIssueEachTbOnce) {
  uint64_t seed = 7;
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    if (kind->has_queue) continue;
    SplitMix64 random(++seed);
    for (const auto& [sms, id_bytes] :
         {std::pair{1U, 2U}, {2U, 2U}, {3U, 2U}, {3U, 4U}, {15U, 2U}, {80U, 2U}}) {
      const auto scheduler = Make(kind, {sms, id_bytes});
      for (uint32_t kernel = 0; kernel < 12; ++kernel) {
        BenchConfig config =
            Machine(sms, 1 + static_cast<uint32_t>(random.Below(8)), random.Next());
        config.id_bytes = id_bytes;
        const RandomKernel drawn = Draw(kind, &random, config);
        config.settings = drawn.settings;
        TbSchedulerBench bench(scheduler.get(), config);
        if (random.Below(2) == 0) {  // ticks that say they change nothing are left out
          bench.SetGate(
              [](const TbScheduler& block, const TbSchedulerIn& in) { return block.Idle(in); });
        }
        // A start while busy is ignored.
        bench.SetDisturbance([](uint64_t cycle, TbSchedulerIn* in) {
          if (cycle % 7 != 3) return;
          in->start = true;
          in->queue_count = 5;
          in->settings = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
        });
        ExpectEachOnce(bench.RunSequential(drawn.tbs), drawn.tbs);
        if (HasFailure()) {
          FAIL() << kind->name << ", " << sms << " SMs, kernel " << kernel;
        }
      }
    }
  }
}

TEST_P(TbSchedulerContract, AllTbsOfTheWidestGridGoOut) {
  BenchConfig config = Machine(15, 8);
  config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 1; };
  const TbLaunchShape shape = {.columns = 256, .rows = 256, .sms = 15, .tbs_per_sm = 8};
  Run(FindTbScheduler("bcs"), 65536, LimitSettings(8), config);
  Run(FindTbScheduler("swizzle"), 65536, SwizzleSettings(shape, 8), config);
  Run(FindTbScheduler("chunk"), 65536, ChunkSettings(shape), config);
  Run(FindTbScheduler("cta_map"), 65536, CtaMapSettings(shape, CtaMapDirection::kY), config);
}

TEST_P(TbSchedulerContract, IsGivenUpInAnyCycle) {
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    if (kind->has_queue) continue;
    SplitMix64 random(7);
    TbLaunchShape shape;
    shape.sms = 3;
    shape.columns = 6;
    shape.rows = 5;
    TbSettings settings = {};
    if (kind->random_settings != nullptr) settings = kind->random_settings(shape, &random);
    std::vector<uint32_t> tbs(shape.Tbs());
    std::iota(tbs.begin(), tbs.end(), 0U);
    BenchConfig config = Machine(3, 2);
    const KernelRecord undisturbed = Run(kind, shape.Tbs(), settings, config);
    config.settings = settings;
    const std::string_view name = kind->name;
    const bool walks = name == "chunk" || name == "cta_map";
    for (const uint64_t cycle : CyclesBefore(undisturbed.cycles)) {
      const auto scheduler = Make(kind, {3, 2});
      config.abort_at = cycle;
      config.abort_held = cycle % 2 == 0;
      TbSchedulerBench bench(scheduler.get(), config);
      const KernelRecord record = bench.RunSequential(shape.Tbs());
      ExpectAborted(record, tbs, cycle);
      // It ends 3 cycles later, or 4 after the last TB, of which an SM completes one a cycle; not
      // before an order has walked to its end.
      uint64_t end = std::max<uint64_t>(cycle + 3, walks ? 64 : 0);
      for (const IssueEvent& issue : record.issues) {
        end = std::max(end, issue.cycle + config.run_cycles(issue.sm, issue.tb) + 5);
      }
      EXPECT_LE(record.cycles, end);
      config.abort_at = kNever;
      const KernelRecord next =
          TbSchedulerBench(scheduler.get(), config).RunSequential(shape.Tbs());
      EXPECT_TRUE(next.SameTraffic(undisturbed));
      if (HasFailure()) FAIL() << name << " given up in cycle " << cycle;
    }
  }
}

}  // namespace tb_schedulers_contract_test
}  // namespace flagstone
