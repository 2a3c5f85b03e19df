// Divergence and reconvergence: the order in which a warp's lanes issue, and loops, breaks and
// returns that depend on the lane.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/single_block.h"

namespace flagstone {
namespace control_test {

using Issues = std::vector<std::pair<uint32_t, LaneMask>>;
constexpr LaneMask kAll = 0xffffffffU;

// 32 threads, each writing one number.
std::vector<uint32_t> Results(const std::string& body) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 out",
                                     "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                                     "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\n" +
                                         body));
  run.Buffer("out", std::vector<uint32_t>(32)).Run();
  return run.Contents<uint32_t>("out");
}

TEST(Divergence, RunsTheFallThroughFirstAndMeetsAtThePostDominator) {
  KernelRun run = KernelRun::FromText(KernelText("",
                                                 "mov.u32 %r1, %laneid;\n"       // 0
                                                 "setp.lt.u32 %p1, %r1, 8;\n"    // 1
                                                 "@%p1 bra THEN;\n"              // 2
                                                 "mov.u32 %r2, 1;\n"             // 3
                                                 "bra.uni JOIN;\n"               // 4
                                                 "THEN: mov.u32 %r2, 2;\n"       // 5
                                                 "JOIN: add.u32 %r2, %r2, 1;\n"  // 6
                                                 "ret;"));                       // 7
  EXPECT_EQ(Trace(run), (Issues{{0, kAll},
                                {1, kAll},
                                {2, kAll},
                                {3, ~0xffU},
                                {4, ~0xffU},
                                {5, 0xff},
                                {6, kAll},
                                {7, kAll}}));
}

TEST(Divergence, OfASkippedBlockRunsOnlyTheLanesThatEnterIt) {
  KernelRun run = KernelRun::FromText(KernelText("",
                                                 "mov.u32 %r1, %laneid;\n"
                                                 "setp.lt.u32 %p1, %r1, 8;\n"
                                                 "@%p1 bra JOIN;\n"
                                                 "mov.u32 %r2, 1;\n"
                                                 "JOIN: ret;"));
  EXPECT_EQ(Trace(run), (Issues{{0, kAll}, {1, kAll}, {2, kAll}, {3, ~0xffU}, {4, kAll}}));
}

TEST(Divergence, DoesNotHappenWhenAllLanesAgree) {
  KernelRun run = KernelRun::FromText(KernelText("",
                                                 "mov.u32 %r1, %ntid.x;\n"
                                                 "setp.eq.u32 %p1, %r1, 32;\n"
                                                 "@!%p1 bra END;\n"
                                                 "@%p1 bra END;\n"
                                                 "mov.u32 %r2, 1;\n"
                                                 "END: ret;"));
  EXPECT_EQ(Trace(run), (Issues{{0, kAll}, {1, kAll}, {2, kAll}, {3, kAll}, {5, kAll}}));
}

TEST(Divergence, NestsAndMeetsFromTheInsideOut) {
  KernelRun run = KernelRun::FromText(KernelText("",
                                                 "mov.u32 %r1, %laneid;\n"      // 0
                                                 "setp.lt.u32 %p1, %r1, 16;\n"  // 1
                                                 "setp.lt.u32 %p2, %r1, 4;\n"   // 2
                                                 "@!%p1 bra OUTER;\n"           // 3
                                                 "@!%p2 bra INNER;\n"           // 4
                                                 "mov.u32 %r2, 1;\n"            // 5
                                                 "INNER: mov.u32 %r2, 2;\n"     // 6
                                                 "OUTER: ret;"));               // 7
  EXPECT_EQ(Trace(run), (Issues{{0, kAll},
                                {1, kAll},
                                {2, kAll},
                                {3, kAll},
                                {4, 0xffff},
                                {5, 0xf},
                                {6, 0xffff},
                                {7, kAll}}));
}

TEST(Loop, RunsEachLaneItsOwnNumberOfTimes) {
  const auto got = Results(
      "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
      "LOOP: add.u32 %r2, %r2, %r3;\nadd.u32 %r3, %r3, 1;\n"
      "setp.le.u32 %p1, %r3, %r1;\n@%p1 bra LOOP;\n"
      "st.global.u32 [%rd1], %r2;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], i * (i + 1) / 2);
}

TEST(Loop, NestsWithLaneDependentBounds) {
  const auto got = Results(
      "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
      "OUTER: setp.ge.u32 %p1, %r3, %r1;\n@%p1 bra DONE;\nmov.u32 %r4, 0;\n"
      "INNER: setp.ge.u32 %p2, %r4, %r3;\n@%p2 bra NEXT;\n"
      "mad.lo.u32 %r2, %r3, %r4, %r2;\nadd.u32 %r4, %r4, 1;\n"
      "bra.uni INNER;\n"
      "NEXT: add.u32 %r3, %r3, 1;\nbra.uni OUTER;\n"
      "DONE: st.global.u32 [%rd1], %r2;\nret;");
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t sum = 0;
    for (uint32_t j = 0; j < i; ++j) {
      for (uint32_t k = 0; k < j; ++k) sum += j * k;
    }
    EXPECT_EQ(got[i], sum) << i;
  }
}

