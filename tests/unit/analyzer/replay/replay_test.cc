// Launches whose traffic can be worked out by hand.
#include "analyzer/replay/replay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/launch/workload.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace replay_test {

struct Case {
  explicit Case(const char* name, const char* size = "paper", bool executes = false)
      : workload(Workload::Load(FindWorkload(name), size)), bound(Bind(workload)) {
    const KernelLaunch& launch = bound.launches[0];
    addresses = AnalyzeAddresses(launch, bound.memory);
    machine = MachineConfig::Load("fermi", {"sm.instruction_cache.size_kib=0"});
    if (executes) {
      traces.emplace(launch, addresses, machine.sm, [&](StepObserver observer, void* context) {
        RunFunctionally(launch, &bound.memory, observer, context);
      });
    } else {
      traces.emplace(launch, addresses, machine.sm);
    }
    order.resize(launch.TbCount());
    std::iota(order.begin(), order.end(), 0);
  }

  Replayed Run(bool warm = false) {
    const uint32_t tbs = ComputeOccupancy(machine, bound.launches[0]).tbs_per_sm;
    return LaunchReplay(&*traces, machine, tbs, bound.memory, warm).Run(order);
  }

  Workload workload;
  BoundWorkload bound;
  AddressAnalysis addresses;
  MachineConfig machine;
  std::optional<replay::Traces> traces;
  std::vector<uint32_t> order;
};

// 208 x 208 floats: what every TB reads is read once of DRAM if the L2 holds everything, and once
// of the L2 by the L1 of a single SM that holds everything.
TEST(LaunchReplay, ReadsEverythingOnceWhereItFits) {
  Case matmul("matmul");
  matmul.machine.sm.count = 1;
  matmul.machine.sm.l1.size_kib = 4096;
  matmul.machine.sm.l1.ways = 128;
  const Replayed replayed = matmul.Run();
  EXPECT_EQ(replayed.dram_reads, 2 * 208 * 208 * 4);
  EXPECT_EQ(replayed.l2_reads, 2 * 208 * 208 * 4);
  EXPECT_EQ(replayed.l2_writes, 208 * 208 * 4);
}

TEST(LaunchReplay, OfAWarmL2ThatHoldsAllReadsNoDram) {
  Case matmul("matmul");
  EXPECT_GT(matmul.Run(false).dram_reads, 0);
  EXPECT_EQ(matmul.Run(true).dram_reads, 0);
}

// A small L2 writes back what does not stay in it until the end.
TEST(LaunchReplay, WritesBackWhatLeavesTheL2) {
  Case vecadd("vecadd");
  vecadd.machine.l2.cache.size_kib = 1;
  const double l2_bytes = 12 * 1024;
  const Replayed replayed = vecadd.Run();
  EXPECT_NEAR(replayed.dram_writes, replayed.l2_writes - l2_bytes / 2, l2_bytes / 2);
}

TEST(LaunchReplay, IsTheSameAgain) {
  Case hotspot("hotspot", "test");
  LaunchReplay replay(&*hotspot.traces, hotspot.machine, 4, hotspot.bound.memory, false);
  const Replayed first = replay.Run(hotspot.order), second = replay.Run(hotspot.order);
  EXPECT_EQ(first.cycles, second.cycles);
  EXPECT_EQ(first.L2(), second.L2());
  EXPECT_EQ(first.Dram(), second.Dram());
}

// What evaluation finds of a kernel is what its execution does.
TEST(LaunchReplay, OfTheAnalysisIsThatOfTheExecution) {
  for (const char* name : {"matmul", "matmul_tiled", "hotspot", "transpose", "conv2d"}) {
    Case evaluated(name, "test"), executed(name, "test", true);
    EXPECT_TRUE(evaluated.traces->skipped().empty());
    const Replayed a = evaluated.Run(), b = executed.Run();
    EXPECT_EQ(a.L2(), b.L2()) << name;
    EXPECT_EQ(a.cycles, b.cycles) << name;
  }
}

TEST(LaunchReplay, NamesWhatDataDecideUnlessItIsExecuted) {
  EXPECT_FALSE(Case("spmv", "test").traces->skipped().empty());
  EXPECT_TRUE(Case("spmv", "test", true).traces->skipped().empty());
}

