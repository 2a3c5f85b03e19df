// The coalescing rule on small kernels whose answer can be worked out by hand.
#include "analyzer/coalescing/coalescing.h"

#include <gtest/gtest.h>

#include "analyzer/coalescing/coalescing_dump.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace coalescing_test {

// Loads a[%r10] of 4 bytes each.
std::string LoadAtR10(const std::string& index) {
  return index +
         "  mul.wide.s32 %rd10, %r10, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
         "  ld.global.f32 %f1, [%rd11];\n  ret;\n";
}

CoalescingMeasures MeasureKernel(const std::string& body, Dim3 grid, Dim3 block, uint32_t n = 0) {
  const KernelUnderAnalysis kernel(body, grid, block, n);
  return Measure(AnalyzeCoalescing(kernel.Analyze(), kernel.launch()));
}

struct Micro {
  const char* name;
  const char* index;
  double degree;
  uint32_t sectors;
  double expectation;
  double per_request;
};

// Kim et al., Table 3, its four baseline kernels; Table 2: 32 TBs of 64 threads.
class Baseline : public testing::TestWithParam<Micro> {};

TEST_P(Baseline, HasTheDegreeSectorsAndExpectationOfThePaper) {
  const Micro& micro = GetParam();
  const CoalescingMeasures m = MeasureKernel(LoadAtR10(micro.index), {32, 1, 1}, {64, 1, 1});
  ASSERT_TRUE(m.degree && m.sector_expectation && m.sectors_per_request);
  EXPECT_DOUBLE_EQ(*m.degree, micro.degree);
  EXPECT_EQ(m.sectors_in_range, micro.sectors);
  EXPECT_DOUBLE_EQ(*m.sector_expectation, micro.expectation);
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, micro.per_request);
}

INSTANTIATE_TEST_SUITE_P(
    OfTable3, Baseline,
    testing::Values(Micro{"stride_32", "  shl.b32 %r10, %r6, 5;\n", 1.0 / 32, 1, 32, 32},
                    Micro{"stride_4", "  shl.b32 %r10, %r6, 2;\n", 0.25, 4, 16, 16},
                    Micro{"same_location", "  mov.u32 %r10, 0;\n", 1, 1, 1, 1},
                    Micro{"coalescing", "  mov.u32 %r10, %r6;\n", 1, 4, 4, 4}),
    [](const auto& micro) { return micro.param.name; });

// Kim et al., Figure 9.
TEST(CoalescingGraphOf, TheBaselinesIsTheFigure) {
  const auto graph = [](const char* index) {
    return MeasureKernel(LoadAtR10(index), {32, 1, 1}, {64, 1, 1}).graph;
  };
  EXPECT_EQ(ToString(graph("  shl.b32 %r10, %r6, 5;\n")), "0: 1");
  EXPECT_EQ(ToString(graph("  shl.b32 %r10, %r6, 2;\n")),
            "0: 1, 4: 1, 8: 1, 12: 1, 16: 1, 20: 1, 24: 1, 28: 1");
  EXPECT_EQ(ToString(graph("  mov.u32 %r10, 0;\n")), "0: 32");
  EXPECT_EQ(ToString(graph("  mov.u32 %r10, %r6;\n")), "0-31: 1");
}

TEST(CoalescingRule, StartsTheRangeAtTheFirstThreadsSector) {
  // Bytes 24 to 148: five sectors, and the last five threads lie beyond byte 128.
  const CoalescingMeasures m =
      MeasureKernel(LoadAtR10("  add.s32 %r10, %r6, 6;\n"), {1, 1, 1}, {32, 1, 1});
  EXPECT_DOUBLE_EQ(*m.degree, 26.0 / 32);
  EXPECT_EQ(ToString(m.graph), "6-31: 1");
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, 5);
}

