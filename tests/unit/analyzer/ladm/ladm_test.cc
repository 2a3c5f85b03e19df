// Algorithm 1 on one small kernel for each row of Table II, and what LASP makes of them.
#include "analyzer/ladm/ladm.h"

#include <gtest/gtest.h>

#include "analyzer/ladm/ladm_dump.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace ladm_test {

// A loop of 8 turns over m = %r20 around `body`.
std::string Loop(const std::string& body) {
  return "  mov.u32 %r20, 0;\nL:\n" + body +
         "  add.s32 %r20, %r20, 1;\n  setp.lt.s32 %p1, %r20, 8;\n  @%p1 bra L;\n  ret;\n";
}
// Loads 4 bytes of a at index %r10.
const char* const kLoad =
    "  mul.wide.s32 %rd10, %r10, 4;\n  add.s64 %rd11, %rd1, %rd10;\n  ld.global.f32 %f1, "
    "[%rd11];\n";

LadmAnalysis Analyze(const std::string& body, Dim3 grid = {4, 8, 1}, uint32_t n = 64) {
  KernelUnderAnalysis kernel(body, grid, {16, 4, 1}, n, 0);
  return AnalyzeLadm(kernel.Analyze(), kernel.launch(), kernel.memory());
}

LocalityType TypeOf(const std::string& body, Dim3 grid = {4, 8, 1}, uint32_t n = 64) {
  const LadmAnalysis analysis = Analyze(body, grid, n);
  EXPECT_EQ(analysis.table.size(), 1U) << Dump(analysis);
  return analysis.table.empty() ? LocalityType::kUnclassified : analysis.table.back().type;
}

// %r9 = ctaid.y * ntid.y + tid.y, the thread's row; %r6 is its column.
const std::string kRow = "  mov.u32 %r30, %ntid.y;\n  mad.lo.s32 %r9, %r8, %r30, %r7;\n";

TEST(Ladm, Row1IsAnIndexWithBothBlockIds) {
  EXPECT_EQ(TypeOf(kRow + "  mad.lo.s32 %r10, %r9, %r1, %r6;\n" + kLoad + "ret;"),
            LocalityType::kNoLocality);
}

// What one thread copies for its TB is no thread's own stretch, though turns follow one another.
TEST(Ladm, ABulkCopyOfATbsRowIsSharedAsTheLoadsOfItsThreadsAre) {
  const std::string place =
      "  mul.wide.s32 %rd12, %r8, 2048;\n  mul.wide.s32 %rd13, %r20, 256;\n"
      "  add.s64 %rd12, %rd12, %rd13;\n  add.s64 %rd11, %rd1, %rd12;\n";
  const std::string copy =
      "  mov.u32 %r22, tile;\n  setp.eq.s32 %p2, %r3, 0;\n"
      "  @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r22], [%rd11], "
      "256, [%r22];\n";
  const std::string load =
      "  mul.wide.s32 %rd14, %r3, 16;\n  add.s64 %rd11, %rd11, %rd14;\n"
      "  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd11];\n";
  EXPECT_EQ(TypeOf(Loop(place + load)), LocalityType::kRowHorizontal);
  EXPECT_EQ(TypeOf(Loop(place + copy)), LocalityType::kRowHorizontal);
  const LadmAnalysis analysis = Analyze(Loop(place + copy));
  EXPECT_EQ(analysis.table.at(0).datablock_bytes, 256U);
  EXPECT_EQ(analysis.table.at(0).stride_bytes, 256);
}

TEST(Ladm, Row1IsAnIndexWithTheOneBlockIdOfA1dGrid) {
  const LadmAnalysis analysis =
      Analyze(Loop("  mad.lo.s32 %r10, %r20, 512, %r6;\n" + std::string(kLoad)), {4, 1, 1});
  ASSERT_EQ(analysis.table.size(), 1U);
  EXPECT_EQ(analysis.table[0].type, LocalityType::kNoLocality);
  EXPECT_EQ(analysis.table[0].stride, "512");
  EXPECT_EQ(analysis.table[0].stride_bytes, 2048);
  EXPECT_EQ(analysis.scheduler, TbPlacement::kAlignAware);
  EXPECT_EQ(analysis.arguments[0].placement, PagePlacement::kStrideAware);
  EXPECT_EQ(analysis.arguments[0].interleave_bytes, 4096U);  // 2048 / 16 nodes, in whole pages
  EXPECT_EQ(analysis.table[0].datablock_bytes, 16U * 4);     // the rows of the block coincide
  EXPECT_EQ(analysis.batch_tbs, 64U);                        // 4096 / 64
}

