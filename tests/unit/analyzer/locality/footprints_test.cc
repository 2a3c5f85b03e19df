#include "analyzer/locality/footprints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/locality/locality_dump.h"
#include "analyzer/locality/locality_graph.h"
#include "base/error.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace footprints_test {

using testing::HasSubstr;

constexpr const char* kLoadR10 =
    "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;";

std::string ErrorOf(const KernelUnderAnalysis& kernel) {
  try {
    FindFootprints(kernel.Analyze(), kernel.launch());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "";
}

TEST(Footprints, ThatOnlyMoveFromTbToTbAreOneClass) {
  // a[tid.x + 16 * ctaid.y]: the same for all ctaid.x.
  const KernelUnderAnalysis kernel(std::string("mad.lo.s32 %r10, %r8, 16, %r3;") + kLoadR10,
                                   {4, 3, 1}, {16, 1, 1});
  const Footprints footprints = FindFootprints(kernel.Analyze(), kernel.launch());
  ASSERT_EQ(footprints.arrays.size(), 1U);
  const ArrayFootprints& a = footprints.arrays[0];
  EXPECT_EQ(a.array, "a");
  EXPECT_EQ(a.element_bytes, 4U);
  ASSERT_EQ(a.classes.size(), 1U);
  EXPECT_EQ(a.shapes.size(), 1U);
  EXPECT_EQ(a.classes[0].tbs, (TbBox{{0, 0, 0}, {4, 3, 1}}));
  EXPECT_EQ(a.classes[0].strides, (std::array<int64_t, 3>{0, 64, 0}));
  const auto base = static_cast<int64_t>(kernel.a());
  EXPECT_EQ(BytesOf(a, 5), (std::vector<Range>{{base + 64, base + 128}}));
}

TEST(Footprints, HoldAll32BytesOfAWideVector) {
  const KernelUnderAnalysis kernel(
      "mul.wide.s32 %rd10, %r6, 32; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, [%rd11]; ret;",
      {4, 1, 1}, {16, 1, 1});
  const Footprints footprints = FindFootprints(kernel.Analyze(), kernel.launch());
  const auto base = static_cast<int64_t>(kernel.a());
  EXPECT_EQ(footprints.arrays.at(0).element_bytes, 32U);
  EXPECT_EQ(BytesOf(footprints.arrays.at(0), 1), (std::vector<Range>{{base + 512, base + 1024}}));
}

TEST(Footprints, AreCutAtTheGuards) {
  const KernelUnderAnalysis kernel(
      std::string("setp.ge.s32 %p1, %r6, %r1; @%p1 ret; mov.u32 %r10, %r6;") + kLoadR10, {4, 1, 1},
      {16, 1, 1}, 40);
  const Footprints footprints = FindFootprints(kernel.Analyze(), kernel.launch());
  const auto base = static_cast<int64_t>(kernel.a());
  const ArrayFootprints& a = footprints.arrays.at(0);
  EXPECT_EQ(BytesOf(a, 1), (std::vector<Range>{{base + 64, base + 128}}));
  EXPECT_EQ(BytesOf(a, 2), (std::vector<Range>{{base + 128, base + 160}}));
  EXPECT_TRUE(BytesOf(a, 3).empty());
}

TEST(Footprints, TakeGuardsOverTwoIdsApart) {
  // tid.y * 16 + tid.x < 20 in a block of 16 x 4, reading a[tid.x * 4 + tid.y].
  const KernelUnderAnalysis kernel(
      std::string("mad.lo.s32 %r11, %r7, 16, %r3; setp.ge.s32 %p1, %r11, 20; @%p1 ret; "
                  "mad.lo.s32 %r10, %r3, 4, %r7;") +
          kLoadR10,
      {1, 1, 1}, {16, 4, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.at(0).address_class, AddressClass::kAffine);
  std::vector<Range> expected;
  for (int64_t t = 0; t < 20; ++t) {
    const int64_t at = static_cast<int64_t>(kernel.a()) + 4 * (t % 16 * 4 + t / 16);
    expected.push_back({at, at + 4});
  }
  Normalize(expected);
  EXPECT_EQ(BytesOf(FindFootprints(analysis, kernel.launch()).arrays.at(0), 0), expected);
}

TEST(Footprints, HoldEachOfSeveralAccessesHoweverTheyAreSpaced) {
  const KernelUnderAnalysis kernel("ret;", {1, 1, 1}, {1, 1, 1});
  for (const std::vector<int64_t>& places : std::vector<std::vector<int64_t>>{
           {64, 72, 80, 88}, {64, 72, 80, 84, 96, 108}, {120, 64, 64}, {-8, -4, 8}}) {
    AddressAnalysis analysis;
    std::vector<Range> expected;
    for (const int64_t place : places) {
      AddressForm& access = analysis.accesses.emplace_back();
      access.address_class = AddressClass::kAffine;
      access.array = "a";
      access.bytes = 4;
      access.form.constant = place;
      expected.push_back({place, place + 4});
    }
    Normalize(expected);
    EXPECT_EQ(BytesOf(FindFootprints(analysis, kernel.launch()).arrays.at(0), 0), expected);
  }
}

TEST(Footprints, OfDeterministicLoadsAreEvaluated) {
  const KernelUnderAnalysis kernel(std::string("min.s32 %r10, %r6, 20;") + kLoadR10, {2, 1, 1},
                                   {16, 1, 1});
  const Footprints footprints = FindFootprints(kernel.Analyze(), kernel.launch());
  EXPECT_TRUE(footprints.skipped.empty());
  const auto base = static_cast<int64_t>(kernel.a());
  EXPECT_EQ(BytesOf(footprints.arrays.at(0), 1), (std::vector<Range>{{base + 64, base + 84}}));
}

TEST(Footprints, SkipAndNameIndirectLoads) {
  const KernelUnderAnalysis kernel(std::string("ld.shared.u32 %r10, [tile];\n") + kLoadR10,
                                   {2, 1, 1}, {16, 1, 1});
  const Footprints footprints = FindFootprints(kernel.Analyze(), kernel.launch());
  EXPECT_TRUE(footprints.arrays.empty());
  ASSERT_EQ(footprints.skipped.size(), 1U);
  EXPECT_EQ(footprints.skipped[0].line, KernelUnderAnalysis::kFirstLine + 1);
  EXPECT_THAT(footprints.skipped[0].reason, HasSubstr("a loaded value"));
  EXPECT_THAT(Dump(footprints), HasSubstr("skipped: load"));
  const SharerSets sharers = FindSharers(kernel.Analyze(), kernel.launch(), Granularity::kElement);
  EXPECT_EQ(sharers.skipped_loads, 1U);
  EXPECT_TRUE(sharers.families.empty());
}

TEST(Footprints, OfPointersOfUnknownOriginJoinAllArrays) {
  // b + (a - b) is a, but no longer known to be.
  const KernelUnderAnalysis kernel(
      "sub.s64 %rd9, %rd1, %rd2; add.s64 %rd9, %rd9, %rd2; ld.global.f32 %f1, [%rd9]; "
      "ld.global.f32 %f2, [%rd1]; ret;",
      {2, 1, 1}, {1, 1, 1});
  AddressAnalysis analysis = kernel.Analyze();
  analysis.accesses.at(0).array = "?";
  const Footprints footprints = FindFootprints(analysis, kernel.launch());
  ASSERT_EQ(footprints.arrays.size(), 1U);
  EXPECT_EQ(footprints.arrays[0].array, "?");
  EXPECT_EQ(FindSharers(footprints, Granularity::kElement).total_references, 1U);
}

TEST(Footprints, RefuseAGridThatIsTooLarge) {
  const KernelUnderAnalysis kernel(std::string("mov.u32 %r10, %r3;") + kLoadR10, {2147483647, 1, 1},
                                   {16, 1, 1});
  EXPECT_THAT(ErrorOf(kernel), HasSubstr("grids of at most 4194304 TBs, this one has 2147483647"));
}

TEST(Footprints, RefuseToFallApartIntoTooManyRanges) {
  // Every second float of 2^30.
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, 0; LOOP: mul.wide.s32 %rd10, %r10, 8; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; add.s32 %r10, %r10, 1; setp.ne.s32 %p1, %r10, 1073741824; "
      "@%p1 bra LOOP; ret;",
      {1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(ErrorOf(kernel), HasSubstr("fall apart into more than"));
}

TEST(Footprints, RefuseGuardsThatLeaveTooManyBoxes) {
  // Iterations j >= i of two loops of 2^27 turns.
  const KernelUnderAnalysis kernel(
      "mov.u32 %r10, 0; OUTER: mov.u32 %r11, 0; INNER: setp.lt.s32 %p1, %r11, %r10; "
      "@%p1 bra NEXT; mul.wide.s32 %rd10, %r11, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; NEXT: add.s32 %r11, %r11, 1; "
      "setp.ne.s32 %p2, %r11, 134217728; @%p2 bra INNER; add.s32 %r10, %r10, 1; "
      "setp.ne.s32 %p3, %r10, 134217728; @%p3 bra OUTER; ret;",
      {1, 1, 1}, {1, 1, 1});
  EXPECT_THAT(ErrorOf(kernel), HasSubstr("fall apart into more than"));
}

TEST(Footprints, OfAKernelWithoutLoadsAreEmpty) {
  const KernelUnderAnalysis kernel("ret;", {4, 1, 1}, {16, 1, 1});
  const Footprints footprints = FindFootprints(kernel.Analyze(), kernel.launch());
  EXPECT_TRUE(footprints.arrays.empty());
  EXPECT_EQ(footprints.tb_count, 4U);
}

}  // namespace footprints_test
}  // namespace flagstone
