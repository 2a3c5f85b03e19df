// Barriers in a warp of which some threads have exited, are about to, or are elsewhere.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/single_block.h"

namespace flagstone {
namespace partial_barrier_test {

// Each thread of two warps leaves its id in shared memory and takes that of its neighbour in the
// other warp, unless `before` made it leave: then its element of "out" stays 0.
std::string Exchange(const std::string& before, const std::string& after = "LEAVE: ret;") {
  return KernelText(
      ".param .u64 out",
      ".shared .align 4 .b8 tile[256];\nmov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nmov.u32 %r2, tile;\n"
      "mad.lo.u32 %r3, %r1, 4, %r2;\n" +
          before +
          "st.shared.u32 [%r3], %r1;\n"
          "bar.sync 0;\nxor.b32 %r4, %r1, 32;\nmad.lo.u32 %r4, %r4, 4, %r2;\n"
          "ld.shared.u32 %r5, [%r4];\nst.global.u32 [%rd1], %r5;\n" +
          after);
}

std::vector<uint32_t> ResultOf(const std::string& text, uint64_t* warp_instructions = nullptr) {
  KernelRun run = KernelRun::FromText(text, {1, 1, 1}, {64, 1, 1});
  const FunctionalCounts counts = run.Buffer("out", std::vector<uint32_t>(64)).Run();
  if (warp_instructions != nullptr) *warp_instructions = counts.warp_instructions;
  return run.Contents<uint32_t>("out");
}

// Threads from `stay` on have left before the exchange.
void ExpectExchanged(const std::vector<uint32_t>& got, uint32_t stay) {
  for (uint32_t i = 0; i < stay; ++i) EXPECT_EQ(got[i], (i ^ 32) < stay ? i ^ 32 : 0) << i;
}

constexpr char kIsOut[] = "setp.ge.u32 %p1, %r1, 50;\n";

TEST(PartialBarrier, DoesNotWaitForLanesThatStandBeforeTheirExit) {
  // "if (i >= n) return;" as compilers write it: a branch to the return that all paths share.
  uint64_t instructions = 0;
  const auto got = ResultOf(Exchange(std::string(kIsOut) + "@%p1 bra LEAVE;\n"), &instructions);
  ExpectExchanged(got, 50);
  for (uint32_t i = 50; i < 64; ++i) EXPECT_EQ(got[i], 0U) << i;
  EXPECT_EQ(instructions, 2 * 15U) << "each instruction is issued once by each warp";
}

TEST(PartialBarrier, FollowsTheBranchesThatLeadToAnExit) {
  ExpectExchanged(ResultOf(Exchange(std::string(kIsOut) + "@%p1 bra OUT;\n",
                                    "OUT: bra FURTHER;\nFURTHER: bra.uni LEAVE;\nLEAVE: exit;")),
                  50);
}

TEST(PartialBarrier, LetsTheLanesThatLeaveRunFirstWhereTheyStillHaveWork) {
  const auto got =
      ResultOf(Exchange(std::string(kIsOut) + "@%p1 bra MARK;\n",
                        "ret;\nMARK: mov.u32 %r6, 7;\nst.global.u32 [%rd1], %r6;\nret;"));
  ExpectExchanged(got, 50);
  for (uint32_t i = 50; i < 64; ++i) EXPECT_EQ(got[i], 7U) << i;
}

TEST(PartialBarrier, BringsPathsTogetherThatAnExitInOneOfThemKeptApart) {
  // Lanes 8 and up go through a part that some of them leave in: the paths meet at the barrier,
  // but post-dominators only know the end of the kernel.
  const auto got = ResultOf(
      Exchange(std::string(kIsOut) + "setp.lt.u32 %p2, %r1, 8;\n@%p2 bra GO;\n@%p1 ret;\nGO:\n"));
  ExpectExchanged(got, 50);
}

TEST(PartialBarrier, WorksInALoopThatLanesLeaveOneByOne) {
  // Thread i goes round i % 32 + 1 times; each round has a barrier.
  const std::string text =
      KernelText(".param .u64 out",
                 "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\n"
                 "add.s64 %rd1, %rd1, %rd2;\nand.b32 %r2, %r1, 31;\nmov.u32 %r3, 0;\n"
                 "LOOP: bar.sync 0;\nadd.u32 %r3, %r3, 1;\nst.global.u32 [%rd1], %r3;\n"
                 "setp.gt.u32 %p1, %r3, %r2;\n@%p1 bra DONE;\nbra LOOP;\nDONE: ret;");
  const auto got = ResultOf(text);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got[i], i % 32 + 1) << i;
}

TEST(PartialBarrier, CountsInAReductionOnlyThoseThatArrive) {
  const std::string text = KernelText(
      ".param .u64 out",
      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd1, %rd1, %rd2;\nsetp.ge.u32 %p1, %r1, 50;\n@%p1 bra LEAVE;\n"
      "setp.ge.u32 %p2, %r1, 10;\nbar.red.popc.u32 %r3, 0, %p2;\nst.global.u32 [%rd1], %r3;\n"
      "LEAVE: ret;");
  const auto got = ResultOf(text);
  for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(got[i], i < 50 ? 40U : 0U) << i;
}

TEST(PartialBarrier, ExecutesNoLaneUntilTheOthersHaveCome) {
  // Lanes 0 to 7 still have work on their own path when the others come to the barrier.
  KernelRun run = KernelRun::FromText(
      KernelText("",
                 "mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra WORK;\n"
                 "bar.sync 0;\nret;\nWORK: mov.u32 %r2, 1;\nret;"));
  SingleBlock single(run);
  std::vector<LaneMask> arrivals;
  while (!single.block.exited(0)) {
    const StepResult result = single.Step();
    if (result.pc == 3) arrivals.push_back(result.executed);
  }
  EXPECT_EQ(arrivals, (std::vector<LaneMask>{0, 0xffffff00}));
  EXPECT_EQ(single.executor.warp_instructions(), 8U);
  EXPECT_EQ(single.executor.thread_instructions(), 2 * 32U + 3 * 8 + 2 * 24);
}

std::string Fault(const std::string& body) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out", "mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 8;\n" + body));
  run.Buffer("out", std::vector<uint32_t>(1));
  return MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
}

TEST(PartialBarrier, IsAFaultWhereTheOthersWaitToGoOnTogether) {
  EXPECT_EQ(Fault("@%p1 bra SKIP;\nbar.sync 0;\nSKIP: ld.param.u64 %rd1, [out];\n"
                  "st.global.u32 [%rd1], %r1;\nret;"),
            "test.ptx:16: divergent barrier: 24 of 32 live threads of warp 0 arrived, thread "
            "(0,0,0) of TB (0,0,0) did not: bar.sync 0");
}

TEST(PartialBarrier, IsAFaultWhereTheOthersWaitAtAnother) {
  EXPECT_EQ(Fault("@%p1 bra OTHER;\nbar.sync 0;\nret;\nOTHER: bar.sync 1;\nret;"),
            "test.ptx:16: divergent barrier: 24 of 32 live threads of warp 0 arrived, thread "
            "(0,0,0) of TB (0,0,0) did not: bar.sync 0");
}

TEST(PartialBarrier, IsAFaultWhereAGuardHoldsForSomeLanesOnly) {
  EXPECT_EQ(Fault("@%p1 bar.sync 0;\nret;"),
            "test.ptx:15: divergent barrier: 8 of 32 live threads of warp 0 arrived, thread "
            "(8,0,0) of TB (0,0,0) did not: @%p1 bar.sync 0");
}

}  // namespace partial_barrier_test
}  // namespace flagstone