TEST(Loop, BreaksAndContinues) {
  // Sums odd numbers below 100 until the sum passes 10 * lane.
  const auto got = Results(
      "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmul.lo.u32 %r5, %r1, 10;\n"
      "LOOP: add.u32 %r3, %r3, 1;\nsetp.gt.u32 %p1, %r3, 99;\n"
      "@%p1 bra DONE;\nand.b32 %r4, %r3, 1;\nsetp.eq.u32 %p2, %r4, 0;\n"
      "@%p2 bra LOOP;\nadd.u32 %r2, %r2, %r3;\n"
      "setp.gt.u32 %p3, %r2, %r5;\n@%p3 bra DONE;\nbra.uni LOOP;\n"
      "DONE: st.global.u32 [%rd1], %r2;\nret;");
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t sum = 0;
    for (uint32_t j = 1; j < 100 && sum <= 10 * i; j += 2) sum += j;
    EXPECT_EQ(got[i], sum) << i;
  }
}

TEST(Loop, LosesItsLanesOneByOne) {
  // A lane leaves every 300 iterations, and all iterations diverge inside.
  const auto got = Results(
      "mov.u32 %r2, 0;\nmul.lo.u32 %r3, %r1, 300;\n"
      "LOOP: add.u32 %r2, %r2, 1;\nsetp.gt.u32 %p1, %r2, %r3;\n"
      "@%p1 bra DONE;\nand.b32 %r4, %r2, %r1;\nsetp.eq.u32 %p2, %r4, 0;\n"
      "@%p2 bra LOOP;\nadd.u32 %r5, %r5, 1;\nbra.uni LOOP;\n"
      "DONE: st.global.u32 [%rd1], %r2;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], 300 * i + 1);
}

TEST(Loop, OfATreeOfBranchesKeepsEveryLaneApart) {
  // Five nested branches on the bits of the lane: every lane ends up alone, then all meet.
  std::string body = "mov.u32 %r2, 0;\n";
  const auto tree = [&](const auto& self, int bit, const std::string& path) -> void {
    if (bit == 5) {
      body += "add.u32 %r2, %r2, 1;\nmad.lo.u32 %r2, %r1, 100, %r2;\n";
      return;
    }
    body += "bfe.u32 %r3, %r1, " + std::to_string(bit) + ", 1;\nsetp.eq.u32 %p1, %r3, 1;\n";
    body += "@%p1 bra ONE" + path + ";\n";
    self(self, bit + 1, path + "0");
    body += "bra.uni JOIN" + path + ";\nONE" + path + ":\n";
    self(self, bit + 1, path + "1");
    body += "JOIN" + path + ":\nadd.u32 %r2, %r2, 7;\n";
  };
  tree(tree, 0, "_");
  const auto got = Results(body + "st.global.u32 [%rd1], %r2;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], 100 * i + 1 + 5 * 7);
}

TEST(Exit, OfSomeLanesLeavesTheOthersRunning) {
  const auto got = Results(
      "setp.lt.u32 %p1, %r1, 5;\n@%p1 ret;\nst.global.u32 [%rd1], 1;\n"
      "setp.gt.u32 %p1, %r1, 20;\n@!%p1 bra END;\nexit;\n"
      "END: st.global.u32 [%rd1], 2;\nret;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], i < 5 ? 0U : i > 20 ? 1U : 2U) << i;
}

TEST(Exit, HappensAtTheEndOfTheKernelWithoutRet) {
  const auto got = Results(
      "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra END;\nst.global.u32 [%rd1], 1;\n"
      "END: st.global.u32 [%rd1+0], 9;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(got[i], 9U);
}

TEST(Counts, ABranchThatIsNotTakenCountsForNoLane) {
  KernelRun run = KernelRun::FromText(KernelText("",
                                                 "setp.eq.u32 %p1, 0, 1;\n"
                                                 "@%p1 bra END;\n"
                                                 "mov.u32 %r1, %laneid;\n"
                                                 "setp.lt.u32 %p1, %r1, 3;\n"
                                                 "@%p1 mov.u32 %r1, 5;\n"
                                                 "END: ret;"));
  const FunctionalCounts counts = run.Run();
  EXPECT_EQ(counts.warp_instructions, 6U);
  EXPECT_EQ(counts.thread_instructions, 32U + 0 + 32 + 32 + 3 + 32);
}

TEST(Counts, APartialWarpHasItsOwnLanesOnly) {
  KernelRun run =
      KernelRun::FromText(KernelText("", "mov.u32 %r1, 1;\nret;"), {2, 1, 1}, {40, 1, 1});
  const FunctionalCounts counts = run.Run();
  EXPECT_EQ(counts.warp_instructions, 2U * 2 * 2);
  EXPECT_EQ(counts.thread_instructions, 2U * 2 * 40);
}

}  // namespace control_test
}  // namespace flagstone
