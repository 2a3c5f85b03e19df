// Random kernels on golden model and RTL in lockstep: every output, every cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/random.h"
#include "tests/contract/tb_scheduler_bench.h"
#include "tests/rtl/lockstep_pair.h"

namespace flagstone {
namespace {

uint32_t Below(SplitMix64* random, uint64_t bound) {
  return static_cast<uint32_t>(random->Below(bound));
}

// Ids in random order, cut in groups of one style: all small, one big, or anything; some empty.
Groups RandomGroups(SplitMix64* random, uint32_t num_sms, uint32_t id_bytes) {
  const uint32_t tbs = Below(random, 6 * num_sms + 20);
  std::vector<uint32_t> ids(tbs);
  const uint32_t base = id_bytes == 4 ? 0xfff00000u : 0xff00u - tbs;
  for (uint32_t i = 0; i < tbs; ++i) ids[i] = base + i;
  for (uint32_t i = tbs; i > 1; --i) std::swap(ids[i - 1], ids[random->Below(i)]);
  const std::vector<uint32_t> sizes = {1, 2, 3, 8, tbs / 2 + 1, tbs + 1};
  const uint32_t largest = sizes[random->Below(sizes.size())];
  Groups groups;
  for (uint32_t taken = 0; taken < tbs;) {
    if (random->Below(6) == 0) groups.emplace_back();
    const uint32_t size = std::min(tbs - taken, 1 + Below(random, largest));
    groups.emplace_back(ids.begin() + taken, ids.begin() + taken + size);
    taken += size;
  }
  if (random->Below(4) == 0) groups.emplace_back();
  return groups;
}

BenchConfig RandomConfig(SplitMix64* random, uint32_t num_sms, uint32_t id_bytes) {
  BenchConfig config;
  config.num_sms = num_sms;
  config.id_bytes = id_bytes;
  config.contexts = 1 + Below(random, 8);
  const std::vector<uint32_t> latencies = {1, 2, 5, 20, 100, 1000};
  config.memory_latency = 1 + Below(random, latencies[random->Below(latencies.size())]);
  config.stall_percent = random->Below(2) == 0 ? 0 : Below(random, 90);
  config.seed = random->Next();
  config.steal_enable = random->Below(4) != 0;
  const uint64_t longest = uint64_t{1} << random->Below(11);
  const uint64_t salt = random->Next();
  config.run_cycles = [longest, salt](uint32_t sm, uint32_t tb) {
    return 1 + SplitMix64(salt ^ (uint64_t{sm} << 32) ^ tb).Below(longest);
  };
  return config;
}

// Contexts that come and go at random, on top of the TBs that hold them.
void HideContexts(TbSchedulerBench* bench, uint64_t seed, uint32_t percent) {
  bench->SetDisturbance([random = SplitMix64(seed), percent](uint64_t, TbSchedulerIn* in) mutable {
    for (uint64_t& word : in->tb_ready) {
      for (uint64_t left = word; left != 0; left &= left - 1) {
        if (random.Below(100) < percent) word &= ~(left & -left);
      }
    }
  });
}

// `batches` machines with `kernels` kernels each, one right after the other on the same bodies.
void RunPaver(uint32_t num_sms, uint32_t id_bytes, uint32_t batches, uint32_t kernels) {
  SplitMix64 random(num_sms * 64 + id_bytes);
  uint64_t ticks = 0;
  uint64_t skipped = 0;
  uint64_t steals = 0;
  for (uint32_t batch = 0; batch < batches; ++batch) {
    LockstepPair pair(Dispatcher::kPaver, num_sms, id_bytes, batch % 2 == 0, 1 + random.Next());
    for (uint32_t kernel = 0; kernel < kernels; ++kernel) {
      TbSchedulerBench bench(&pair, RandomConfig(&random, num_sms, id_bytes));
      if (random.Below(2) == 0) HideContexts(&bench, random.Next(), Below(&random, 95));
      const Groups groups = RandomGroups(&random, num_sms, id_bytes);
      const KernelRecord record = bench.RunGroups(groups);
      ExpectIssuedOnceInOrder(groups, record, num_sms);
      steals += record.steals.size();
      ASSERT_FALSE(testing::Test::HasFailure()) << "batch " << batch << ", kernel " << kernel;
    }
    ticks += pair.ticks();
    skipped += pair.skipped();
  }
  std::printf("%u SMs, %u-byte ids: %u kernels, %llu cycles, %llu skipped, %llu steals\n", num_sms,
              id_bytes, batches * kernels, static_cast<unsigned long long>(ticks),
              static_cast<unsigned long long>(skipped), static_cast<unsigned long long>(steals));
  if (num_sms > 1) {
    EXPECT_GT(steals, 0u);
  }
}

TEST(PaverTbSchedulerRtl, EqualsItsModelWithOneSm) { RunPaver(1, 2, 20, 20); }
TEST(PaverTbSchedulerRtl, EqualsItsModelWithTwoSms) { RunPaver(2, 2, 60, 20); }
TEST(PaverTbSchedulerRtl, EqualsItsModelWithThreeSms) { RunPaver(3, 2, 60, 20); }
TEST(PaverTbSchedulerRtl, EqualsItsModelWithThreeSmsAndWideIds) { RunPaver(3, 4, 60, 20); }
TEST(PaverTbSchedulerRtl, EqualsItsModelWithFermisSms) { RunPaver(15, 2, 40, 20); }
TEST(PaverTbSchedulerRtl, EqualsItsModelWithVoltasSms) { RunPaver(80, 2, 6, 10); }
TEST(PaverTbSchedulerRtl, EqualsItsModelWithFermisSmsAndWideIds) { RunPaver(15, 4, 20, 20); }

void RunLrr(uint32_t num_sms, uint32_t id_bytes, uint32_t batches, uint32_t kernels) {
  SplitMix64 random(num_sms * 64 + id_bytes);
  for (uint32_t batch = 0; batch < batches; ++batch) {
    LockstepPair pair(Dispatcher::kLrr, num_sms, id_bytes, batch % 2 == 0, 1 + random.Next());
    for (uint32_t kernel = 0; kernel < kernels; ++kernel) {
      TbSchedulerBench bench(&pair, RandomConfig(&random, num_sms, id_bytes));
      if (random.Below(2) == 0) HideContexts(&bench, random.Next(), Below(&random, 95));
      const uint32_t count = Below(&random, 10 * num_sms + 5);
      const KernelRecord record = bench.RunSequential(count);
      EXPECT_TRUE(record.finished);
      std::vector<uint32_t> tbs;
      for (const IssueEvent& issue : record.issues) tbs.push_back(issue.tb);
      std::sort(tbs.begin(), tbs.end());
      ASSERT_EQ(tbs.size(), count);
      for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(tbs[i], i);
      ASSERT_FALSE(testing::Test::HasFailure()) << "batch " << batch << ", kernel " << kernel;
    }
  }
}

TEST(LrrTbSchedulerRtl, EqualsItsModelWithOneSm) { RunLrr(1, 2, 20, 20); }
TEST(LrrTbSchedulerRtl, EqualsItsModelWithThreeSmsAndWideIds) { RunLrr(3, 4, 40, 20); }
TEST(LrrTbSchedulerRtl, EqualsItsModelWithFermisSms) { RunLrr(15, 2, 20, 20); }
TEST(LrrTbSchedulerRtl, EqualsItsModelWithVoltasSms) { RunLrr(80, 2, 6, 10); }

}  // namespace
}  // namespace flagstone
