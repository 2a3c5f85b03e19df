// Small kernels: how issue, barriers, faults and atomics behave, whatever the machine's figures.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "tests/system/microbenchmarks/bench.h"
#include "tests/system/microbenchmarks/measurement.h"

namespace flagstone::microbenchmark {
namespace small_kernels_test {

class SmallKernel : public testing::Test {
 protected:
  LaunchStatistics Run(const std::string& body, uint32_t threads = 32) {
    bench_.threads = threads;
    return bench_.Run(body);
  }
  double PerLine(uint32_t from, uint32_t to, const Bench::Line& line, uint32_t threads = 32) {
    bench_.threads = threads;
    return bench_.PerLine(from, to, line);
  }

  Bench bench_{.machine = MachineConfig::Load("tiny", IdealFetch())};
  MachineConfig& machine_ = bench_.machine;
};

TEST_F(SmallKernel, IndependentInstructionsIssueAnIntervalApart) {
  const auto line = [](uint32_t i) { return fmt::format("add.s32 %r{}, %r1, 1;", 8 + i % 32); };
  EXPECT_EQ(PerLine(20, 60, line), 1);
  machine_.sm.int_add.interval = 3;
  EXPECT_EQ(PerLine(20, 60, line), 3);
}

TEST_F(SmallKernel, DualIssueDoublesTheRateOfOneWarpWhereTwoPipesTakeIndependentInstructions) {
  machine_.sm.issue_width = 2;
  const auto mixed = [](uint32_t i) {
    return i % 2 == 0 ? fmt::format("add.s32 %r{}, %r1, 1;", 8 + i % 32)
                      : fmt::format("add.f32 %f{}, %f1, %f1;", 8 + i % 32);
  };
  EXPECT_EQ(PerLine(20, 60, mixed), 0.5);
  const auto one_pipe = [](uint32_t i) { return fmt::format("add.s32 %r{}, %r1, 1;", 8 + i % 32); };
  EXPECT_EQ(PerLine(20, 60, one_pipe), 1);
  const auto dependent = [](uint32_t i) {
    return i % 2 == 0 ? std::string("add.s32 %r8, %r8, 1;")
                      : fmt::format("mul.lo.s32 %r{}, %r8, %r8;", 9 + i % 30);
  };
  EXPECT_EQ(PerLine(20, 60, dependent) * 2, machine_.sm.int_add.latency + 1);
}

TEST_F(SmallKernel, SchedulersIssueInParallelAndWarpsOfOneShareIt) {
  const auto line = [](uint32_t i) { return fmt::format("add.s32 %r{}, %r1, 1;", 8 + i % 32); };
  EXPECT_EQ(PerLine(20, 60, line, 64), 1);   // two warps, two schedulers
  EXPECT_EQ(PerLine(20, 60, line, 256), 4);  // eight warps
}

TEST_F(SmallKernel, ABarrierHoldsTheFastWarpsUntilTheSlowestArrives) {
  // The second warp divides 20 times before the barrier, the first one after it.
  std::string divide;
  for (int i = 0; i < 20; ++i) divide += "  div.s32 %r2, %r2, %r1;\n";
  const std::string guard = "  setp.lt.u32 %p1, %r1, 32;\n";
  const uint64_t apart =
      Run(guard + "  @%p1 bra B;\n" + divide + "B:\n  @!%p1 bra E;\n" + divide + "E:\n", 64).cycles;
  const uint64_t together = Run(guard + "  @%p1 bra B;\n" + divide +
                                    "B:\n  bar.sync 0;\n  @!%p1 bra E;\n" + divide + "E:\n",
                                64)
                                .cycles;
  const uint64_t work = 19 * machine_.sm.int_div.latency;
  EXPECT_LT(apart, 2 * work);
  EXPECT_GT(together, 2 * work);
}

TEST_F(SmallKernel, AWaitForABarrierThatNeverFillsIsReported) {
  machine_.no_progress_cycles = 5000;
  try {
    // Half of the warps wait at barrier 0, the others at barrier 1.
    Run("  setp.lt.u32 %p1, %r1, 32;\n  @%p1 bra B;\n  bar.sync 0;\n  bra E;\nB:\n"
        "  bar.sync 1;\nE:\n",
        64);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    const std::string message = error.what();
    EXPECT_NE(message.find("no progress for 5000 cycles"), std::string::npos) << message;
    EXPECT_NE(message.find("sm0 warp 0 (TB 0, microbenchmark.ptx:"), std::string::npos) << message;
    EXPECT_NE(message.find("): barrier"), std::string::npos) << message;
  }
}

TEST_F(SmallKernel, AnOutOfBoundsAccessFailsTheRunWithItsPlace) {
  try {
    Run("  ld.global.u32 %r2, [%rd1+2000000];\n");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRunFailed);
    EXPECT_NE(std::string(error.what()).find("microbenchmark.ptx:17"), std::string::npos)
        << error.what();
  }
}

TEST_F(SmallKernel, AtomicsAreDoneInL2AndReturnOldValues) {
  machine_ = MachineConfig::Load("tiny", {});
  const LaunchStatistics statistics =
      Run("  atom.global.add.u32 %r2, [%rd1], 1;\n  add.s32 %r3, %r2, 1;\n", 64);
  EXPECT_EQ(statistics.l1.accesses, 2U);
  EXPECT_EQ(statistics.l1.misses, 2U);
  EXPECT_EQ(statistics.l2.accesses, 2U);
}

TEST_F(SmallKernel, LocalMemoryOfAWarpIsCoalesced) {
  // A store and a load of 4 bytes per thread at the same offset: one line each.
  const std::string text =
      "  .local .align 4 .b8 depot[64];\n  mov.u64 %rd2, depot;\n  st.local.u32 [%rd2+8], %r1;\n"
      "  ld.local.u32 %r2, [%rd2+8];\n";
  const LaunchStatistics statistics = Run(text);
  EXPECT_EQ(statistics.l1.accesses, 2U);
}

}  // namespace small_kernels_test
}  // namespace flagstone::microbenchmark