// Of 8 rows with 16 bytes each, side by side or a sector apart.
TEST(CoalescingRule, SeesTheRowsOfMatricesWithElementsBelowAByte) {
  const auto sectors = [](const std::string& load, uint32_t stride) {
    const std::string body = "wmma.load." + load + " {%r10}, [%rd1], %r1;\n  ret;\n";
    return *MeasureKernel(body, {1, 1, 1}, {32, 1, 1}, stride).sectors_per_request;
  };
  EXPECT_DOUBLE_EQ(sectors("a.sync.aligned.row.m8n8k32.global.s4", 32), 4);
  EXPECT_DOUBLE_EQ(sectors("a.sync.aligned.row.m8n8k32.global.s4", 64), 8);
  EXPECT_DOUBLE_EQ(sectors("b.sync.aligned.col.m8n8k128.global.b1", 128), 4);
  EXPECT_DOUBLE_EQ(sectors("b.sync.aligned.col.m8n8k128.global.b1", 256), 8);
}

TEST(CoalescingRule, DoesNotCountThreadsBelowTheFirst) {
  const CoalescingMeasures m =
      MeasureKernel(LoadAtR10("  sub.s32 %r10, 40, %r6;\n"), {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(ToString(m.graph), "0: 1");
  EXPECT_DOUBLE_EQ(*m.degree, 1.0 / 32);
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, 5);  // bytes 36 to 163
}

TEST(CoalescingRule, TakesThreeThreadsOfAWarpAsThree) {
  const CoalescingMeasures m =
      MeasureKernel(LoadAtR10("  shl.b32 %r10, %r6, 4;\n"), {1, 1, 1}, {35, 1, 1});
  // Warp 0: two of 32 (bytes 0, 64); warp 1: two of three.
  EXPECT_DOUBLE_EQ(*m.degree, 4.0 / 35);
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, (32 + 3) / 2.0);
}

TEST(CoalescingRule, CountsASectorForEachThreadOf32Bytes) {
  for (const char* const load : {"ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}",
                                 "ld.global.v4.b64 {%rd12,%rd13,%rd14,%rd15}"}) {
    const std::string body = std::string("mul.wide.s32 %rd10, %r6, 32; add.s64 %rd11, %rd1, ") +
                             "%rd10; " + load + ", [%rd11]; ret;";
    const CoalescingMeasures m = MeasureKernel(body, {2, 1, 1}, {64, 1, 1});
    EXPECT_DOUBLE_EQ(m.sectors_per_request.value(), 32) << load;
  }
}

TEST(CoalescingRule, SetsGuardsAsideAndTheRequestsDoNot) {
  const CoalescingMeasures m = MeasureKernel(
      "  setp.ge.s32 %p1, %r6, %r1;\n  @%p1 ret;\n" + LoadAtR10("  mov.u32 %r10, %r6;\n"),
      {4, 1, 1}, {64, 1, 1}, 100);
  EXPECT_DOUBLE_EQ(*m.degree, 1);
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, (3 * 4 + 1) / 4.0);  // 100 = three warps and 4 threads
}

TEST(CoalescingRule, LooksAtTheFirstIterationAndTheRequestsAtAll) {
  // a[tid + i]: of 8 iterations, one is aligned to sectors.
  const CoalescingMeasures m = MeasureKernel(
      "  mov.u32 %r20, 0;\nL:\n  add.s32 %r10, %r6, %r20;\n  mul.wide.s32 %rd10, %r10, 4;\n"
      "  add.s64 %rd11, %rd1, %rd10;\n  ld.global.f32 %f1, [%rd11];\n  add.s32 %r20, %r20, 1;\n"
      "  setp.lt.s32 %p1, %r20, 8;\n  @%p1 bra L;\n  ret;\n",
      {1, 1, 1}, {32, 1, 1});
  EXPECT_DOUBLE_EQ(*m.degree, 1);
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, (4 + 7 * 5) / 8.0);
}

