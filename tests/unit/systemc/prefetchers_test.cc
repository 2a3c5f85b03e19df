// Every prefetcher on real kernels: results, skipping, threads, and that CAPS finds strides.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace prefetchers_test {

// An SM as small as CAPS's RTL has it in other tests too: one body serves them all.
const std::vector<std::string> kSm = {"sm.max_tbs=8", "sm.max_warps=48"};

// All statistics but dram.queue_cycles, which may miss the last cycles of a channel that nothing
// wakes again before the run ends, and so depends on what is skipped.
std::string DifferenceInTheSms(LaunchStatistics a, const LaunchStatistics& b) {
  EXPECT_NEAR(static_cast<double>(a.dram.queue_cycles), static_cast<double>(b.dram.queue_cycles),
              100);
  a.dram.queue_cycles = b.dram.queue_cycles;
  return Difference(a, b);
}

class Prefetchers : public testing::TestWithParam<const PrefetcherDescriptor*> {
 protected:
  static TestOptions Options() {
    TestOptions options;
    options.settings = kSm;
    options.prefetcher = GetParam()->name;
    return options;
  }
};

TEST_P(Prefetchers, ChangeNoResult) {
  for (const char* workload : {"matmul", "syrk", "hotspot", "spmv", "bfs"}) {
    SCOPED_TRACE(workload);
    TestOptions without;
    without.settings = kSm;
    const RunOutcome expected = RunOn(workload, without);
    const RunOutcome outcome = RunOn(workload, Options());
    ASSERT_FALSE(outcome.checks.empty());
    for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.passed) << check.buffer;
    EXPECT_EQ(outcome.memory_hash, expected.memory_hash);
    EXPECT_EQ(outcome.statistics.tb.completed, outcome.statistics.tb.count);
  }
}

TEST_P(Prefetchers, SkippedCyclesAndThreadsChangeNothing) {
  for (const char* workload : {"laplace3d", "spmv"}) {
    SCOPED_TRACE(workload);
    TestOptions options = Options();
    options.warp_scheduler = "pas";
    const LaunchStatistics one = RunOn(workload, options).statistics;
    options.force_every_tick = true;
    EXPECT_EQ(DifferenceInTheSms(RunOn(workload, options).statistics, one), "");
    options.force_every_tick = false;
    options.force_reverse_samples = true;
    EXPECT_EQ(DifferenceInTheSms(RunOn(workload, options).statistics, one), "");
    options.force_reverse_samples = false;
    options.threads = 2;
    EXPECT_EQ(DifferenceInTheSms(RunOn(workload, options).statistics, one), "");
  }
}

