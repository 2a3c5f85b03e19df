// Launches and kernels of which not all can be known: what can be is, the rest has a reason, and no
// access that is not known gets into a footprint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "analyzer/ladm/ladm.h"
#include "analyzer/locality/footprints.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_bad_input_test {

using testing::HasSubstr;

constexpr const char* kLoadR6 =
    "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd1, %rd10; ld.global.u32 %r10, [%rd11];\n";

TEST(UnknownTripCount, IsReportedAndOnlyTheLoadsThatVaryWithItAreLeftOut) {
  const KernelUnderAnalysis kernel(std::string(kLoadR6) +
                                       "mov.u32 %r11, 0; mov.u64 %rd13, %rd1;\n"
                                       "L: ld.global.f32 %f1, [%rd2];\n"
                                       "ld.global.f32 %f2, [%rd13]; add.s64 %rd13, %rd13, 4;\n"
                                       "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, %r10;\n"
                                       "@%p1 bra L; ret;",
                                   {4, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.loops.size(), 1U);
  EXPECT_FALSE(analysis.loops[0].known || analysis.loops[0].bounded);
  EXPECT_THAT(analysis.loops[0].reason, HasSubstr("a loaded value (line"));
  ASSERT_EQ(analysis.accesses.size(), 3U);
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kAffine);
  EXPECT_EQ(analysis.accesses[2].address_class, AddressClass::kIndirect);
  const Footprints footprints = FindFootprints(analysis, kernel.launch());
  ASSERT_EQ(footprints.skipped.size(), 1U);
  EXPECT_EQ(footprints.skipped[0].pc, analysis.accesses[2].pc);
  EXPECT_THAT(footprints.skipped[0].reason, HasSubstr("loop: "));
}

TEST(KernelWithoutLoads, HasNoFootprints) {
  const KernelUnderAnalysis kernel("ret;", {4, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  EXPECT_TRUE(analysis.accesses.empty());
  EXPECT_TRUE(FindFootprints(analysis, kernel.launch()).arrays.empty());
}

// 30,000 blocks in a row: whatever went through them by recursion would need more than a stack.
TEST(KernelOfManyBlocks, IsAnalyzedToItsEnd) {
  std::string body = "ld.global.u32 %r10, [%rd1]; mov.u32 %r11, %r6;\n";
  for (int i = 0; i < 30'000; ++i) {
    const std::string n = std::to_string(i);
    body += "setp.eq.u32 %p1, %r10, " + n + "; @%p1 bra L" + n + "; add.s32 %r11, %r11, 1; L" + n +
            ":\n";
  }
  body +=
      "mul.wide.s32 %rd10, %r11, 4; add.s64 %rd11, %rd1, %rd10; ld.global.u32 %r12, [%rd11];"
      " ret;";
  KernelUnderAnalysis kernel(body, {4, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 2U);
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kIndirect);
  const LadmAnalysis ladm = AnalyzeLadm(analysis, kernel.launch(), kernel.memory());
  EXPECT_FALSE(ladm.table.empty());
}

TEST(MissingParameter, LeavesOutWhatDependsOnIt) {
  KernelUnderAnalysis kernel(std::string(kLoadR6) +
                                 "mad.lo.s32 %r11, %r1, %r3, %r4;\n"
                                 "mul.wide.s32 %rd12, %r11, 4; add.s64 %rd13, %rd1, %rd12;\n"
                                 "ld.global.f32 %f2, [%rd13]; ret;",
                             {4, 1, 1}, {32, 1, 1});
  kernel.launch().parameters.resize(16);  // the two pointers, no n and m
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 2U);
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kAffine);
  EXPECT_NE(analysis.accesses[1].address_class, AddressClass::kAffine);
  EXPECT_THAT(analysis.accesses[1].reason, HasSubstr("a parameter that the launch does not give"));
  const Footprints footprints = FindFootprints(analysis, kernel.launch());
  ASSERT_EQ(footprints.skipped.size(), 1U);
  EXPECT_EQ(footprints.skipped[0].pc, analysis.accesses[1].pc);
  EXPECT_EQ(footprints.arrays.size(), 1U);
}

// The locality graph of so many TBs is refused; their addresses are not.
TEST(GridOf2To31Tbs, HasItsAddressForms) {
  const KernelUnderAnalysis kernel(std::string(kLoadR6) + "ret;", {65536, 32768, 1}, {32, 1, 1});
  ASSERT_EQ(kernel.launch().TbCount(), uint64_t{1} << 31);
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 1U);
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kAffine);
  EXPECT_EQ(analysis.accesses[0].form.ctaid[0], 128);
}

// 2^31 TBs of 32 threads in one dimension: the linear index leaves 32 bits.
TEST(GridOf2To31Tbs, HasNoAffineFormWhereAnIndexWrapsAround) {
  const KernelUnderAnalysis kernel(std::string(kLoadR6) + "ret;", {2147483647, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 1U);
  EXPECT_NE(analysis.accesses[0].address_class, AddressClass::kAffine);
  EXPECT_THAT(analysis.accesses[0].reason, HasSubstr("may wrap around"));
}

TEST(AddressBeyond64Bits, IsLeftOut) {
  // a + 2^60 * tid: from thread 4 on no address.
  const KernelUnderAnalysis kernel(
      "cvt.u64.u32 %rd10, %r3; shl.b64 %rd10, %rd10, 60; add.s64 %rd11, %rd1, %rd10;\n"
      "ld.global.f32 %f1, [%rd11]; ld.global.f32 %f2, [%rd2]; ret;",
      {4, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 2U);
  EXPECT_THAT(analysis.accesses[0].reason, HasSubstr("beyond 64 bits"));
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kAffine);
  const Footprints footprints = FindFootprints(analysis, kernel.launch());
  ASSERT_EQ(footprints.skipped.size(), 1U);
  EXPECT_THAT(footprints.skipped[0].reason, HasSubstr("beyond 64 bits"));
  ASSERT_EQ(footprints.arrays.size(), 2U);  // a stays empty
  EXPECT_TRUE(footprints.arrays[0].classes.empty());
}

TEST(AddressBeyond64Bits, DoesNotMatterWhereTheAccessNeverHappens) {
  const KernelUnderAnalysis kernel(
      "setp.ge.u32 %p1, %r3, 2; @%p1 ret;\n"
      "cvt.u64.u32 %rd10, %r3; shl.b64 %rd10, %rd10, 58; shr.u64 %rd10, %rd10, 56;\n"
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      {4, 1, 1}, {32, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 1U);
  EXPECT_TRUE(FindFootprints(analysis, kernel.launch()).skipped.empty());
}

}  // namespace address_bad_input_test
}  // namespace flagstone
