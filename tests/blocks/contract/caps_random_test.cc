// Random streams: the prefetches of each body are those of the rules (CapsReference).
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/blocks/contract/caps_bench.h"
#include "tests/blocks/contract/caps_engines.h"
#include "tests/blocks/contract/random_loads.h"

namespace flagstone {
namespace caps_random_test {

// Configurations with 1, 8 and 16 slots, and with each of the options.
std::vector<CapsConfig> Grid() {
  CapsConfig refresh;
  refresh.refresh_base = true;
  CapsConfig one;
  one.cta_slots = 1;
  CapsConfig sixteen;
  sixteen.cta_slots = 16;
  sixteen.num_warps = 64;
  sixteen.addr_bits = 40;
  sixteen.threshold = 3;
  sixteen.style = 2;
  CapsConfig paced;
  paced.case_a_paced = true;
  CapsConfig plus;  // caps+
  plus.confidence = true;
  CapsConfig confidence;
  confidence.cta_slots = 2;
  confidence.style = 1;
  confidence.threshold = 250;
  confidence.confidence = true;
  return {CapsConfig{}, one, sixteen, refresh, paced, plus, confidence};
}

// Says where two records part, in one line.
std::string FirstDifference(const std::vector<CapsPrefetch>& prefetched,
                            const std::vector<CapsPrefetch>& expected) {
  const auto text = [](const std::vector<CapsPrefetch>& record, size_t i) -> std::string {
    if (i >= record.size()) return "nothing";
    const CapsPrefetch& p = record[i];
    return fmt::format("{:#x} for warp {} of slot {}, pc {:#x}", p.addr, p.warp, p.slot, p.pc);
  };
  for (size_t i = 0; i < std::max(prefetched.size(), expected.size()); ++i) {
    if (i < prefetched.size() && i < expected.size() && prefetched[i] == expected[i]) continue;
    return fmt::format("prefetch {}: {}, expected {}", i, text(prefetched, i), text(expected, i));
  }
  return "";
}

class CapsRandomTest : public CapsTest {};

// One load at a time: the same prefetches in the same order.
TEST_P(CapsRandomTest, PrefetchesWhatTheRulesSayInTheirOrder) {
  uint64_t seed = 1;
  for (const CapsConfig& config : Grid()) {
    uint64_t total = 0;
    uint64_t throttled = 0;
    for (uint32_t run = 0; run < 12; ++run, ++seed) {
      RandomLoads kernel(seed, config, 1 + run % 7, 10 * (run % 4));
      auto block = Make(config, 77 + seed);
      CapsBench bench(block.get(), config);
      bench.SetStalls(seed, kernel.Below(80), kernel.Below(80));
      bench.SetGated(run % 2 == 0);
      const uint32_t percent = run % 3 == 0 ? 30 : 0;
      bench.SetPresent([&](uint64_t address) { return InL1(seed, address, percent); });
      CapsReference reference(config);
      for (uint32_t slot = 0; slot < config.cta_slots; ++slot) {
        bench.SetLive(slot, kernel.NewCta(slot));
      }
      for (uint32_t step = 0; step < 250; ++step) {
        const uint32_t slot = kernel.Below(config.cta_slots);
        if (kernel.Below(60) == 0) {
          bench.EndCta(slot);
          reference.EndCta(slot);
          bench.SetLive(slot, kernel.NewCta(slot));
        }
        if (kernel.Below(150) == 0) {
          bench.EndKernel();
          reference.EndKernel();
        }
        const CapsLoad load = kernel.Load(slot, bench.live()[slot]);
        bench.LoadAndDrain(load);
        std::vector<CapsPrefetch> expected = reference.Load(load, bench.live());
        std::erase_if(expected, [&](const CapsPrefetch& p) { return InL1(seed, p.addr, percent); });
        const std::vector<CapsPrefetch> prefetched = bench.Take();
        ASSERT_EQ(FirstDifference(prefetched, expected), "")
            << "seed " << seed << ", step " << step << ", pc " << load.pc << ", slot " << slot;
        total += prefetched.size();
        throttled += uint64_t{reference.Throttled(load.pc)};
      }
    }
    EXPECT_GT(total, config.cta_slots == 1 ? 0u : 1000u);
    if (config.threshold == 3) {
      EXPECT_GT(throttled, 0u);
    }
  }
}

// Loads as fast as the port takes them: the same prefetches, each job's in its order.
TEST_P(CapsRandomTest, LosesAndDoublesNothingWithLoadsInEveryCycle) {
  uint64_t seed = 1000;
  for (const CapsConfig& config : Grid()) {
    // A waiting job takes the bases, or the distance, that there are by then.
    if (config.refresh_base || config.case_a_paced) continue;
    // A stride that is proven between two loads of a CTA prefetches for what has come by then.
    if (config.confidence) continue;
    uint64_t total = 0;
    for (uint32_t run = 0; run < 12; ++run, ++seed) {
      // Four loads at most, with true strides: no entry is replaced while its job waits.
      RandomLoads kernel(seed, config, 1 + run % 4, 0);
      auto block = Make(config, 77 + seed);
      CapsBench bench(block.get(), config);
      bench.SetStalls(seed, kernel.Below(95), kernel.Below(95));
      CapsReference reference(config);
      std::vector<CapsPrefetch> expected;
      for (uint32_t slot = 0; slot < config.cta_slots; ++slot) {
        bench.SetLive(slot, kernel.NewCta(slot));
      }
      const uint32_t gap = run % 3 == 0 ? 0 : kernel.Below(6);
      for (uint32_t step = 0; step < 400; ++step) {
        const uint32_t slot = kernel.Below(config.cta_slots);
        const CapsLoad load = kernel.Load(slot, bench.live()[slot]);
        for (const CapsPrefetch& p : reference.Load(load, bench.live())) expected.push_back(p);
        bench.Step(load);
        bench.Idle(static_cast<uint32_t>(load.addrs.size()) - 1 + kernel.Below(gap + 1));
      }
      bench.Drain();
      std::vector<CapsPrefetch> prefetched = bench.Take();
      // A job: the prefetches for one load in one CTA.
      const auto by_job = [](const CapsPrefetch& a, const CapsPrefetch& b) {
        return std::tie(a.pc, a.slot) < std::tie(b.pc, b.slot);
      };
      std::stable_sort(expected.begin(), expected.end(), by_job);
      std::stable_sort(prefetched.begin(), prefetched.end(), by_job);
      ASSERT_EQ(FirstDifference(prefetched, expected), "") << "seed " << seed;
      total += prefetched.size();
    }
    // With one slot there is no other CTA, and this one recycles none.
    EXPECT_EQ(total > 1000, config.cta_slots > 1);
  }
}

// Anything in any cycle: what is prefetched is for a live warp (CapsBench checks), nothing
// indirect.
TEST_P(CapsRandomTest, SurvivesAnyStream) {
  uint64_t seed = 2000;
  for (const CapsConfig& config : Grid()) {
    for (uint32_t run = 0; run < 12; ++run, ++seed) {
      auto block = Make(config, 77 + seed);
      CapsBench bench(block.get(), config);
      bench.SetGated(run % 2 == 0);
      const std::set<uint64_t> direct = RunRandomLoads(seed, config, 1500, &bench);
      for (const CapsPrefetch& prefetch : bench.Take()) {
        EXPECT_TRUE(direct.contains(prefetch.pc)) << "seed " << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, CapsRandomTest, kCapsEngines, EngineName);

}  // namespace caps_random_test
}  // namespace flagstone
