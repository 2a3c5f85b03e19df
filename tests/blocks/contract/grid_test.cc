// Every kind over a grid of machines: numbers of SMs, TB ids at the edges, memory latencies
// from 1 to 1000, TBs that complete in any order, memory and contexts that stall at random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "systemc/cosim/tb_scheduler_factory.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace grid_test {

struct Point {
  const TbSchedulerDescriptor* kind = FindTbScheduler("paver");
  Engine engine = Engine::kModel;
  uint32_t num_sms = 1;
};

class Grid : public testing::TestWithParam<Point> {
 protected:
  // A machine of the grid; `seed` decides who stalls when.
  BenchConfig Config(uint32_t latency, uint32_t stall_percent, uint64_t seed) const {
    BenchConfig config;
    config.num_sms = GetParam().num_sms;
    config.contexts = 1 + static_cast<uint32_t>(seed % 3);
    config.memory_latency = latency;
    config.stall_percent = stall_percent;
    config.seed = seed;
    // Later TBs often complete before earlier ones.
    config.run_cycles = [seed](uint32_t sm, uint32_t tb) {
      return 1 + SplitMix64(seed ^ (uint64_t{sm} << 32) ^ tb).Below(200);
    };
    return config;
  }
  std::unique_ptr<TbScheduler> Make() const {
    return MakeTbScheduler(*GetParam().kind, GetParam().engine, {GetParam().num_sms, 2});
  }
};

TbSettings SettingsFor(const TbSchedulerDescriptor* kind, uint32_t tbs, uint32_t sms) {
  const TbLaunchShape shape = {.columns = tbs, .rows = 1, .sms = sms, .tbs_per_sm = 2};
  SplitMix64 random(tbs);
  return kind->random_settings != nullptr ? kind->random_settings(shape, &random) : TbSettings{};
}

constexpr uint32_t kLatencies[] = {1, 2, 30, 1000};

// The ids at which something may go wrong, in groups of one, two, or all.
TEST_P(Grid, IssuesEachTbOnce) {
  const uint32_t sms = GetParam().num_sms;
  const std::unique_ptr<TbScheduler> scheduler = Make();  // kernel after kernel on the same body
  uint64_t seed = sms;
  for (const uint32_t latency : kLatencies) {
    for (const uint32_t stall : {0u, 60u}) {
      BenchConfig config = Config(latency, stall, ++seed);
      if (GetParam().kind->has_queue) {
        std::vector<uint32_t> ids = {0, 1, 2, sms - 1, sms, sms + 1, 65535};
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        Groups pairs;
        for (size_t i = 0; i < ids.size(); i += 2) {
          pairs.emplace_back(
              ids.begin() + static_cast<std::ptrdiff_t>(i),
              ids.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, ids.size())));
        }
        for (const Groups& groups : {pairs, Groups{ids}}) {
          TbSchedulerBench bench(scheduler.get(), config);
          ExpectIssuedOnceInOrder(groups, bench.RunGroups(groups), sms);
        }
        continue;
      }
      for (const uint32_t tbs : {0u, 1u, 2u, sms - 1, sms, sms + 1, 5 * sms + 3}) {
        config.settings = SettingsFor(GetParam().kind, tbs, sms);
        const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunSequential(tbs);
        EXPECT_TRUE(record.finished);
        std::vector<uint32_t> issued;
        for (const IssueEvent& issue : record.issues) issued.push_back(issue.tb);
        std::sort(issued.begin(), issued.end());
        ASSERT_EQ(issued.size(), tbs) << "latency " << latency << ", seed " << seed;
        for (uint32_t tb = 0; tb < tbs; ++tb) ASSERT_EQ(issued[tb], tb);
      }
    }
  }
}

// The largest kernel of 16-bit ids: the last TB is 65,535.
TEST_P(Grid, ReachesTheLastIdOf16Bits) {
  if (GetParam().kind->has_queue || GetParam().engine == Engine::kLockstep) {
    GTEST_SKIP() << "id 65,535 is in the other test; RTL and model are enough";
  }
  BenchConfig config = Config(1, 0, 3);
  config.contexts = 8;
  config.run_cycles = [](uint32_t, uint32_t tb) { return uint64_t{1} + tb % 3; };
  config.settings = SettingsFor(GetParam().kind, 65536, GetParam().num_sms);
  if (GetParam().num_sms != 15) GTEST_SKIP() << "one number of SMs is enough";
  const KernelRecord record = TbSchedulerBench(Make().get(), config).RunSequential(65536);
  EXPECT_TRUE(record.finished);
  std::vector<bool> seen(65536);
  for (const IssueEvent& issue : record.issues) {
    ASSERT_LT(issue.tb, 65536u);
    EXPECT_FALSE(seen[issue.tb]) << issue.tb;
    seen[issue.tb] = true;
  }
  EXPECT_EQ(record.issues.size(), 65536u);
}

std::vector<Point> Points() {
  std::vector<Point> points;
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    for (const Engine engine : {Engine::kModel, Engine::kRtl, Engine::kLockstep}) {
      for (const uint32_t sms : {1u, 2u, 15u, 28u, 80u}) {
        points.push_back({kind, engine, sms});
      }
    }
  }
  return points;
}

INSTANTIATE_TEST_SUITE_P(Machines, Grid, testing::ValuesIn(Points()), [](const auto& point) {
  return fmt::format("{}_{}_{}_sms", point.param.kind->name, ToString(point.param.engine),
                     point.param.num_sms);
});

}  // namespace grid_test
}  // namespace flagstone
