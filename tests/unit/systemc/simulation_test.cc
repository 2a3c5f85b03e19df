// The whole machine: results, exactly-once issue, bodies, determinism, skipping.
#include "systemc/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/error.h"
#include "gpu_model/simt/executor.h"
#include "kernels/ptx/kernel.h"
#include "tests/unit/systemc/simulation_fixture.h"

namespace flagstone {
namespace simulation_test {

const char* const kWorkloads[] = {"vecadd", "matmul", "syrk", "hotspot", "spmv"};

TEST(Simulation, ResultsAreCorrectAndEveryTbRunsOnceUnderBothTbSchedulers) {
  for (const char* workload : kWorkloads) {
    for (const TbSchedulerDescriptor* tb_scheduler :
         {FindTbScheduler("lrr"), FindTbScheduler("paver")}) {
      SCOPED_TRACE(workload);
      TestOptions options;
      options.tb_scheduler = tb_scheduler;
      const RunOutcome outcome = RunOn(workload, options);
      ASSERT_FALSE(outcome.checks.empty());
      for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.passed) << check.buffer;
      EXPECT_EQ(outcome.statistics.tb.issued, outcome.statistics.tb.count);
      EXPECT_EQ(outcome.statistics.tb.completed, outcome.statistics.tb.count);
    }
  }
}

TEST(Simulation, SkippingIdleBlocksAndTimeChangesNothing) {
  for (const char* workload : kWorkloads) {
    for (const TbSchedulerDescriptor* tb_scheduler :
         {FindTbScheduler("lrr"), FindTbScheduler("paver")}) {
      SCOPED_TRACE(workload);
      TestOptions options;
      options.tb_scheduler = tb_scheduler;
      const RunOutcome skipping = RunOn(workload, options);
      options.force_every_tick = true;
      EXPECT_EQ(Difference(RunOn(workload, options).statistics, skipping.statistics), "");
    }
  }
}

TEST(Simulation, SkippingChangesNothingOnAMachineWithFourClocksAndManySms) {
  TestOptions options;
  options.machine_name = "volta";
  options.settings = {"clock.interconnect=1100", "clock.l2=900", "sm.count=3"};
  const RunOutcome skipping = RunOn("spmv", options);
  options.force_every_tick = true;
  EXPECT_EQ(Difference(RunOn("spmv", options).statistics, skipping.statistics), "");
}

TEST(Simulation, ModelRtlAndLockstepGiveTheSameCycles) {
  for (const char* workload : {"vecadd", "syrk"}) {
    for (const TbSchedulerDescriptor* tb_scheduler :
         {FindTbScheduler("lrr"), FindTbScheduler("paver")}) {
      SCOPED_TRACE(workload);
      TestOptions options;
      options.tb_scheduler = tb_scheduler;
      const RunOutcome model = RunOn(workload, options);
      options.engine = Engine::kRtl;
      EXPECT_EQ(Values(RunOn(workload, options).statistics), Values(model.statistics));
      options.engine = Engine::kLockstep;
      EXPECT_EQ(Values(RunOn(workload, options).statistics), Values(model.statistics));
    }
  }
}

TEST(Simulation, RunsManyTimesInOneProcessWithTheSameResult) {
  TestOptions options;
  const std::vector<uint64_t> first = Values(RunOn("vecadd", options).statistics);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Values(RunOn("vecadd", options).statistics), first);
}

TEST(Simulation, CountsInstructionsAsTheFunctionalExecutorDoes) {
  for (const char* name : kWorkloads) {
    const Workload workload = Workload::Load(FindWorkload(name), "test");
    BoundWorkload bound = Bind(workload);
    FunctionalCounts expected;
    LaunchSequence sequence(&bound);
    while (const KernelLaunch* launch = sequence.Next()) {
      const FunctionalCounts counts = RunFunctionally(*launch, &bound.memory);
      expected.warp_instructions += counts.warp_instructions;
      expected.thread_instructions += counts.thread_instructions;
    }
    const LaunchStatistics statistics = RunOn(workload, {}).statistics;
    EXPECT_EQ(statistics.warp_instructions, expected.warp_instructions) << name;
    EXPECT_EQ(statistics.thread_instructions, expected.thread_instructions) << name;
  }
}

