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

}  // namespace functional_control_test
}  // namespace flagstone
