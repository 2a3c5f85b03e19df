// Execution without timing can be limited, watched and stopped.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace functional_control_test {

KernelRun Spinning() {
  return KernelRun::FromText(KernelText("", "LOOP: bra LOOP;\nret;"), {2, 1, 1});
}

TEST(FunctionalControl, StopsAtTheLimitAndSaysWhere) {
  FunctionalControl control;
  control.max_warp_instructions = 10'000;
  KernelRun run = Spinning();
  EXPECT_EQ(
      MessageOf(ErrorKind::kRunFailed, [&] { run.Run(nullptr, nullptr, control); }),
      "limit of 10000 warp instructions reached after 0 of 2 TBs: warp 0 of TB (0,0,0) is before "
      "test.ptx:13: bra LOOP");
}

TEST(FunctionalControl, LeavesALaunchBelowTheLimitAlone) {
  FunctionalControl control;
  control.max_warp_instructions = 5;
  KernelRun run = KernelRun::FromText(KernelText("", "mov.u32 %r1, 0;\nret;"), {2, 1, 1});
  const FunctionalCounts counts = run.Run(nullptr, nullptr, control);
  EXPECT_EQ(counts.warp_instructions, 4U);
  EXPECT_EQ(counts.tbs, 2U);
  EXPECT_FALSE(counts.interrupted);
}

TEST(FunctionalControl, EndsEarlyWhenInterruptedAndReportsOnTheWay) {
  std::atomic<bool> interrupted = false;
  std::vector<uint64_t> reports;
  FunctionalControl control;
  control.interrupted = &interrupted;
  control.progress = [&](const FunctionalCounts& so_far) {
    reports.push_back(so_far.warp_instructions);
    interrupted = reports.size() == 3;
  };
  KernelRun run = Spinning();
  const FunctionalCounts counts = run.Run(nullptr, nullptr, control);
  EXPECT_TRUE(counts.interrupted);
  EXPECT_EQ(counts.tbs, 0U);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_GE(reports[2], reports[0] + 8'000'000);
  EXPECT_EQ(counts.warp_instructions, reports[2]);
}

TEST(FunctionalControl, StepsNoFurtherThanTheLimit) {
  uint64_t steps = 0;
  FunctionalControl control;
  control.max_warp_instructions = 10'000;  // of turns of 4096
  KernelRun run = Spinning();
  MessageOf(ErrorKind::kRunFailed, [&] {
    run.Run([](void* context, uint64_t, uint32_t,
               const StepResult&) { ++*static_cast<uint64_t*>(context); },
            &steps, control);
  });
  EXPECT_EQ(steps, 10'000U);
}

TEST(FunctionalControl, ReportsAsSoonAsFourMillionInstructionsAreOver) {
  std::atomic<bool> interrupted = false;
  FunctionalControl control;
  control.turn = 2'000'000;
  control.interrupted = &interrupted;
  control.progress = [&](const FunctionalCounts&) { interrupted = true; };
  KernelRun run = Spinning();
  EXPECT_EQ(run.Run(nullptr, nullptr, control).warp_instructions, 4'000'000U);
}

TEST(FunctionalControl, TakesTurnsOfOneInstructionWarpByWarp) {
  FunctionalControl control;
  control.turn = 1;
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out", "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], 5;\nret;"),
      {2, 1, 1}, {64, 1, 1});
  std::vector<uint32_t> warps;
  const FunctionalCounts counts =
      run.Buffer("out", std::vector<uint32_t>(1))
          .Run(
              [](void* context, uint64_t, uint32_t warp, const StepResult&) {
                static_cast<std::vector<uint32_t>*>(context)->push_back(warp);
              },
              &warps, control);
  EXPECT_EQ(warps, (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(counts.warp_instructions, 12U);
  EXPECT_EQ(run.Contents<uint32_t>("out")[0], 5U);
}

TEST(FunctionalControl, NamesTheWarpsThatWaitInADeadlock) {
  // Warp 1 has ended.
  KernelRun run =
      KernelRun::FromText(KernelText("",
                                     "mov.u32 %r1, %warpid;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 exit;\n"
                                     "bar.sync 2, 96;\nret;"),
                          {1, 1, 1}, {96, 1, 1});
  EXPECT_EQ(MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); }),
            "deadlock in TB (0,0,0): all live warps wait at barriers: warp 0 before test.ptx:17: "
            "ret, warp 2 before test.ptx:17: ret");
}

}  // namespace functional_control_test
}  // namespace flagstone
