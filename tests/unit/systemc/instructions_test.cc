// Instructions whose lanes or warps depend on each other, in the machine with time: results are
// those of functional execution, and no warp is lost.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "systemc/simulation.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace instructions_test {

constexpr uint32_t kTbs = 6;
constexpr uint32_t kThreads = 128;

KernelRun Make(const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 4 .b8 tile[512];\nld.param.u64 %rd1, [out];\n"
                 "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %laneid;\n"
                 "mov.u32 %r9, %ntid.x;\nmad.lo.u32 %r4, %r2, %r9, %r1;\n"
                 "mul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n" +
                     body + "\nst.global.u32 [%rd3], %r10;\nret;"),
      {kTbs, 1, 1}, {kThreads, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(kTbs * kThreads));
  return run;
}

// The body leaves its result in %r10.
LaunchStatistics AgreesWithFunctionalExecution(const std::string& body) {
  KernelRun functional = Make(body);
  const FunctionalCounts counts = functional.Run();
  const auto expected = functional.Contents<uint32_t>("out");
  KernelRun timed = Make(body);
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  options.max_cycles = 1'000'000;
  LaunchRequest request;
  request.launch = &timed.launch();
  request.memory = &timed.memory();
  const LaunchStatistics statistics = Simulate(options, request).launch.statistics;
  EXPECT_EQ(timed.Contents<uint32_t>("out"), expected);
  EXPECT_EQ(statistics.warp_instructions, counts.warp_instructions);
  EXPECT_EQ(statistics.thread_instructions, counts.thread_instructions);
  EXPECT_EQ(statistics.tb.completed, kTbs);
  return statistics;
}

TEST(TimedInstructions, ExchangeBetweenLanesFollowsADivergentBranch) {
  AgreesWithFunctionalExecution(
      "mad.lo.u32 %r10, %r4, 2654435761, %r2;\n"
      "shfl.sync.bfly.b32 %r11|%p1, %r10, 5, 31, -1;\nadd.u32 %r10, %r10, %r11;\n"
      "setp.lt.u32 %p2, %r3, 12;\nvote.sync.ballot.b32 %r12, %p2, -1;\n"
      "@%p2 bra LOW;\nshfl.sync.up.b32 %r11, %r10, 3, 0, -1;\nactivemask.b32 %r13;\n"
      "bra JOIN;\nLOW:\nshfl.sync.idx.b32 %r11, %r10, 20, 31, -1;\nmatch.any.sync.b32 %r13, %r2, "
      "-1;\n"
      "JOIN:\nxor.b32 %r10, %r11, %r12;\nadd.u32 %r10, %r10, %r13;");
}

TEST(TimedInstructions, BarrierReductionsReachEveryWarpOfTheTb) {
  const LaunchStatistics statistics = AgreesWithFunctionalExecution(
      "and.b32 %r11, %r4, 3;\nsetp.eq.u32 %p1, %r11, 1;\nbar.red.popc.u32 %r10, 1, %p1;\n"
      "setp.lt.u32 %p2, %r1, 200;\nbar.red.and.pred %p3, 2, 128, %p2;\n"
      "@%p3 add.u32 %r10, %r10, 1000;\nbarrier.red.or.pred %p4, 1, !%p2;\n"
      "@%p4 add.u32 %r10, %r10, 10000;");
  EXPECT_GT(statistics.cycles, 0U);
}

// Threads read every other texel: the L1 sees all their lines.
TEST(TimedInstructions, TexturesAreReadThroughTheL1) {
  const auto run_on = [](KernelRun& run) {
    Texture texture;
    texture.name = "image";
    texture.width = 2 * kTbs * kThreads;
    std::vector<float> texels(texture.width);
    for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(3 * i);
    run.WithTexture(texture, texels);
  };
  const std::string text = KernelText(
      ".param .u64 out",
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
      "mad.lo.u32 %r4, %r2, 128, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "shl.b32 %r5, %r4, 1;\ntex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, {%r5}];\n"
      "add.f32 %f1, %f1, 0f3F800000;\nst.global.f32 [%rd3], %f1;\nret;",
      ".global .texref image;");
  KernelRun run = KernelRun::FromText(text, {kTbs, 1, 1}, {kThreads, 1, 1});
  run.Buffer("out", std::vector<float>(kTbs * kThreads));
  run_on(run);
  SimulateOptions options;
  options.machine = MachineConfig::Load("tiny", {});
  options.engine = Engine::kModel;
  LaunchRequest request;
  request.launch = &run.launch();
  request.memory = &run.memory();
  const LaunchStatistics statistics = Simulate(options, request).launch.statistics;
  const auto out = run.Contents<float>("out");
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<float>(6 * i + 1));
  // A warp's 32 texels lie in two lines of 128 bytes, its results in one.
  EXPECT_EQ(statistics.l1.hits + statistics.l1.mshr_hits + statistics.l1.misses, kTbs * 4 * 3U);
}

TEST(TimedInstructions, FencesAndSleepsOnlyTakeTime) {
  const std::string end = "mul.lo.u32 %r10, %r4, 3;";
  const LaunchStatistics without = AgreesWithFunctionalExecution(end);
  const LaunchStatistics with = AgreesWithFunctionalExecution(
      "membar.gl;\nfence.acq_rel.gpu;\nfence.sc.cta;\nnanosleep.u32 100;\nbrkpt;\n"
      "prefetch.global.L2 [%rd3];\nbar.warp.sync -1;\n" +
      end);
  EXPECT_GT(with.cycles, without.cycles);
}

}  // namespace instructions_test
}  // namespace flagstone
