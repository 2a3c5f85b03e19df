// What TB schedulers with several issue ports promise, on each of their bodies: a TB a cycle from
// each port, in the order of the ports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace issue_ports_test {

using testing::ElementsAre;

class IssuePorts : public ContractTest {
 protected:
  KernelRecord Run(const char* kind, const TbSchedulerSize& size, uint32_t tbs,
                   BenchConfig config) {
    config.num_sms = size.num_sms;
    config.id_bytes = size.id_bytes;
    const auto scheduler = Make(FindTbScheduler(kind), size);
    KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunSequential(tbs);
    EXPECT_TRUE(record.finished);
    return record;
  }

  // Contexts free again after a long time only.
  static BenchConfig Filling(uint32_t contexts) {
    BenchConfig config;
    config.contexts = contexts;
    config.run_cycles = [](uint32_t, uint32_t) -> uint64_t { return 500; };
    return config;
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, IssuePorts,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

std::vector<uint32_t> IdsOf(const KernelRecord& record) {
  std::vector<uint32_t> ids;
  for (const IssueEvent& issue : record.issues) ids.push_back(issue.tb);
  return ids;
}

std::vector<uint32_t> AllIds(uint32_t tbs) {
  std::vector<uint32_t> ids(tbs);
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

TEST_P(IssuePorts, OfferATbEachInACycleInTheirOrder) {
  const KernelRecord record = Run("lrr", {.num_sms = 6, .issue_ports = 3}, 12, Filling(2));
  // The first SM of each port, the second one, and the first one again.
  EXPECT_EQ(IdsOf(record), AllIds(12));
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 6));
  EXPECT_THAT(record.TbsOf(2), ElementsAre(1, 7));
  EXPECT_THAT(record.TbsOf(5), ElementsAre(5, 11));
  EXPECT_EQ(record.issues[11].cycle, record.issues[0].cycle + 3);
}

TEST_P(IssuePorts, FillALargeMachineInTwiceTheTbsOfAnSm) {
  const KernelRecord record = Run("lrr", {.num_sms = 80, .issue_ports = 40}, 640, Filling(8));
  EXPECT_EQ(IdsOf(record), AllIds(640));
  EXPECT_EQ(record.issues.back().cycle, record.issues.front().cycle + 15);
}

TEST_P(IssuePorts, ThatAskAreServedAndOthersPassedOver) {
  BenchConfig config = Filling(1);
  config.run_cycles = [](uint32_t sm, uint32_t) -> uint64_t { return sm < 2 ? 500 : 20; };
  const KernelRecord record = Run("lrr", {.num_sms = 6, .issue_ports = 3}, 10, config);
  EXPECT_EQ(IdsOf(record), AllIds(10));
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(3));
  EXPECT_THAT(record.TbsOf(2), ElementsAre(1, 6));
  EXPECT_THAT(record.TbsOf(4), ElementsAre(2, 7));
}

TEST_P(IssuePorts, WithFewerTbsThanPortsServeTheLowest) {
  const KernelRecord record = Run("lrr", {.num_sms = 5, .issue_ports = 5}, 8, Filling(2));
  EXPECT_EQ(IdsOf(record), AllIds(8));
  EXPECT_EQ(record.issues[5].sm, 0U);
  EXPECT_EQ(record.issues[7].sm, 2U);
}

TEST_P(IssuePorts, OfferPairsOfBcsWithoutALoneTbAmongThem) {
  BenchConfig config = Filling(2);
  config.settings = LimitSettings(2);
  const KernelRecord record = Run("bcs", {.num_sms = 6, .issue_ports = 3}, 11, config);
  EXPECT_THAT(record.TbsOf(0), ElementsAre(0, 1));
  EXPECT_THAT(record.TbsOf(2), ElementsAre(2, 3));
  EXPECT_THAT(record.TbsOf(4), ElementsAre(4, 5));
  EXPECT_THAT(record.TbsOf(1), ElementsAre(6, 7));
  EXPECT_THAT(record.TbsOf(3), ElementsAre(8, 9));
  EXPECT_THAT(record.TbsOf(5), ElementsAre(10));
}

TEST_P(IssuePorts, GiveEachSmItsOwnTbsWhereTheOrderHasThem) {
  BenchConfig config = Filling(2);
  config.settings = ChunkSettings({.columns = 12, .sms = 6});
  const KernelRecord record = Run("chunk", {.num_sms = 6, .issue_ports = 3}, 12, config);
  for (uint32_t sm = 0; sm < 6; ++sm) {
    EXPECT_THAT(record.TbsOf(sm), ElementsAre(2 * sm, 2 * sm + 1));
  }
}

// The last port has one SM where the others have two.
TEST_P(IssuePorts, IssueEachTbOnceAndOneACycleEach) {
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    if (!kind->SeveralPorts()) continue;
    SplitMix64 random(kind->name.size());
    for (const TbSchedulerSize& size : {TbSchedulerSize{.num_sms = 5, .issue_ports = 3},
                                        {.num_sms = 6, .id_bytes = 4, .issue_ports = 2},
                                        {.num_sms = 15, .issue_ports = 15}}) {
      const auto scheduler = Make(kind, size);
      for (uint32_t kernel = 0; kernel < 20; ++kernel) {
        const TbLaunchShape shape = {.columns = 1 + static_cast<uint32_t>(random.Below(20)),
                                     .rows = static_cast<uint32_t>(random.Below(12)),
                                     .sms = size.num_sms,
                                     .tbs_per_sm = 1 + static_cast<uint32_t>(random.Below(4))};
        const uint64_t longest = 1 + random.Below(60);
        BenchConfig config = {
            .num_sms = size.num_sms, .id_bytes = size.id_bytes, .contexts = shape.tbs_per_sm};
        config.run_cycles = [=](uint32_t, uint32_t tb) {
          return 1 + SplitMix64(tb).Below(longest);
        };
        if (kind->random_settings != nullptr) {
          config.settings = kind->random_settings(shape, &random);
        }
        TbSchedulerBench bench(scheduler.get(), config);
        // Offers that begin, by port and cycle.
        std::map<std::pair<uint64_t, uint32_t>, uint32_t> offers;
        SmMask before = {};
        bench.SetObserver([&](uint64_t cycle, const TbSchedulerOut& out, const TbSchedulerIn&) {
          ForEachSm(AndNot(out.tb_valid, before), [&](uint32_t sm) {
            ++offers[{cycle, sm / size.PortSms()}];
          });
          before = out.tb_valid;
        });
        const KernelRecord record = bench.RunSequential(shape.Tbs());
        EXPECT_TRUE(record.finished);
        std::vector<uint32_t> ids = IdsOf(record);
        std::sort(ids.begin(), ids.end());
        EXPECT_EQ(ids, AllIds(shape.Tbs())) << kind->name << ", kernel " << kernel;
        for (const auto& [where, count] : offers) EXPECT_EQ(count, 1U) << kind->name;
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace issue_ports_test
}  // namespace flagstone
