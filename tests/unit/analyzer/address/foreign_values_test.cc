// Kernels with instructions that are not executed: what does not hang on them is analyzed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace foreign_values_test {

using testing::HasSubstr;

AddressAnalysis Analyze(const std::string& body) {
  return KernelUnderAnalysis(body, {4, 2, 1}, {16, 4, 1}, 64).Analyze();
}

TEST(ForeignValues, AddressesThatDoNotHangOnThemAreForms) {
  const AddressAnalysis analysis = Analyze(
      "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd1, %rd10;\n"
      "ld.global.f32 %f1, [%rd11];\n"
      "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {%f1, %f2}, %rd3, %rd4, 1, 1, 1;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      "add.s64 %rd12, %rd2, %rd10; st.global.f32 [%rd12], %f2; ret;");
  ASSERT_EQ(analysis.accesses.size(), 2U);
  for (const AddressForm& access : analysis.accesses) {
    EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
  }
}

TEST(ForeignValues, AnAddressThatHangsOnOneIsLeftOutAndNamesIt) {
  const AddressAnalysis analysis = Analyze(
      "vmin2.u32.u32.u32 %r10, %r6, %r7, %r6;\n"
      "mul.wide.u32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11];\n"
      "mul.wide.s32 %rd12, %r6, 4; add.s64 %rd13, %rd1, %rd12; ld.global.f32 %f1, [%rd13]; ret;");
  ASSERT_EQ(analysis.accesses.size(), 2U);
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kIndirect);
  EXPECT_THAT(analysis.accesses[0].reason,
              HasSubstr("'vmin2.u32.u32.u32' is not executed (line 23)"));
  ASSERT_EQ(analysis.accesses[0].chain.size(), 1U);
  EXPECT_THAT(analysis.accesses[0].chain[0].array, HasSubstr("vmin2.u32.u32.u32 %r10, %r6, %r7"));
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kAffine);
}

TEST(ForeignValues, APredicateOrALoopThatHangsOnOneIsSaid) {
  const AddressAnalysis guarded = Analyze(
      "setp.eq.f32x2 %p1|%p2, %rd3, %rd4;\n"
      "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd1, %rd10;\n"
      "@%p2 ld.global.f32 %f1, [%rd11]; ret;");
  ASSERT_EQ(guarded.accesses.size(), 1U);
  EXPECT_EQ(guarded.accesses[0].reason, "guard: 'setp.eq.f32x2' is not executed (line 23)");
  EXPECT_EQ(guarded.accesses[0].address_class, AddressClass::kIndirect);
  EXPECT_EQ(guarded.accesses[0].pattern, AddressClass::kAffine);

  const AddressAnalysis looped = Analyze(
      "mov.u32 %r10, 0;\nvmin2.u32.u32.u32 %r11, %r1, %r2, %r1;\n"
      "L: mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11];\n"
      "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r11; @%p1 bra L; ret;");
  ASSERT_EQ(looped.loops.size(), 1U);
  EXPECT_FALSE(looped.loops[0].known);
  EXPECT_THAT(looped.loops[0].reason, HasSubstr("'vmin2.u32.u32.u32' is not executed (line 24)"));
}

// The register keeps nothing of what stood there before, under a guard neither.
TEST(ForeignValues, WhatTheyWriteForgetsTheValueBefore) {
  for (const std::string guard : {"", "@%p1 "}) {
    const AddressAnalysis analysis = Analyze(
        "mov.u32 %r10, %r6; setp.lt.u32 %p1, %r3, 5;\n" + guard +
        "vadd2.u32.u32.u32 %r10, %r6, %r7, %r6;\n"
        "mul.wide.u32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
        "ret;");
    ASSERT_EQ(analysis.accesses.size(), 1U);
    EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kIndirect) << guard;
  }
}

TEST(ForeignValues, OnesThatMayAccessGlobalMemoryAreLeftOutAccesses) {
  const AddressAnalysis analysis = Analyze(
      "multimem.ld_reduce.global.add.f32 %f1, [%rd1];\n"
      "mbarrier.test_wait.parity.foo.b64 %p1, [%r3], %r4;\n"
      "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r9, %r10}, [%r3]; ret;");
  ASSERT_EQ(analysis.accesses.size(), 1U);
  EXPECT_EQ(analysis.accesses[0].line, KernelUnderAnalysis::kFirstLine);
  EXPECT_EQ(analysis.accesses[0].array, "?");
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kIndirect);
  EXPECT_EQ(analysis.accesses[0].reason, "'multimem.ld_reduce.global.add.f32' is not executed");
}

}  // namespace foreign_values_test
}  // namespace flagstone