// Groups of one TB, one after the other, are the order of the ids but for who takes which.
TEST(LaunchReplay, WaitsForGroupsAsLongAsTheyTakeToBeHandedOut) {
  Case matmul("matmul", "test");
  TbGroups groups;
  for (const uint32_t tb : matmul.order) groups.groups.push_back({tb});
  LaunchReplay replay(&*matmul.traces, matmul.machine, 4, matmul.bound.memory, false);
  const double at_once = replay.Run(groups, {0, 0, 0}).cycles;
  EXPECT_GE(replay.Run(groups, {5000, 0, 0}).cycles, 4900 + at_once);
}

// 2 KiB of 16 instructions a line: each SM fetches the code once.
TEST(LaunchReplay, FetchesTheCodeWhereTheMachineHasACacheForIt) {
  Case matmul("matmul", "test");
  const double without = matmul.Run().l2_reads;
  matmul.machine.sm.instruction_cache = MachineConfig::Load("fermi", {}).sm.instruction_cache;
  const double lines =
      std::ceil(static_cast<double>(matmul.bound.launches[0].kernel->instructions.size()) / 16);
  EXPECT_EQ(matmul.Run().l2_reads - without, 15 * lines * 128);
}

// What is looked at of some SMs, and of the beginning of TBs, stands for all.
TEST(LaunchReplay, OfASampleStandsForAll) {
  for (const char* name : {"stencil", "matmul", "hotspot"}) {
    Case launch(name);
    const Replayed all = launch.Run();
    const double steps =
        launch.traces->Of(0).whole.steps * static_cast<double>(launch.order.size());
    const uint32_t tbs = ComputeOccupancy(launch.machine, launch.bound.launches[0]).tbs_per_sm;
    LaunchReplay sampled(&*launch.traces, launch.machine, tbs, launch.bound.memory, false,
                         static_cast<uint64_t>(steps / 2));
    ASSERT_FALSE(sampled.sample().whole) << name;
    ASSERT_LT(sampled.sample().sms, launch.machine.sm.count) << name;
    const Replayed part = sampled.Run(launch.order);
    EXPECT_NEAR(part.l2_reads, all.l2_reads, 0.15 * all.l2_reads) << name;
    EXPECT_NEAR(part.l2_writes, all.l2_writes, 0.15 * all.l2_writes) << name;
    EXPECT_NEAR(part.Dram(), all.Dram(), 0.3 * all.Dram()) << name;
    EXPECT_NEAR(part.cycles, all.cycles, 0.15 * all.cycles) << name;
  }
}

// Contiguous parts of the grid.
TEST(LaunchReplay, OfASampleOfGroupsStandsForAllOfThem) {
  Case hotspot("hotspot");
  TbGroups groups;
  groups.groups.resize(hotspot.machine.sm.count);
  for (const uint32_t tb : hotspot.order) {
    groups.groups[tb * groups.groups.size() / hotspot.order.size()].push_back(tb);
  }
  const uint32_t tbs = ComputeOccupancy(hotspot.machine, hotspot.bound.launches[0]).tbs_per_sm;
  LaunchReplay whole(&*hotspot.traces, hotspot.machine, tbs, hotspot.bound.memory, false);
  const double steps =
      hotspot.traces->Of(0).whole.steps * static_cast<double>(hotspot.order.size());
  LaunchReplay sampled(&*hotspot.traces, hotspot.machine, tbs, hotspot.bound.memory, false,
                       static_cast<uint64_t>(steps / 2));
  ASSERT_FALSE(sampled.sample().whole);
  const Replayed all = whole.Run(groups, {}), part = sampled.Run(groups, {});
  EXPECT_NEAR(part.l2_reads, all.l2_reads, 0.1 * all.l2_reads);
  EXPECT_NEAR(part.cycles, all.cycles, 0.15 * all.cycles);
}

TEST(LaunchReplay, TakesLongerOnAMachineOfSlowerDram) {
  Case vecadd("vecadd");
  const double fast = vecadd.Run().cycles;
  vecadd.machine.clock.dram /= 4;
  EXPECT_GT(vecadd.Run().cycles, 1.5 * fast);
}

}  // namespace replay_test
}  // namespace flagstone
