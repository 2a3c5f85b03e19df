// Every warp scheduler on real kernels: results, skipping, and where the schedulers' cycles go.
#include <algorithm>
#include <numeric>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace warp_schedulers_test {

class WarpSchedulers : public testing::TestWithParam<const WarpSchedulerDescriptor*> {
 protected:
  static RunOutcome Run(const char* workload, TestOptions options = {}) {
    options.warp_scheduler = GetParam()->name;
    return RunOn(workload, options);
  }
};

TEST_P(WarpSchedulers, RunKernelsWithBarriersAndDivergenceToCorrectResults) {
  for (const char* workload : {"matmul", "syrk", "hotspot", "spmv"}) {
    SCOPED_TRACE(workload);
    const RunOutcome outcome = Run(workload);
    ASSERT_FALSE(outcome.checks.empty());
    for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.passed) << check.buffer;
    EXPECT_EQ(outcome.statistics.tb.completed, outcome.statistics.tb.count);
  }
}

TEST_P(WarpSchedulers, SkippedCyclesChangeNothing) {
  for (const char* workload : {"matmul", "spmv"}) {
    SCOPED_TRACE(workload);
    TestOptions options;
    const LaunchStatistics skipping = Run(workload, options).statistics;
    options.force_every_tick = true;
    const LaunchStatistics ticking = Run(workload, options).statistics;
    EXPECT_EQ(Difference(ticking, skipping), "");
  }
}

TEST_P(WarpSchedulers, EachSchedulerCycleOfALaunchIsCountedOnce) {
  TestOptions options;
  options.settings = {"sm.issue_width=2", "sm.schedulers=4"};
  const LaunchStatistics statistics = Run("hotspot", options).statistics;
  const MachineConfig machine = MachineConfig::Load(options.machine_name, options.settings);
  const SmStatistics& sm = statistics.sm;
  const auto sum = [](const auto& counts) {
    return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  };
  EXPECT_EQ(sum(sm.slots), statistics.cycles * machine.sm.count * machine.sm.schedulers);
  EXPECT_EQ(sum(sm.unit_waits), sm[IssueSlot::kUnit]);
  EXPECT_EQ(sm[IssueSlot::kIssued] + sm.dual_issues, statistics.warp_instructions);
  EXPECT_EQ(sum(sm.lanes), statistics.warp_instructions);
  EXPECT_GT(sm.dual_issues, 0U);
  EXPECT_EQ(sm.warp_slot_cycles, statistics.cycles * machine.sm.count * machine.sm.max_warps);
  EXPECT_GT(sm.occupancy(), 0.1);
  EXPECT_LT(sm.occupancy(), 1);
  for (const IssueSlot slot :
       {IssueSlot::kNoGrant, IssueSlot::kUnit, IssueSlot::kPipe, IssueSlot::kFetch,
        IssueSlot::kMemory, IssueSlot::kBarrier, IssueSlot::kIdle}) {
    EXPECT_GT(sm[slot], 0U) << static_cast<int>(slot);
  }
}

INSTANTIATE_TEST_SUITE_P(All, WarpSchedulers, testing::ValuesIn(AllWarpSchedulers()),
                         [](const auto& scheduler) {
                           std::string name(scheduler.param->name);
                           std::replace(name.begin(), name.end(), '-', '_');
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

// On an SM with more warps than the limits of the schedulers, and with groups of TBs.
TEST(WarpSchedulersOnAKernel, DifferInTheirCycles) {
  std::vector<uint64_t> cycles;
  for (const WarpSchedulerDescriptor* scheduler : AllWarpSchedulers()) {
    TestOptions options;
    options.warp_scheduler = scheduler->name;
    options.tb_scheduler = FindTbScheduler("paver");
    cycles.push_back(RunOn("syrk", options).statistics.cycles);
  }
  std::sort(cycles.begin(), cycles.end());
  EXPECT_EQ(std::adjacent_find(cycles.begin(), cycles.end()), cycles.end());
}

// CAPS, section V.A: until their base addresses are known.
TEST(WarpSchedulersOnAKernel, LeadingWarpsLeadAsLongAsTheMachineSays) {
  const auto cycles = [](const char* mark, std::string_view scheduler, Engine engine) {
    TestOptions options;
    options.warp_scheduler = scheduler;
    options.engine = engine;
    options.settings = {std::string("sm.scheduling.pas_leading_mark=") + mark};
    return RunOn("conv_separable", options).statistics.cycles;
  };
  std::vector<uint64_t> of_pas;
  for (const std::string_view mark : kLeadingMarks) {
    SCOPED_TRACE(mark);
    const std::string name(mark);
    of_pas.push_back(cycles(name.c_str(), "pas", Engine::kModel));
    EXPECT_EQ(cycles(name.c_str(), "pas", Engine::kLockstep), of_pas.back());
    EXPECT_EQ(cycles(name.c_str(), "gto", Engine::kModel),
              cycles("permanent", "gto", Engine::kModel));
  }
  std::sort(of_pas.begin(), of_pas.end());
  EXPECT_EQ(std::adjacent_find(of_pas.begin(), of_pas.end()), of_pas.end());
}

}  // namespace warp_schedulers_test
}  // namespace flagstone
