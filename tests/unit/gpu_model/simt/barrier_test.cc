// bar.sync and bar.arrive: who waits for whom, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/single_block.h"

namespace flagstone {
namespace barrier_test {

TEST(Barrier, MakesSharedMemoryVisibleToTheOtherWarps) {
  // Thread i reads what thread 127 - i, of another warp, wrote.
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 ".shared .align 4 .b8 tile[512];\nld.param.u64 %rd1, [out];\n"
                 "mov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 4, %r2;\n"
                 "mul.lo.u32 %r4, %r1, %r1;\nst.shared.u32 [%r3], %r4;\nbar.sync 0;\n"
                 "sub.u32 %r5, 127, %r1;\nmad.lo.u32 %r5, %r5, 4, %r2;\n"
                 "ld.shared.u32 %r6, [%r5];\nmul.wide.u32 %rd2, %r1, 4;\n"
                 "add.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r6;\nret;"),
      {1, 1, 1}, {128, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(128)).Run();
  const auto got = run.Contents<uint32_t>("out");
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(got[i], (127 - i) * (127 - i));
}

TEST(Barrier, HoldsAWarpUntilTheLastOneArrives) {
  KernelRun run = KernelRun::FromText(KernelText("", "bar.sync 0;\nret;"), {1, 1, 1}, {96, 1, 1});
  SingleBlock single(run);
  for (const uint32_t warp : {0U, 2U}) {
    const StepResult result = single.Step(warp);
    EXPECT_TRUE(result.barrier);
    EXPECT_FALSE(result.barrier_released);
    EXPECT_TRUE(single.block.at_barrier(warp));
    EXPECT_EQ(single.block.pc(warp), 1U);
  }
  const StepResult last = single.Step(1);
  EXPECT_TRUE(last.barrier);
  EXPECT_TRUE(last.barrier_released);
  for (uint32_t warp = 0; warp < 3; ++warp) EXPECT_FALSE(single.block.at_barrier(warp));
}

TEST(Barrier, CountsAnExitedWarpAsArrived) {
  KernelRun run =
      KernelRun::FromText(KernelText("",
                                     "mov.u32 %r1, %warpid;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 exit;\n"
                                     "bar.sync 0;\nret;"),
                          {1, 1, 1}, {64, 1, 1});
  SingleBlock single(run);
  for (int i = 0; i < 4; ++i) single.Step(0);
  EXPECT_TRUE(single.block.at_barrier(0));
  single.Step(1);
  single.Step(1);
  const StepResult exit = single.Step(1);
  EXPECT_TRUE(exit.exited);
  EXPECT_TRUE(exit.barrier_released);
  EXPECT_FALSE(single.block.at_barrier(0));
  EXPECT_TRUE(single.Step(0).exited);
  EXPECT_TRUE(single.block.Finished());
}

TEST(Barrier, IsReachedByTheLiveLanesOfAWarpAfterOthersExited) {
  KernelRun run = KernelRun::FromText(
      KernelText("",
                 "mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 30;\n@%p1 exit;\n"
                 "bar.sync 0;\nret;"),
      {1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(run.Run().warp_instructions, 10U);
}

TEST(Barrier, WithAThreadCountWaitsForThatManyWarps) {
  // Warps 0 and 1 meet at barrier 3; warp 2 goes its own way.
  KernelRun run = KernelRun::FromText(
      KernelText("",
                 "mov.u32 %r1, %warpid;\nsetp.eq.u32 %p1, %r1, 2;\n@%p1 bra END;\n"
                 "bar.sync 3, 64;\nEND: ret;"),
      {1, 1, 1}, {96, 1, 1});
  SingleBlock single(run);
  for (const uint32_t warp : {0U, 1U}) {
    for (int i = 0; i < 3; ++i) single.Step(warp);
  }
  EXPECT_FALSE(single.Step(0).barrier_released);
  EXPECT_TRUE(single.block.at_barrier(0));
  EXPECT_TRUE(single.Step(1).barrier_released);
  EXPECT_FALSE(single.block.at_barrier(0));
}

TEST(Barrier, ArriveDoesNotWait) {
  // Warp 1 consumes what warp 0 produced: warp 0 only arrives.
  KernelRun run = KernelRun::FromText(
      KernelText("",
                 "mov.u32 %r1, %warpid;\nsetp.eq.u32 %p1, %r1, 1;\n@%p1 bra CONSUMER;\n"
                 "bar.arrive 1, 64;\nret;\nCONSUMER: bar.sync 1, 64;\nret;"),
      {1, 1, 1}, {64, 1, 1});
  SingleBlock single(run);
  for (int i = 0; i < 4; ++i) single.Step(1);
  EXPECT_TRUE(single.block.at_barrier(1));
  for (int i = 0; i < 3; ++i) single.Step(0);
  const StepResult arrival = single.Step(0);
  EXPECT_FALSE(arrival.barrier);
  EXPECT_TRUE(arrival.barrier_released);
  EXPECT_FALSE(single.block.at_barrier(0));
  EXPECT_FALSE(single.block.at_barrier(1));
}

TEST(Barrier, ThatNobodyCompletesIsADeadlockThatSaysWhoWaits) {
  KernelRun run = KernelRun::FromText(KernelText("", "bar.sync 1, 64;\nret;"));
  EXPECT_EQ(MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); }),
            "deadlock in TB (0,0,0): all live warps wait at barriers: warp 0 before "
            "test.ptx:14: ret");
}