TEST(Simulation, CountersAddUp) {
  for (const char* machine : {"tiny", "volta"}) {
    TestOptions options;
    options.machine_name = machine;
    options.cold_l2 = true;
    const LaunchStatistics s = RunOn("spmv", options).statistics;
    EXPECT_EQ(s.l1.accesses, s.l1.hits + s.l1.mshr_hits + s.l1.misses);
    EXPECT_EQ(s.l2.accesses, s.l2.hits + s.l2.misses);
    EXPECT_EQ(s.dram.reads, s.l2.misses);
    // Every L1 miss is an L2 access: of its sectors where sectored, of whole lines for loads else.
    if (std::string(machine) == "volta") {
      EXPECT_EQ(s.l2.accesses, s.l1.misses);
    }
  }
}

TEST(Simulation, AWarmL2AvoidsDram) {
  TestOptions options;
  options.machine_name = "fermi";
  // Parameters and code come from no buffer.
  options.settings = {"sm.const_cache.size_kib=0", "sm.instruction_cache.size_kib=0"};
  const LaunchStatistics warm = RunOn("matmul", options).statistics;
  options.cold_l2 = true;
  const LaunchStatistics cold = RunOn("matmul", options).statistics;
  EXPECT_EQ(warm.dram.reads, 0U);
  // A and B: 2 x 64 x 64 floats, each sector read once.
  EXPECT_EQ(cold.dram.reads, 2U * 64 * 64 * 4 / 32);
  EXPECT_GT(cold.cycles, warm.cycles);
}

TEST(Simulation, TheTbQueueIsReadThroughL2AndDram) {
  TestOptions options;
  options.machine_name = "fermi";
  // Whose misses depend on the order of TBs.
  options.settings = {"sm.const_cache.size_kib=0", "sm.instruction_cache.size_kib=0"};
  options.cold_l2 = true;
  const LaunchStatistics lrr = RunOn("vecadd", options).statistics;
  options.tb_scheduler = FindTbScheduler("paver");
  const LaunchStatistics paver = RunOn("vecadd", options).statistics;
  // 16 ids and 6 descriptors: one read of the memory port each, one 32 B sector.
  EXPECT_EQ(paver.l2.accesses, lrr.l2.accesses + 16 + 6);
  EXPECT_GT(paver.dram.reads, lrr.dram.reads);
  EXPECT_EQ(paver.tb.groups, 6U);
}

TEST(Simulation, ATbQueueBesideTheSchedulerIsReadInItsLatency) {
  TestOptions options;
  options.machine_name = "fermi";
  options.settings = {"sm.const_cache.size_kib=0", "sm.instruction_cache.size_kib=0"};
  const LaunchStatistics lrr = RunOn("vecadd", options).statistics;
  options.tb_scheduler = FindTbScheduler("paver");
  const LaunchStatistics far = RunOn("vecadd", options).statistics;
  options.settings.emplace_back("tb_queue_latency=1");
  const RunOutcome near = RunOn("vecadd", options);
  EXPECT_EQ(near.statistics.l2.accesses, lrr.l2.accesses);
  EXPECT_LT(near.statistics.tb.wait_cycles, far.tb.wait_cycles);
  for (const CheckResult& check : near.checks) EXPECT_TRUE(check.passed) << check.buffer;
  options.force_every_tick = true;
  EXPECT_EQ(Difference(RunOn("vecadd", options).statistics, near.statistics), "");
  options.settings.back() = "tb_queue_latency=500";
  EXPECT_GT(RunOn("vecadd", options).statistics.tb.wait_cycles, far.tb.wait_cycles);
}

TEST(Simulation, GroupsWaitForADescriptorAsFarAheadAsTheMachineFetchesThem) {
  TestOptions options;
  options.machine_name = "fermi";
  options.tb_scheduler = FindTbScheduler("paver");
  options.settings = {"tb_queue_descriptors=1"};
  const uint64_t one = RunOn("vecadd", options).statistics.tb.wait_cycles;
  options.settings = {"tb_queue_descriptors=2"};
  const uint64_t two = RunOn("vecadd", options).statistics.tb.wait_cycles;
  options.settings = {"tb_queue_descriptors=6"};  // all groups
  EXPECT_LT(RunOn("vecadd", options).statistics.tb.wait_cycles, two);
  EXPECT_LT(two, one);
}

