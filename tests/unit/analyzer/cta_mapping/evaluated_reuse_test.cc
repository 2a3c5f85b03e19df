// Distances of loads that are no affine forms, by executing the kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/cta_mapping/cta_mapping.h"
#include "analyzer/locality/locality_graph.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"
#include "tests/unit/analyzer/executed_accesses.h"
#include "tests/unit/analyzer/two_compilers.h"

namespace flagstone {
namespace evaluated_reuse_test {

constexpr uint64_t kBlock = 128;

CtaMapping MappingOf(KernelUnderAnalysis& kernel) {
  const AddressAnalysis addresses = kernel.Analyze();
  const Footprints footprints = FindFootprints(addresses, kernel.launch());
  return AnalyzeCtaMapping(addresses, kernel.launch(), kernel.memory(),
                           FindSharers(footprints, Granularity::kByte), &footprints, kBlock);
}

// The farthest two TBs of a row (column) of a plane that load one block.
std::pair<int64_t, int64_t> ByBruteForce(KernelUnderAnalysis& kernel) {
  const Dim3 grid = kernel.launch().grid;
  std::map<uint32_t, std::set<uint64_t>> blocks;  // by TB
  for (const auto& [where, addresses] : RunAndRecord(kernel.launch(), &kernel.memory())) {
    if (kernel.launch().kernel->instructions[where.first].opcode != ptx::Opcode::kLd) continue;
    for (const uint64_t address : addresses) blocks[where.second].insert(address / kBlock);
  }
  int64_t x = 0, y = 0;
  for (const auto& [one, of_one] : blocks) {
    for (const auto& [other, of_other] : blocks) {
      const Dim3 a = TbCoordinates(one, grid), b = TbCoordinates(other, grid);
      if (a.z != b.z || (a.x != b.x && a.y != b.y)) continue;
      const bool shares = std::any_of(of_one.begin(), of_one.end(),
                                      [&](uint64_t block) { return of_other.contains(block); });
      if (!shares) continue;
      if (a.y == b.y) x = std::max<int64_t>(x, int64_t{b.x} - a.x);
      if (a.x == b.x) y = std::max<int64_t>(y, int64_t{b.y} - a.y);
    }
  }
  return {x, y};
}

void ExpectAsExecuted(const std::string& body, Dim3 grid, Dim3 block = {32, 1, 1}, uint32_t n = 64,
                      uint32_t m = 3) {
  KernelUnderAnalysis kernel(body, grid, block, n, m);
  const CtaMapping mapping = MappingOf(kernel);
  EXPECT_TRUE(mapping.left_out.empty());
  const auto [x, y] = ByBruteForce(kernel);
  EXPECT_EQ(mapping.distance_x, x) << body;
  EXPECT_EQ(mapping.distance_y, y) << body;
  EXPECT_EQ(mapping.direction, DirectionOf(x, y));
}

const std::string kLoadAtR10 =
    "  mul.wide.s32 %rd10, %r10, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
    "  ld.global.f32 %f1, [%rd11];\n  ret;\n";

// Heads that share keys: ctaid.y * n / m, as grouped queries have them.
TEST(EvaluatedReuse, OfAQuotientOfABlockId) {
  const std::string body =
      "  div.u32 %r9, %r8, %r2;\n  shl.b32 %r9, %r9, 7;\n"
      "  add.s32 %r10, %r9, %r3;\n" +
      kLoadAtR10;
  ExpectAsExecuted(body, {4, 9, 1});
  ExpectAsExecuted(body, {4, 6, 2}, {32, 1, 1}, 64, 4);
}

TEST(EvaluatedReuse, OfARemainderOfABlockId) {
  ExpectAsExecuted(
      "  rem.u32 %r9, %r4, %r2;\n  mad.lo.s32 %r9, %r8, 8, %r9;\n"
      "  shl.b32 %r9, %r9, 6;\n  add.s32 %r10, %r9, %r3;\n" +
          kLoadAtR10,
      {8, 3, 1});
}

TEST(EvaluatedReuse, OfClampedNeighbours) {
  ExpectAsExecuted(
      "  add.s32 %r9, %r6, -33;\n  max.s32 %r9, %r9, 0;\n"
      "  mad.lo.s32 %r10, %r8, 512, %r9;\n" +
          kLoadAtR10,
      {6, 4, 1});
}

TEST(EvaluatedReuse, OfMaskedIndices) {
  ExpectAsExecuted("  and.b32 %r9, %r6, 95;\n  xor.b32 %r10, %r9, %r8;\n" + kLoadAtR10, {7, 5, 1});
}

TEST(EvaluatedReuse, OfCoordinates) {
  ExpectAsExecuted(
      "  cvt.rn.f32.u32 %f1, %r6;\n  mul.f32 %f1, %f1, 0f3F000000;\n"
      "  cvt.rzi.s32.f32 %r9, %f1;\n  mad.lo.s32 %r10, %r8, 40, %r9;\n" +
          kLoadAtR10,
      {5, 6, 1});
}

// An affine load and one that is not, of one array.
TEST(EvaluatedReuse, OfTwoLoadsOfOneArray) {
  ExpectAsExecuted(
      "  mul.wide.s32 %rd10, %r6, 4;\n  add.s64 %rd11, %rd1, %rd10;\n"
      "  ld.global.f32 %f1, [%rd11];\n  xor.b32 %r10, %r6, 96;\n" +
          kLoadAtR10,
      {8, 2, 1});
}

TEST(EvaluatedReuse, WhatIsNotKnownIsLeftOutAndSaid) {
  KernelUnderAnalysis kernel(
      "  mul.wide.s32 %rd10, %r6, 4;\n  add.s64 %rd11, %rd2, %rd10;\n"
      "  ld.global.u32 %r10, [%rd11];\n" +
          kLoadAtR10,
      {8, 2, 1}, {32, 1, 1});
  const CtaMapping mapping = MappingOf(kernel);
  ASSERT_EQ(mapping.left_out.size(), 1U);
  EXPECT_EQ(mapping.left_out[0].line, KernelUnderAnalysis::kFirstLine + 5);
  EXPECT_FALSE(mapping.left_out[0].reason.empty());
}

// Of a kernel's footprints, which are those of its execution: each block's readers, TB by TB.
std::pair<int64_t, int64_t> ByFootprints(const Footprints& footprints, const Dim3& grid) {
  std::map<std::pair<int64_t, uint32_t>, std::pair<uint32_t, uint32_t>> rows, columns;
  const auto note = [](auto& lines, int64_t block, uint32_t line, uint32_t at) {
    const auto [reach, is_new] = lines.try_emplace({block, line}, at, at);
    reach->second.second = at;
  };
  for (uint32_t tb = 0; tb < footprints.tb_count; ++tb) {
    for (const ArrayFootprints& array : footprints.arrays) {
      for (const Range& range : BytesOf(array, tb)) {
        const auto block_bytes = static_cast<int64_t>(kBlock);
        for (int64_t b = range.begin / block_bytes; b * block_bytes < range.end; ++b) {
          note(rows, b, tb / grid.x, tb % grid.x);
          note(columns, b, tb % grid.x, tb / grid.x);
        }
      }
    }
  }
  int64_t x = 0, y = 0;
  for (const auto& [where, reach] : rows) x = std::max<int64_t>(x, reach.second - reach.first);
  for (const auto& [where, reach] : columns) y = std::max<int64_t>(y, reach.second - reach.first);
  return {x, y};
}

class MappingOfKinds : public testing::TestWithParam<two_compilers::Subject> {};

TEST_P(MappingOfKinds, IsThatOfTheBlocksThatTbsReadOrSaysWhatItLeavesOut) {
  for (const char* compiler : {"clang14_O2", "nvcc13_O3"}) {
    const two_compilers::CompiledSubject compiled(GetParam(), compiler);
    const AddressAnalysis addresses = AnalyzeAddresses(compiled.launch, compiled.memory);
    const Footprints footprints = FindFootprints(addresses, compiled.launch);
    const CtaMapping mapping =
        AnalyzeCtaMapping(addresses, compiled.launch, compiled.memory,
                          FindSharers(footprints, Granularity::kByte), &footprints, kBlock);
    EXPECT_EQ(mapping.left_out.size(), footprints.skipped.size());
    if (!mapping.left_out.empty()) continue;
    const auto [x, y] = ByFootprints(footprints, compiled.launch.grid);
    // Affine loads are compared by subscripts, whose rows are taken to begin at a block. Those of
    // this kernel are half a block longer than whole ones, so that neighbours share blocks too.
    const bool rows_off_blocks = std::string_view(GetParam().entry) == "column_sums_mixed";
    EXPECT_EQ(mapping.distance_x, rows_off_blocks ? 0 : x) << compiler;
    if (rows_off_blocks) {
      EXPECT_EQ(x, 1);
    }
    EXPECT_EQ(mapping.distance_y, y) << compiler;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, MappingOfKinds, testing::ValuesIn(two_compilers::kSubjects),
                         [](const auto& of) { return std::string(of.param.entry); });

}  // namespace evaluated_reuse_test
}  // namespace flagstone