TEST(Barrier, NumbersEndAt15AndCountsAreWholeWarps) {
  KernelRun beyond = KernelRun::FromText(KernelText("", "mov.u32 %r1, 16;\nbar.sync %r1;\nret;"));
  EXPECT_EQ(MessageOf(ErrorKind::kRunFailed, [&] { beyond.Run(); }),
            "test.ptx:14: barrier 16, expected 0 to 15, by warp 0 of TB (0,0,0): bar.sync %r1");
  KernelRun odd = KernelRun::FromText(KernelText("", "bar.sync 1, 40;\nret;"));
  EXPECT_EQ(MessageOf(ErrorKind::kRunFailed, [&] { odd.Run(); }),
            "test.ptx:13: barrier for 40 threads, expected a multiple of 32, by warp 0 of TB "
            "(0,0,0): bar.sync 1, 40");
}

// Each warp hands in its threads' predicates, in its own round of the barrier, and all get the same
// answer, even one that waits at another bar.red of the same barrier.
TEST(BarrierReduction, TellsEveryThreadWhatHoldsInTheTb) {
  // Threads below `bound` hold; the warps 2 and 3 ask by another instruction.
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out, .param .u32 bound",
                 "ld.param.u64 %rd1, [out];\nld.param.u32 %r9, [bound];\nmov.u32 %r1, %tid.x;\n"
                 "setp.lt.u32 %p1, %r1, %r9;\nsetp.lt.u32 %p2, %r1, 64;\n"
                 "@!%p2 bra UPPER;\n"
                 "bar.red.popc.u32 %r2, 3, %p1;\nbar.red.and.pred %p3, 0, %p1;\n"
                 "barrier.red.or.pred %p4, 0, 128, !%p1;\nbra JOIN;\nUPPER:\n"
                 "bar.red.popc.u32 %r2, 3, 128, %p1;\nbar.red.and.pred %p3, 0, %p1;\n"
                 "barrier.red.or.pred %p4, 0, 128, !%p1;\nJOIN:\n"
                 "selp.u32 %r3, 1000, 0, %p3;\nselp.u32 %r4, 2000, 0, %p4;\n"
                 "add.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\n"
                 "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
                 "st.global.u32 [%rd1], %r2;\nret;"),
      {1, 1, 1}, {128, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(128)).Scalar(uint32_t{100}).Run();
  for (const uint32_t got : run.Contents<uint32_t>("out")) EXPECT_EQ(got, 100 + 2000U);
}

TEST(BarrierReduction, OfAllThreadsHoldingIsTrueForAndAndFalseForTheNegatedOr) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 out",
                                     "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                                     "setp.lt.u32 %p1, %r1, 64;\nbar.red.and.pred %p3, 0, %p1;\n"
                                     "bar.red.or.pred %p4, 0, !%p1;\nselp.u32 %r3, 1, 0, %p3;\n"
                                     "selp.u32 %r4, 2, 0, %p4;\nadd.u32 %r2, %r3, %r4;\n"
                                     "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
                                     "st.global.u32 [%rd1], %r2;\nret;"),
                          {1, 1, 1}, {64, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(64)).Run();
  for (const uint32_t got : run.Contents<uint32_t>("out")) EXPECT_EQ(got, 1U);
}

TEST(BarrierReduction, IsCompletedByTheExitOfTheLastWarpThatDoesNotArrive) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out",
                 "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.pred %p1, 1;\n"
                 "setp.ge.u32 %p2, %r1, 32;\n@%p2 exit;\n"
                 "bar.red.popc.u32 %r2, 0, %p1;\nst.global.u32 [%rd1], %r2;\nret;"),
      {1, 1, 1}, {64, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(1)).Run();
  EXPECT_EQ(run.Contents<uint32_t>("out")[0], 32U);
}

}  // namespace barrier_test
}  // namespace flagstone