TEST(CoalescingRule, EvaluatesAddressesThatAreNotAffine) {
  // a[min(tid, 7)] in even threads.
  const CoalescingMeasures m =
      MeasureKernel("  and.b32 %r20, %r3, 1;\n  setp.ne.s32 %p1, %r20, 0;\n  @%p1 ret;\n" +
                        LoadAtR10("  min.s32 %r10, %r3, 7;\n"),
                    {2, 1, 1}, {32, 1, 1});
  EXPECT_EQ(ToString(m.graph), "0-6: 1, 7: 25");
  EXPECT_EQ(m.sectors_in_range, 1U);
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, 1);
}

// A loop of `turns`, whose load no form describes: from lane to lane 4 bytes on, and a jump that
// the remainder of the turn's square decides.
std::string LoadsOfSquares(const std::string& turns) {
  return "  mov.u32 %r11, 0;\nLOOP: mul.lo.s32 %r12, %r11, %r11;\n  rem.s32 %r12, %r12, 7;\n"
         "  mad.lo.s32 %r10, %r12, 64, %r3;\n  mul.wide.s32 %rd10, %r10, 4;\n"
         "  add.s64 %rd11, %rd1, %rd10;\n  ld.global.f32 %f1, [%rd11];\n"
         "  add.s32 %r11, %r11, 1;\n  setp.lt.s32 %p1, %r11, " +
         turns + ";\n  @%p1 bra LOOP;\n  ret;\n";
}

TEST(CoalescingRule, LooksAtSomeWarpsOfATbThatTakesLong) {
  // 32 warps of 4,096 turns: some 30 million instructions.
  const KernelUnderAnalysis kernel(LoadsOfSquares("4096"), {2, 1, 1}, {1024, 1, 1});
  const std::vector<LoadCoalescing> loads = AnalyzeCoalescing(kernel.Analyze(), kernel.launch());
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0].request_problem, "");
  EXPECT_DOUBLE_EQ(loads[0].requests, 2.0 * 32 * 4096);
  EXPECT_DOUBLE_EQ(loads[0].sectors, 4 * loads[0].requests);
}

TEST(CoalescingRule, LeavesOutWhatEvenAWarpTakesTooLongFor) {
  const KernelUnderAnalysis kernel(LoadsOfSquares("1000000"), {2, 1, 1}, {64, 1, 1});
  const std::vector<LoadCoalescing> loads = AnalyzeCoalescing(kernel.Analyze(), kernel.launch());
  EXPECT_EQ(loads.at(0).request_problem, "more than 33554432 instructions to evaluate");
}

TEST(CoalescingRule, LeavesOutWhatDependsOnData) {
  const KernelUnderAnalysis kernel(
      "  mul.wide.s32 %rd10, %r6, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "  ld.global.u32 %r10, [%rd11];\n" +
          LoadAtR10(""),
      {1, 1, 1}, {32, 1, 1});
  const std::vector<LoadCoalescing> loads = AnalyzeCoalescing(kernel.Analyze(), kernel.launch());
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_TRUE(loads[0].problem.empty());
  EXPECT_FALSE(loads[1].problem.empty());
  const CoalescingMeasures m = Measure(loads);
  EXPECT_EQ(m.left_out, 1U);
  EXPECT_DOUBLE_EQ(*m.degree, 1);
}

TEST(Coalescing, OfAKernelWithoutLoadsIsUndefined) {
  const CoalescingMeasures m = MeasureKernel("  ret;\n", {1, 1, 1}, {32, 1, 1});
  EXPECT_FALSE(m.degree || m.sector_expectation || m.sectors_per_request);
}

TEST(Coalescing, OfAHugeGridIsFoundWithoutGoingThroughIt) {
  const CoalescingMeasures m = MeasureKernel(
      "  setp.ge.s32 %p1, %r4, 2000000000;\n  @%p1 ret;\n" + LoadAtR10("  add.s32 %r10, %r3, 1;\n"),
      {2147483647, 1, 1}, {32, 1, 1});
  EXPECT_DOUBLE_EQ(*m.sectors_per_request, 5);
  EXPECT_DOUBLE_EQ(*m.degree, 31.0 / 32);
}

}  // namespace coalescing_test
}  // namespace flagstone