TEST(Ladm, Row2IsSharedByAGridRowThatMovesAlongARow) {
  const std::string tile = "  shl.b32 %r31, %r20, 4;\n  add.s32 %r31, %r31, %r3;\n";
  EXPECT_EQ(TypeOf(kRow + Loop(tile + "  mad.lo.s32 %r10, %r9, %r1, %r31;\n" + kLoad)),
            LocalityType::kRowHorizontal);
}

TEST(Ladm, Row3IsSharedByAGridColumnThatMovesAlongARow) {
  const std::string tile = "  shl.b32 %r31, %r20, 4;\n  add.s32 %r31, %r31, %r7;\n";
  EXPECT_EQ(TypeOf(Loop(tile + "  mad.lo.s32 %r10, %r6, %r1, %r31;\n" + kLoad)),
            LocalityType::kColHorizontal);
}

TEST(Ladm, Row4IsSharedByAGridRowThatMovesDown) {
  EXPECT_EQ(TypeOf(kRow + Loop("  mad.lo.s32 %r10, %r20, %r1, %r9;\n" + std::string(kLoad))),
            LocalityType::kRowVertical);
}

TEST(Ladm, Row5IsSharedByAGridColumnThatMovesDown) {
  EXPECT_EQ(TypeOf(Loop("  mad.lo.s32 %r10, %r20, %r1, %r6;\n" + std::string(kLoad))),
            LocalityType::kColVertical);
}

TEST(Ladm, MotionIsDownByGridDimXByAParameterOfTheRowsWidthOrByThatConstant) {
  const std::string by_grid = "  mov.u32 %r30, %nctaid.x;\n  mul.lo.s32 %r30, %r30, %r5;\n" +
                              Loop("  mad.lo.s32 %r10, %r20, %r30, %r6;\n" + std::string(kLoad));
  EXPECT_EQ(TypeOf(by_grid), LocalityType::kColVertical);
  const std::string by_parameter =
      Loop("  mad.lo.s32 %r10, %r20, %r1, %r6;\n" + std::string(kLoad));
  EXPECT_EQ(TypeOf(by_parameter, {4, 8, 1}, 64), LocalityType::kColVertical);
  EXPECT_EQ(TypeOf(by_parameter, {4, 8, 1}, 65), LocalityType::kColHorizontal);
  const std::string by_constant = Loop("  mad.lo.s32 %r10, %r20, 64, %r6;\n" + std::string(kLoad));
  EXPECT_EQ(TypeOf(by_constant), LocalityType::kColVertical);
}

TEST(Ladm, Row6IsAStepOfOneElement) {
  const LadmAnalysis analysis =
      Analyze(Loop("  mad.lo.s32 %r10, %r6, 8, %r20;\n" + std::string(kLoad)));
  EXPECT_EQ(analysis.table[0].type, LocalityType::kIntraThread);
  EXPECT_EQ(analysis.scheduler, TbPlacement::kKernelWide);
  EXPECT_EQ(analysis.caching, RemoteCaching::kOnce);
}

TEST(Ladm, Row6IsThereFromALoadedStartToo) {
  // for (m = start[i]; m < start[i] + 8; ++m) ... a[m], with a carried pointer.
  const LadmAnalysis analysis = Analyze(
      "  mul.wide.s32 %rd12, %r6, 4;\n  add.s64 %rd13, %rd2, %rd12;\n"
      "  ld.global.u32 %r11, [%rd13];\n  mul.wide.s32 %rd14, %r11, 4;\n"
      "  add.s64 %rd15, %rd1, %rd14;\n" +
      Loop("  ld.global.f32 %f1, [%rd15];\n  add.s64 %rd15, %rd15, 4;\n"));
  ASSERT_EQ(analysis.table.size(), 2U);
  EXPECT_EQ(analysis.table[0].type, LocalityType::kColHorizontal);  // of b: by the column alone
  EXPECT_EQ(analysis.table[1].type, LocalityType::kIntraThread);
}

TEST(Ladm, UnrolledLoopsCountAsTheLoopsTheyCameFrom) {
  const LadmAnalysis analysis =
      Analyze(Loop("  shl.b32 %r31, %r20, 1;\n  mad.lo.s32 %r10, %r6, 16, %r31;\n" +
                   std::string(kLoad) + "  ld.global.f32 %f2, [%rd11+4];\n"));
  ASSERT_EQ(analysis.table.size(), 2U);
  for (const LadmAccess& access : analysis.table) {
    EXPECT_EQ(access.unrolled, 2U);
    EXPECT_EQ(access.type, LocalityType::kIntraThread);
  }
}