TEST_P(Prefetchers, EachPrefetchHasOneFate) {
  for (const char* workload : {"laplace3d", "stencil", "matmul_tiled"}) {
    SCOPED_TRACE(workload);
    const PrefetchStatistics p = RunOn(workload, Options()).statistics.prefetch;
    EXPECT_LE(p.used + p.early_evicted + p.overwritten, p.issued);
    EXPECT_LE(p.too_early, p.early_evicted);
    EXPECT_LE(p.merged, p.dropped.in_flight);
    EXPECT_LE(p.late, p.used);
    EXPECT_LE(p.demand_misses, p.demand_fetches);
    EXPECT_EQ(p.distance.count, p.used);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Prefetchers, testing::ValuesIn(AllPrefetchers()),
                         [](const auto& prefetcher) {
                           std::string name(prefetcher.param->name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

TEST(NoPrefetcher, CountsNothing) {
  const PrefetchStatistics p = RunOn("vecadd", {}).statistics.prefetch;
  EXPECT_EQ(p.demand_fetches, 0U);
  EXPECT_EQ(p.issued, 0U);
}

TEST(NoPrefetcher, IsWhatTheMachineMaySay) {
  TestOptions options;
  options.settings = {"sm.prefetcher=caps"};
  EXPECT_GT(RunOn("conv_separable", options).statistics.prefetch.issued, 0U);
  options.prefetcher = "none";
  EXPECT_EQ(RunOn("conv_separable", options).statistics.prefetch.issued, 0U);
}

// Its warps load rows of a grid, at one stride in all TBs.
TEST(Caps, PrefetchesAStridedKernelForUse) {
  TestOptions options;
  options.prefetcher = "caps";
  options.warp_scheduler = "pas";
  const PrefetchStatistics p = RunOn("cp", options).statistics.prefetch;
  EXPECT_GT(p.issued, p.demand_fetches / 10);
  EXPECT_GT(p.used, p.issued * 9 / 10);
  EXPECT_EQ(p.wakes, p.issued);
}

TEST(Caps, WakesNobodyWhereTheMachineSaysSo) {
  TestOptions options;
  options.settings = {"sm.prefetching.wake_up=0"};
  options.prefetcher = "caps";
  options.warp_scheduler = "pas";
  const PrefetchStatistics p = RunOn("cp", options).statistics.prefetch;
  EXPECT_GT(p.issued, 0U);
  EXPECT_EQ(p.wakes, 0U);
}

// Eight loads of two warps: entries give way to one another, the warp that comes leads anew, and
// the other one is prefetched for again, whatever it has loaded.
TEST(Caps, PrefetchesForNoWarpThatHasPassedTheLoad) {
  TestOptions options;
  options.settings = {"sm.prefetching.caps_trailing_only=0"};
  options.prefetcher = "caps";
  options.warp_scheduler = "pas";
  const PrefetchStatistics all = RunOn("fft512", options).statistics.prefetch;
  options.settings = {};
  const PrefetchStatistics trailing = RunOn("fft512", options).statistics.prefetch;
  EXPECT_EQ(all.dropped.passed, 0U);
  EXPECT_GT(trailing.dropped.passed, 0U);
  EXPECT_LT(trailing.issued - trailing.used, (all.issued - all.used) / 2);
  // Others prefetch by their own rules.
  options.prefetcher = "inter";
  EXPECT_EQ(RunOn("fft512", options).statistics.prefetch.dropped.passed, 0U);
}

// What goes beyond CAPS; what is kept, in an L1 of 16 lines.
PrefetchStatistics WithCapsPlus(const std::string& workload, const std::string& setting) {
  TestOptions options;
  options.prefetcher = "caps+";
  options.warp_scheduler = "pas";
  options.settings = {setting};
  if (setting.find("keep") != std::string::npos) options.settings.push_back("sm.l1.size_kib=2");
  return RunOn(workload, options).statistics.prefetch;
}

TEST(CapsPlus, KeepsWhatItPrefetchedUntilItIsUsed) {
  const auto run = [](const std::string& keep) {
    return WithCapsPlus("mri_q", "sm.prefetching.caps_plus_keep=" + keep);
  };
  const PrefetchStatistics left = run("0"), kept = run("1");
  EXPECT_GT(left.too_early, left.issued / 3);
  EXPECT_LT(kept.too_early * left.issued, left.too_early * kept.issued);
}

TEST(Caps, LeavesIndirectLoadsAlone) {
  const Workload workload = Workload::Load(FindWorkload("spmv"), "test");
  BoundWorkload bound = Bind(workload);
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", kSm);
  options.engine = Engine::kModel;
  options.machine.sm.prefetcher = "caps";
  LaunchRequest request;
  request.launch = &bound.launches[0];
  request.memory = &bound.memory;
  request.indirect_loads = IndirectLoads(*request.launch, bound.memory);
  uint64_t indirect = 0;
  for (const LoadPrefetches& load : Simulate(options, request).launch.load_prefetches) {
    EXPECT_GT(load.demand_fetches, 0U);
    EXPECT_GT(load.line, 0U);
    if (!load.indirect) continue;
    ++indirect;
    EXPECT_EQ(load.issued, 0U) << load.line;
  }
  EXPECT_GT(indirect, 0U);
}

// TBs come and go in the same slots, kernels come and go, loads train and are throttled; RTL and
// model agree on every output in every cycle, and the run is that of the model.
TEST(Caps, RtlAndModelAgreeInTheSm) {
  for (const char* workload :
       {"vecadd", "laplace3d", "stencil", "matmul_tiled", "hotspot", "bfs", "scan"}) {
    for (const auto& [prefetcher, scheduler] :
         {std::pair{"caps", "pas"}, {"caps", "two-level"}, {"caps+", "pas"}}) {
      SCOPED_TRACE(std::string(workload) + " " + prefetcher + " " + scheduler);
      TestOptions options;
      options.settings = kSm;
      options.prefetcher = prefetcher;
      options.warp_scheduler = scheduler;
      const LaunchStatistics model = RunOn(workload, options).statistics;
      options.engine = Engine::kLockstep;
      EXPECT_EQ(DifferenceInTheSms(RunOn(workload, options).statistics, model), "");
      options.engine = Engine::kRtl;
      options.threads = 2;
      EXPECT_EQ(DifferenceInTheSms(RunOn(workload, options).statistics, model), "");
    }
  }
}

TEST(Caps, NeedsAnL1AndMshrs) {
  const auto message = [](const std::string& setting) -> std::string {
    TestOptions options;
    options.settings = {setting};
    options.prefetcher = "caps";
    try {
      RunOn("vecadd", options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("sm.l1.global=bypass").find("sm.l1.global"), std::string::npos);
  EXPECT_NE(message("sm.l1.mshrs=4").find("sm.prefetching.mshr_reserve"), std::string::npos);
}

}  // namespace prefetchers_test
}  // namespace flagstone
