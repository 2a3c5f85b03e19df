// What TB schedulers promise at the ends of their ranges and under a rough environment, on each of
// their bodies: thousands of running TBs, groups of most of 2^16 ids, answers that nobody asked
// for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "gpu_model/blocks/tb_scheduler/tb_settings.h"
#include "tests/blocks/contract/engines.h"
#include "tests/blocks/contract/tb_scheduler_bench.h"

namespace flagstone {
namespace limits_contract_test {

// Ids 0 to `tbs` - 1 in groups of `size`.
Groups GroupsOf(uint32_t tbs, uint32_t size) {
  Groups groups;
  for (uint32_t first = 0; first < tbs; first += size) {
    groups.emplace_back(std::min(size, tbs - first));
    std::iota(groups.back().begin(), groups.back().end(), first);
  }
  return groups;
}

class LimitsContract : public ContractTest {
 protected:
  KernelRecord Run(const TbSchedulerDescriptor* kind, uint32_t tbs, BenchConfig config) {
    const auto scheduler = Make(kind, {config.num_sms, config.id_bytes, config.descriptors});
    TbSchedulerBench bench(scheduler.get(), config);
    if (kind->has_queue) return bench.RunGroups(GroupsOf(tbs, 16));
    return bench.RunSequential(tbs);
  }
};

INSTANTIATE_TEST_SUITE_P(Bodies, LimitsContract,
                         testing::Values(Engine::kModel, Engine::kRtl, Engine::kLockstep),
                         EngineName);

// Volta runs as many at once: a counter of 8 or 9 bits would be at zero in their midst.
TEST_P(LimitsContract, AKernelLastsAsLongAsAnyOf2560RunningTbs) {
  constexpr uint32_t kTbs = 2560, kSms = 21, kContexts = 128;
  constexpr uint64_t kLong = 20'000;
  for (const TbSchedulerDescriptor* kind : AllTbSchedulers()) {
    SCOPED_TRACE(kind->name);
    BenchConfig config;
    config.num_sms = kSms;
    config.contexts = kContexts;  // for the eight groups of 16 that some SMs get
    config.memory_latency = 1;
    config.steal_enable = false;
    config.run_cycles = [](uint32_t, uint32_t) { return kLong; };
    const TbLaunchShape shape = {kTbs, 1, kSms, kContexts};
    if (kind->name == "chunk") {
      config.settings = ChunkSettings(shape);
    } else if (kind->name == "swizzle") {
      config.settings = SwizzleSettings(shape, 1);
    } else if (kind->name == "bcs" || kind->name == "cache_fit") {
      config.settings = LimitSettings(kContexts);
    } else if (kind->name == "numa") {
      config.settings = {0, 0, 1};  // ids in order
    }
    const KernelRecord record = Run(kind, kTbs, config);
    ASSERT_TRUE(record.finished);
    ASSERT_EQ(record.issues.size(), kTbs);
    // All ran at once, and busy fell behind the last one's completion.
    EXPECT_LT(record.issues.back().cycle, kLong);
    EXPECT_GT(record.cycles, record.issues.back().cycle + kLong);
  }
}

// Half of a group of 40,000 goes to the other SM at once: counts of waiting TBs have 16 bits.
TEST_P(LimitsContract, AGroupHasUpTo65536Ids) {
  for (const char* kind : {"paver", "paver_wide"}) {
    SCOPED_TRACE(kind);
    BenchConfig config;
    config.contexts = 2;
    config.memory_latency = 1;
    // The first TBs last: a steal fails whose donor issues meanwhile.
    config.run_cycles = [](uint32_t, uint32_t tb) { return uint64_t{tb < 4 ? 300u : 1u}; };
    const auto scheduler = Make(FindTbScheduler(kind), {2, 2, 4});
    const Groups groups = GroupsOf(40'000, 40'000);
    const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
    ExpectIssuedOnceInOrder(groups, record, 2);
    ASSERT_FALSE(record.steals.empty());
    EXPECT_GT(record.steals.front().count, 19'900u);
    EXPECT_LE(record.steals.front().count, 20'000u);
  }
}

// `next`, `tail` and what a steal makes of them carry and borrow between the parts of an address:
// where a position in a group ends (2^17), and where half of the address does.
TEST_P(LimitsContract, AGroupMayLieAcrossAnyAddress) {
  constexpr uint64_t kFirst = uint64_t{1}
                              << 32;  // the bench's first image lies so far above its base
  for (const char* kind : {"paver", "paver_wide"}) {
    uint64_t steals = 0;
    for (const uint64_t border : {(uint64_t{2} << 32) + 0x20000, uint64_t{4} << 32}) {
      for (uint32_t before = 16; before <= 96; before += 16) {  // of the group's ids
        SCOPED_TRACE(testing::Message() << kind << ", " << before << " ids before " << border);
        BenchConfig config;
        config.num_sms = 3;
        config.memory_latency = 1;
        config.image_base = border - 32 - 2 * before - kFirst;
        config.run_cycles = [](uint32_t sm, uint32_t) { return uint64_t{sm == 0 ? 60u : 7u}; };
        const auto scheduler = Make(FindTbScheduler(kind), {3, 2, 4});
        const Groups groups = GroupsOf(100, 99);
        const KernelRecord record = TbSchedulerBench(scheduler.get(), config).RunGroups(groups);
        ExpectIssuedOnceInOrder(groups, record, 3);
        steals += record.steals.size();
      }
    }
    EXPECT_GT(steals, 50u) << kind;
  }
}

TEST_P(LimitsContract, AnswersThatNobodyAskedForDoNoHarm) {
  for (const char* kind : {"paver", "paver_wide"}) {
    SCOPED_TRACE(kind);
    BenchConfig config;
    config.num_sms = 3;
    config.contexts = 2;
    config.memory_latency = 9;
    config.run_cycles = [](uint32_t, uint32_t tb) { return 20 + SplitMix64(tb).Below(60); };
    const auto scheduler = Make(FindTbScheduler(kind), {3, 2, 4});
    TbSchedulerBench bench(scheduler.get(), config);
    SplitMix64 random(1);
    uint64_t asked = 0, spurious = 0;
    bench.SetDisturbance([&](uint64_t, TbSchedulerIn* in) {
      const TbSchedulerOut& out = scheduler->Outputs();
      if (in->mem_rsp_valid) {
        --asked;
      } else if (asked == 0 && !out.mem_req_valid && random.Below(2) == 0) {
        in->mem_rsp_valid = true;
        for (uint64_t& word : in->mem_rsp_data) word = random.Next();
        ++spurious;
      }
      if (out.mem_req_valid && in->mem_req_ready) ++asked;
    });
    const Groups groups = GroupsOf(60, 20);
    ExpectIssuedOnceInOrder(groups, bench.RunGroups(groups), 3);
    EXPECT_GT(spurious, 50u);
  }
}

}  // namespace limits_contract_test
}  // namespace flagstone