// Four copies of a body that goes down n, or minus n, elements; `first`: the constant of the first.
std::string FourRows(const char* sign, int apart) {
  std::string body = "  shl.b32 %r31, %r1, 2;\n  mul.lo.s32 %r31, %r31, %r20;\n";
  body += std::string("  ") + sign + ".s32 %r10, %r6, %r31;\n";
  for (int copy = 0; copy < 4; ++copy) {
    body += "  mul.lo.s32 %r32, %r1, " + std::to_string(copy * apart) + ";\n";
    body += "  add.s32 %r33, %r10, %r32;\n  mul.wide.s32 %rd10, %r33, 4;\n";
    body += "  add.s64 %rd11, %rd1, %rd10;\n  ld.global.f32 %f1, [%rd11];\n";
  }
  return Loop(body);
}

TEST(Ladm, UnrolledLoopsHaveTheStrideOfTheirSourceWhicheverWayTheyGo) {
  for (const char* sign : {"add", "sub"}) {
    for (const int apart : {1, -1}) {
      const LadmAnalysis analysis = Analyze(FourRows(sign, apart), {4, 1, 1});
      ASSERT_EQ(analysis.table.size(), 4U);
      for (const LadmAccess& access : analysis.table) {
        EXPECT_EQ(access.unrolled, 4U) << sign << apart;
        EXPECT_EQ(access.stride_bytes, *sign == 'a' ? 256 : -256) << sign << apart;
      }
    }
  }
  // Rows that are three apart are no copies of one that is four.
  for (const LadmAccess& access : Analyze(FourRows("add", 3), {4, 1, 1}).table) {
    EXPECT_EQ(access.unrolled, 1U);
    EXPECT_EQ(access.stride_bytes, 1024);
  }
}

// Copies in front of a loop's accesses, and one access besides that is none of them.
TEST(Ladm, CopiesAreFoundBesideOtherAccesses) {
  std::string body = FourRows("add", 1);
  body.insert(body.find("L:\n") + 3, "  ld.global.f32 %f2, [%rd1];\n");
  const LadmAnalysis analysis = Analyze(body, {4, 1, 1});
  ASSERT_EQ(analysis.table.size(), 5U);
  EXPECT_EQ(analysis.table[0].unrolled, 1U);
  EXPECT_EQ(analysis.table[4].stride_bytes, 256);
}

// No counter is left: rows of the grid's length are a loop's, neighbours are a stencil's.
TEST(Ladm, WhollyUnrolledLoopsHaveTheStrideBetweenTheirAccesses) {
  const auto accesses = [](int apart) {
    std::string body = "  mul.wide.s32 %rd10, %r6, 4;\n  add.s64 %rd11, %rd1, %rd10;\n";
    for (int i = 0; i < 4; ++i) {
      body += "  ld.global.f32 %f1, [%rd11+" + std::to_string(4 * i * apart) + "];\n";
    }
    return Analyze(body + "  ret;\n", {4, 1, 1});
  };
  for (const LadmAccess& access : accesses(64).table) {
    EXPECT_EQ(access.stride_bytes, 256);
    EXPECT_EQ(access.unrolled, 4U);
  }
  for (const LadmAccess& access : accesses(1).table) EXPECT_FALSE(access.stride_bytes.has_value());
}

TEST(Ladm, NeedsNoArgumentAndNoSmallGrid) {
  KernelUnderAnalysis kernel(kRow + "  mad.lo.s32 %r10, %r9, %r1, %r6;\n" + kLoad + "ret;",
                             {65536, 32768, 1}, {16, 4, 1});
  kernel.launch().parameters.resize(16);  // n and m are missing
  const LadmAnalysis analysis = AnalyzeLadm(kernel.Analyze(), kernel.launch(), kernel.memory());
  EXPECT_EQ(analysis.table.at(0).type, LocalityType::kNoLocality);
  EXPECT_EQ(analysis.scheduler, TbPlacement::kAlignAware);
}

TEST(Ladm, LeavesAnIndexOfAnUncountedLoopClassified) {
  // for (m = 0; m < loaded; ++m) a[m]: how often is not known, what each turn does is.
  const LadmAnalysis analysis = Analyze(
      "  ld.global.u32 %r11, [%rd2];\n  mov.u32 %r20, 0;\nL:\n"
      "  mul.wide.s32 %rd10, %r20, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "  ld.global.f32 %f1, [%rd11];\n  add.s32 %r20, %r20, 1;\n"
      "  setp.lt.s32 %p1, %r20, %r11;\n  @%p1 bra L;\n  ret;\n");
  EXPECT_EQ(analysis.table.at(1).type, LocalityType::kIntraThread);
}

TEST(Ladm, Row7IsAnIndexFromMemory) {
  const LadmAnalysis analysis = Analyze(
      "  mul.wide.s32 %rd12, %r6, 4;\n  add.s64 %rd13, %rd2, %rd12;\n"
      "  ld.global.u32 %r10, [%rd13];\n" +
      std::string(kLoad) + "  ret;\n");
  EXPECT_EQ(analysis.table.at(1).type, LocalityType::kUnclassified);
}

