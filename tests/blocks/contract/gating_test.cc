// Skipping idle ticks changes nothing; skipping on idle inputs alone does.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace gating_test {

struct Case {
  const TbSchedulerDescriptor* kind;
  Engine engine;
};

class Gating : public testing::TestWithParam<Case> {
 protected:
  static KernelRecord Run(const BenchConfig& config, const Gate& gate) {
    const auto scheduler =
        MakeTbScheduler(*GetParam().kind, GetParam().engine, {config.num_sms, config.id_bytes});
    TbSchedulerBench bench(scheduler.get(), config);
    bench.SetGate(gate);
    if (GetParam().kind == FindTbScheduler("lrr")) return bench.RunSequential(200);
    Groups groups(3 * config.num_sms);
    uint32_t next = 0;
    for (auto& group : groups) {
      group.resize(1 + SplitMix64(next + config.seed).Below(12));
      std::iota(group.begin(), group.end(), next);
      next += static_cast<uint32_t>(group.size());
    }
    return bench.RunGroups(groups);
  }

  static BenchConfig Config(uint64_t seed) {
    BenchConfig config;
    config.num_sms = seed % 2 == 0 ? 3 : 15;
    config.contexts = 1 + static_cast<uint32_t>(seed % 3);
    config.memory_latency = 1 + static_cast<uint32_t>(SplitMix64(seed).Below(100));
    config.stall_percent = seed % 4 == 0 ? 40 : 0;
    config.seed = seed;
    config.run_cycles = [=](uint32_t, uint32_t tb) {
      return 20 + SplitMix64(tb + seed).Below(400);
    };
    config.max_cycles = 200000;
    return config;
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, Gating,
                         testing::Values(Case{FindTbScheduler("lrr"), Engine::kModel},
                                         Case{FindTbScheduler("lrr"), Engine::kRtl},
                                         Case{FindTbScheduler("paver"), Engine::kModel},
                                         Case{FindTbScheduler("paver"), Engine::kRtl},
                                         Case{FindTbScheduler("paver_wide"), Engine::kModel},
                                         Case{FindTbScheduler("paver_wide"), Engine::kRtl}));

TEST_P(Gating, SkippingIdleTicksChangesNothing) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const KernelRecord every = Run(Config(seed), nullptr);
    const KernelRecord gated = Run(
        Config(seed),
        [](const TbScheduler& scheduler, const TbSchedulerIn& in) { return scheduler.Idle(in); });
    EXPECT_TRUE(every.finished);
    EXPECT_TRUE(gated.SameTraffic(every)) << "seed " << seed;
    EXPECT_GT(gated.skipped_ticks, every.cycles / 4) << "seed " << seed;
  }
}

// What `quiescent` is for: a block may have work left when no input asks for anything.
TEST_P(Gating, SkippingOnIdleInputsAloneIsWrong) {
  BenchConfig config = Config(1);
  config.max_cycles = 20000;
  const KernelRecord every = Run(config, nullptr);
  const KernelRecord gated = Run(config, [](const TbScheduler& scheduler, const TbSchedulerIn& in) {
    return !HasEvent(scheduler.Outputs(), in);
  });
  EXPECT_TRUE(every.finished);
  EXPECT_FALSE(gated.SameTraffic(every));
}

class SameOnAllBodies : public testing::TestWithParam<const TbSchedulerDescriptor*> {};
INSTANTIATE_TEST_SUITE_P(TbSchedulers, SameOnAllBodies,
                         testing::Values(FindTbScheduler("lrr"), FindTbScheduler("paver"),
                                         FindTbScheduler("paver_wide")));

TEST_P(SameOnAllBodies, TheTrafficIsTheSame) {
  BenchConfig config;
  config.num_sms = 15;
  config.contexts = 3;
  config.stall_percent = 10;
  config.run_cycles = [](uint32_t sm, uint32_t tb) -> uint64_t { return 30 + 11 * sm + tb % 7; };
  Groups groups(40);
  for (uint32_t tb = 0; tb < 400; ++tb) groups[(tb * tb) % 40].push_back(tb);
  const auto run = [&](Engine engine) {
    const auto scheduler = MakeTbScheduler(*GetParam(), engine, {15, 2});
    TbSchedulerBench bench(scheduler.get(), config);
    return GetParam() == FindTbScheduler("lrr") ? bench.RunSequential(400)
                                                : bench.RunGroups(groups);
  };
  const KernelRecord model = run(Engine::kModel);
  EXPECT_TRUE(model.finished);
  EXPECT_TRUE(model.SameTraffic(run(Engine::kRtl)));
  EXPECT_TRUE(model.SameTraffic(run(Engine::kLockstep)));
}

}  // namespace gating_test
}  // namespace flagstone
