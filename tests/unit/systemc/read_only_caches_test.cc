// Instruction, constant and texture caches on small kernels: misses, and what they cost.
#include <numeric>
#include <string>

#include "tests/system/microbenchmarks/bench.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace read_only_caches_test {

using microbenchmark::Bench;

// `count` instructions that all take one cycle.
std::string Straight(uint32_t count) {
  return Bench::Repeat(
      count, [](uint32_t i) { return "add.s32 %r" + std::to_string(8 + i % 30) + ", %r1, 1;"; });
}

LaunchStatistics RunBody(const std::string& body, const std::vector<std::string>& settings) {
  Bench bench;
  bench.machine = MachineConfig::Load("tiny", settings);
  return bench.Run(body);
}

TEST(InstructionCache, StraightCodeMissesOnceALineAndWaitsForIt) {
  const LaunchStatistics ideal = RunBody(Straight(160), {});
  const LaunchStatistics fetched = RunBody(Straight(160), {"sm.instruction_cache.size_kib=2"});
  // 167 instructions of 8 bytes are 11 lines of 128.
  EXPECT_EQ(ideal.sm.instruction_cache.accesses, 0U);
  EXPECT_EQ(fetched.sm.instruction_cache.accesses, 11U);
  EXPECT_EQ(fetched.sm.instruction_cache.misses, 11U);
  EXPECT_GT(fetched.cycles, ideal.cycles + 11 * 40);  // L2's pipeline alone takes 30
  EXPECT_GT(fetched.sm[IssueSlot::kFetch], ideal.sm[IssueSlot::kFetch] + 11 * 40);
  EXPECT_EQ(fetched.warp_instructions, ideal.warp_instructions);
}

// Loops over about `lines` lines of code, 5 times.
std::string Loop(uint32_t lines) {
  return "  mov.u32 %r5, 0;\nL:\n" + Straight(16 * lines - 4) +
         "  add.u32 %r5, %r5, 1;\n  setp.lt.u32 %p1, %r5, 5;\n  @%p1 bra L;\n";
}

TEST(InstructionCache, ALoopThatFitsHitsAndALargerOneMissesAgain) {
  const std::vector<std::string> settings = {"sm.instruction_cache.size_kib=2",
                                             "sm.instruction_cache.ways=16"};
  const LaunchStatistics fits = RunBody(Loop(8), settings);
  EXPECT_LE(fits.sm.instruction_cache.misses, 10U);
  EXPECT_GE(fits.sm.instruction_cache.hits, 4 * 8U);
  const LaunchStatistics larger = RunBody(Loop(20), settings);
  EXPECT_GE(larger.sm.instruction_cache.misses, 5 * 20U);  // LRU keeps what comes last
}

TEST(ConstantCache, ParametersMissOnceAnSm) {
  TestOptions options;
  options.settings = {"sm.const_cache.size_kib=2"};
  const RunOutcome outcome = RunOn("matmul", options);
  const ReadOnlyCacheStatistics& cache = outcome.statistics.sm.const_cache;
  EXPECT_EQ(cache.misses, 2U);  // a line each on two SMs
  EXPECT_GT(cache.hits, 100U);
  for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.passed);
}

TEST(TextureCache, TakesTheTexturesFromTheL1) {
  const LaunchStatistics without = RunOn("sad", {}).statistics;
  TestOptions options;
  options.settings = {"sm.texture_cache.size_kib=4"};
  const RunOutcome outcome = RunOn("sad", options);
  const LaunchStatistics& with = outcome.statistics;
  EXPECT_EQ(without.sm.texture_cache.accesses, 0U);
  EXPECT_GT(with.sm.texture_cache.hits, 0U);
  EXPECT_GT(with.sm.texture_cache.misses, 0U);
  EXPECT_EQ(with.l1.loads + with.sm.texture_cache.accesses, without.l1.loads);
  for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.passed);
}

TEST(ReadOnlyCaches, SkippedCyclesChangeNothingAndEachSchedulerCycleCountsOnce) {
  for (const char* workload : {"matmul", "hotspot"}) {
    TestOptions options;
    options.settings = {"sm.instruction_cache.size_kib=1", "sm.const_cache.size_kib=1",
                        "sm.const_cache.ways=2", "sm.instruction_cache.mshrs=1"};
    const LaunchStatistics skipping = RunOn(workload, options).statistics;
    options.force_every_tick = true;
    const LaunchStatistics ticking = RunOn(workload, options).statistics;
    EXPECT_EQ(ticking.cycles, skipping.cycles);
    EXPECT_EQ(ticking.sm.slots, skipping.sm.slots);
    EXPECT_EQ(std::accumulate(ticking.sm.slots.begin(), ticking.sm.slots.end(), uint64_t{0}),
              ticking.cycles * 2 * 2);
  }
}

TEST(Atomics, LanesThatShareAnAddressFollowEachOther) {
  const auto cycles = [](const std::string& address) {
    const auto atomic = [](uint32_t i) {
      return "atom.global.add.u32 %r" + std::to_string(8 + i) + ", [%rd2], %r1;";
    };
    return RunBody(address + "  add.u64 %rd2, %rd1, %rd2;\n" + Bench::Repeat(17, atomic),
                   {"l2.atomic_interval=5"})
        .cycles;
  };
  const uint64_t apart = cycles("  mul.wide.u32 %rd2, %r1, 4;\n");
  const uint64_t same = cycles("  mov.u64 %rd2, 0;\n");
  // Each but the last holds the slice for 31 lanes more. Apart, they take 4 sectors in place of 1,
  // and so many more flits.
  EXPECT_GT(same + 17 * 8, apart + 16 * 31 * 5);
  EXPECT_LT(same, apart + 17 * 31 * 5);
}

}  // namespace read_only_caches_test
}  // namespace flagstone