TEST(Ladm, ExpandsSymbolicallyWithNothingOfTheLaunchPutIn) {
  const LadmAnalysis analysis =
      Analyze(kRow + "  mad.lo.s32 %r10, %r9, %r1, %r6;\n" + kLoad + "ret;");
  EXPECT_EQ(analysis.table.at(0).invariant, "tid.x + tid.y*n + ctaid.x*ntid.x + ctaid.y*ntid.y*n");
}

// a: row-horizontal, b: col-vertical, both as large: a tie goes to the row.
std::string MatrixProduct(const char* of_row, const char* of_column) {
  return kRow + Loop(
                    "  shl.b32 %r31, %r20, 4;\n  add.s32 %r32, %r31, %r3;\n"
                    "  mad.lo.s32 %r10, %r9, %r1, %r32;\n  mul.wide.s32 %rd10, %r10, 4;\n"
                    "  add.s64 %rd11, " +
                    std::string(of_row) +
                    ", %rd10;\n"
                    "  ld.global.f32 %f1, [%rd11];\n"
                    "  add.s32 %r33, %r31, %r7;\n  mad.lo.s32 %r10, %r33, %r1, %r6;\n"
                    "  mul.wide.s32 %rd10, %r10, 4;\n  add.s64 %rd11, " +
                    of_column + ", %rd10;\n  ld.global.f32 %f1, [%rd11];\n");
}

TEST(Lasp, LetsTheRowWinATie) {
  for (const bool swapped : {false, true}) {
    const LadmAnalysis analysis =
        Analyze(swapped ? MatrixProduct("%rd2", "%rd1") : MatrixProduct("%rd1", "%rd2"));
    EXPECT_EQ(analysis.scheduler, TbPlacement::kRowBinding) << Dump(analysis);
    EXPECT_EQ(analysis.decided_by, swapped ? "b" : "a");
    EXPECT_EQ(analysis.caching, RemoteCaching::kTwice);
  }
}

TEST(Lasp, LetsTheLargerArrayWin) {
  KernelUnderAnalysis kernel(MatrixProduct("%rd1", "%rd2"), {4, 8, 1}, {16, 4, 1}, 64);
  kernel.Set(1, kernel.memory().Allocate("larger", uint64_t{1} << 20));
  const LadmAnalysis analysis = AnalyzeLadm(kernel.Analyze(), kernel.launch(), kernel.memory());
  EXPECT_EQ(analysis.scheduler, TbPlacement::kColBinding) << Dump(analysis);
  EXPECT_EQ(analysis.decided_by, "larger");
  EXPECT_EQ(analysis.arguments.back().placement, PagePlacement::kColBased);
}

// A vector of 256 bytes that columns of TBs share beside matrices of 64 KiB that nobody does.
TEST(Lasp, AsksNoSmallArrayWhereMoreWouldMove) {
  const std::string small =
      "  mul.wide.s32 %rd10, %r6, 4;\n  add.s64 %rd11, %rd3, %rd10;\n"
      "  ld.global.f32 %f1, [%rd11];\n";
  const std::string matrix = kRow + "  mad.lo.s32 %r10, %r9, %r1, %r6;\n" + kLoad;
  KernelUnderAnalysis kernel(
      "  ld.param.u64 %rd3, [b];\n  cvta.to.global.u64 %rd3, %rd3;\n" + small + matrix + "ret;",
      {4, 32, 1}, {16, 4, 1}, 64);
  kernel.Set(1, kernel.memory().Allocate("vector", 256));
  const LadmAnalysis analysis = AnalyzeLadm(kernel.Analyze(), kernel.launch(), kernel.memory());
  EXPECT_EQ(analysis.decided_by, "a") << Dump(analysis);
  EXPECT_EQ(analysis.scheduler, TbPlacement::kAlignAware);
  // The paper's order: shared beats none.
  EXPECT_EQ(analysis.published.decided_by, "vector");
  EXPECT_EQ(analysis.published.scheduler, TbPlacement::kColBinding);
  // As large as a sixteenth of the matrix: as many bytes would move, and the paper's order decides.
  kernel.Set(1, kernel.memory().Allocate("sixteenth", uint64_t{1} << 12));
  const LadmAnalysis tie = AnalyzeLadm(kernel.Analyze(), kernel.launch(), kernel.memory());
  EXPECT_EQ(tie.decided_by, "sixteenth") << Dump(tie);
}

TEST(Lasp, OfAKernelWithoutLoadsDecidesNothing) {
  EXPECT_FALSE(Analyze("ret;").scheduler.has_value());
}

}  // namespace ladm_test
}  // namespace flagstone