class SimulationErrors : public testing::Test {
 protected:
  static std::string Failure(const TestOptions& options, const char* workload = "matmul") {
    try {
      RunOn(workload, options);
    } catch (const Error& error) {
      kind_ = error.kind();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }
  static inline ErrorKind kind_ = ErrorKind::kInternal;
};

TEST_F(SimulationErrors, LackOfProgressNamesWarpsAndWhatTheyWaitFor) {
  TestOptions options;
  options.settings = {"no_progress_cycles=20", "sm.count=1"};  // less than a trip to L2
  const std::string message = Failure(options);
  EXPECT_EQ(kind_, ErrorKind::kRunFailed);
  EXPECT_TRUE(message.starts_with("no progress for 20 cycles (since cycle ")) << message;
  EXPECT_NE(message.find("sm0 warp 0 (TB 0, "), std::string::npos) << message;
  EXPECT_NE(message.find("matmul/kernel.ptx:"), std::string::npos) << message;
  EXPECT_NE(message.find("): memory"), std::string::npos) << message;
  options.force_every_tick = true;
  EXPECT_EQ(Failure(options), message);
}

TEST_F(SimulationErrors, TheCycleLimitEndsARun) {
  TestOptions options;
  options.max_cycles = 1000;
  EXPECT_TRUE(Failure(options).starts_with("cycle limit of 1000 reached: sm0 warp "));
  EXPECT_EQ(kind_, ErrorKind::kRunFailed);
}

TEST_F(SimulationErrors, AKernelThatDoesNotFitIsBadInputBeforeTheRun) {
  TestOptions options;
  options.settings = {"sm.max_threads=128"};
  EXPECT_EQ(Failure(options),
            "kernel 'matmul': one TB needs 256 threads, but an SM of machine 'tiny' has 128");
  EXPECT_EQ(kind_, ErrorKind::kBadInput);
  options.settings = {"sm.shared_kib=1"};
  options.warp_scheduler = "fair";
  EXPECT_EQ(Failure(options),
            "unknown warp scheduler 'fair': expected one of lrr, gto, two-level, orch, swl, "
            "ccws, priority-group, pas, pas-lrr, pas-gto, pas+, programmable, group, "
            "group-turn, group-behind, group-age, baws");
  EXPECT_EQ(kind_, ErrorKind::kBadInput);
}

TEST_F(SimulationErrors, AnotherRunAfterAFailedOneIsClean) {
  TestOptions options;
  const std::vector<uint64_t> before = Values(RunOn("vecadd", options).statistics);
  options.max_cycles = 100;
  Failure(options);
  EXPECT_EQ(Values(RunOn("vecadd", {}).statistics), before);
}

TEST(Simulation, AGroupListThatNamesATbTwiceIsCaught) {
  const Workload workload = Workload::Load(FindWorkload("vecadd"), "test");
  BoundWorkload bound = Bind(workload);
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  LaunchRequest request;
  request.launch = &bound.launches[0];
  request.memory = &bound.memory;
  request.tb_scheduler = FindTbScheduler("paver");
  request.groups.groups = {{0, 1, 2}, {3, 1}};
  try {
    Simulate(options, request);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    EXPECT_NE(std::string(error.what()).find("issued TB 1 twice"), std::string::npos)
        << error.what();
  }
  request.groups.groups = {{0, 1, 2}, {3, 16}};
  try {
    Simulate(options, request);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("issued TB 16 to sm1, but the launch has 16 TBs"),
              std::string::npos)
        << error.what();
  }
  request.groups.groups = {{0, 1, 2}, {3}};
  try {
    Simulate(options, request);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("4 of 16 TBs issued"), std::string::npos)
        << error.what();
  }
}

TEST(Simulation, ReportsProgressAndStopsWhenInterrupted) {
  const Workload workload = Workload::Load(FindWorkload("syrk"), "test");
  BoundWorkload bound = Bind(workload);
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  LaunchRequest request;
  request.launch = &bound.launches[0];
  request.memory = &bound.memory;
  std::vector<Progress> reports;
  std::atomic<bool> interrupted = false;
  options.progress = [&](const Progress& progress) {
    reports.push_back(progress);
    if (progress.cycle >= 100'000) interrupted = true;
  };
  options.interrupted = &interrupted;
  const SimulationResult result = Simulate(options, request);
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[1].tbs, 16U);
  EXPECT_GT(reports[1].warp_instructions, 0U);
  EXPECT_LT(result.launch.statistics.tb.completed, 16U);
  EXPECT_LT(result.launch.statistics.cycles, 120'000U);
}

TEST(Simulation, RtlServesAsManySmsAsAMachineMayHave) {
  TestOptions options;
  options.machine_name = "volta";
  options.settings = {"sm.count=256"};
  options.tb_scheduler = FindTbScheduler("lrr");
  options.engine = Engine::kLockstep;
  const RunOutcome outcome = RunOn("vecadd", options);
  for (const CheckResult& check : outcome.checks) EXPECT_TRUE(check.passed) << check.buffer;
  EXPECT_EQ(outcome.statistics.tb.completed, outcome.statistics.tb.count);
}

}  // namespace simulation_test
}  // namespace flagstone
