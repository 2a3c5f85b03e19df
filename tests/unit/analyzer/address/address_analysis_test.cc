#include "analyzer/address/address_analysis.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/address/address_dump.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_analysis_test {

using testing::HasSubstr;

// The only access of a kernel with grid 4 x 2 and block 16 x 4.
AddressForm Only(const std::string& body, uint32_t n = 0, uint32_t m = 0) {
  const KernelUnderAnalysis kernel(body, {4, 2, 1}, {16, 4, 1}, n, m);
  const AddressAnalysis analysis = kernel.Analyze();
  EXPECT_EQ(analysis.accesses.size(), 1U);
  AddressForm access = analysis.accesses.empty() ? AddressForm{} : analysis.accesses[0];
  if (access.pattern == AddressClass::kAffine) {  // relative to the buffer, for readable tests
    access.form.constant -= static_cast<int64_t>(access.array == "b" ? kernel.b() : kernel.a());
  }
  return access;
}

std::string GuardsOf(const AddressForm& access) {
  std::string text;
  for (const Guard& guard : access.guards) text += ToString(guard.form) + ";";
  return text;
}

// The reason that names a line of the body, counted from 0.
std::string Reason(const std::string& why, int line) {
  return fmt::format("{} (line {})", why, KernelUnderAnalysis::kFirstLine + line);
}

constexpr const char* kLoadR10 =
    "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;";

TEST(AddressAnalysis, GivesAffineFormsOverThreadAndTbIds) {
  const AddressForm access = Only(
      "mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd2, %rd10; st.global.f32 [%rd11+8], %f1; ret;");
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(ToString(access.form), "8 + 4*tid.x + 64*ctaid.x");
  EXPECT_EQ(access.array, "b");
  EXPECT_TRUE(access.is_store);
  EXPECT_EQ(access.bytes, 4U);
  EXPECT_TRUE(access.guards.empty());
  EXPECT_EQ(access.line, KernelUnderAnalysis::kFirstLine);
}

// Of atomics on vectors all elements count, and registers that are vectors are followed.
TEST(AddressAnalysis, GivesTheBytesOfVectorsAndFollowsTheirElements) {
  const AddressForm access = Only(
      ".reg .v2 .b32 V; .reg .v2 .b64 W; mov.v2.b32 V, {%r6, 3}; shl.b32 V.y, V.x, V.y;\n"
      "cvt.u64.u32 W.x, V.y; add.s64 W.y, %rd2, W.x;\n"
      "red.global.add.v2.f32 [W.y], {%f1, %f1}; ret;");
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(ToString(access.form), "0 + 8*tid.x + 128*ctaid.x");
  EXPECT_EQ(access.array, "b");
  EXPECT_TRUE(access.is_atomic && access.is_store);
  EXPECT_EQ(access.bytes, 8U);
}

TEST(AddressAnalysis, FollowsAGenericPointerToItsBuffer) {
  const AddressForm access =
      Only("mul.wide.s32 %rd10, %r6, 4; add.s64 %rd11, %rd1, %rd10; ld.f32 %f1, [%rd11]; ret;");
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(ToString(access.form), "0 + 4*tid.x + 64*ctaid.x");
  EXPECT_EQ(access.array, "a");
}

TEST(AddressAnalysis, ReportsAGenericAccessOfUnknownSpace) {
  const AddressForm access = Only("cvt.u64.u32 %rd10, %r6; ld.f32 %f1, [%rd10]; ret;");
  EXPECT_EQ(access.address_class, AddressClass::kIndirect);
  EXPECT_EQ(access.reason, "generic address whose space is not known");
}

TEST(AddressAnalysis, CountsTheWholeVector) {
  const AddressForm access = Only(
      "mul.wide.s32 %rd10, %r3, 16; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd11]; ret;");
  EXPECT_EQ(access.bytes, 16U);
}

TEST(AddressAnalysis, PutsParametersAndLaunchDimensionsIn) {
  const AddressForm access = Only(std::string("mad.lo.s32 %r10, %r7, %r1, %r3;") + kLoadR10, 100);
  EXPECT_EQ(ToString(access.form), "0 + 4*tid.x + 400*tid.y");
}

TEST(AddressAnalysis, TurnsAnEarlyExitIntoAGuard) {
  const AddressForm access =
      Only(std::string("setp.ge.s32 %p1, %r6, %r1; @%p1 ret; mov.u32 %r10, %r6;") + kLoadR10, 50);
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(GuardsOf(access), "49 - tid.x - 16*ctaid.x;");
}

TEST(AddressAnalysis, DropsAGuardThatAlwaysHolds) {
  const AddressForm access =
      Only(std::string("setp.ge.s32 %p1, %r6, %r1; @%p1 ret; mov.u32 %r10, %r6;") + kLoadR10, 64);
  EXPECT_EQ(GuardsOf(access), "");
}

TEST(AddressAnalysis, MarksAnAccessThatNeverHappens) {
  const AddressForm access =
      Only(std::string("setp.ge.s32 %p1, %r6, %r1; @%p1 ret; mov.u32 %r10, %r6;") + kLoadR10, 0);
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(GuardsOf(access), "-1;");
}

TEST(AddressAnalysis, GuardsAPredicatedAccess) {
  const AddressForm access = Only(
      "setp.lt.s32 %p1, %r3, 5; mul.wide.s32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10; "
      "@!%p1 ld.global.f32 %f1, [%rd11]; ret;");
  EXPECT_EQ(GuardsOf(access), "-5 + tid.x;");
}

TEST(AddressAnalysis, SplitsConjunctionsOfBothKinds) {
  // (tid.x < 5 || tid.y < 2) leaves; the rest is a conjunction.
  const AddressForm access =
      Only(std::string("setp.lt.s32 %p1, %r3, 5; setp.lt.s32 %p2, %r7, 2; or.pred %p3, %p1, %p2; "
                       "@%p3 bra DONE; mov.u32 %r10, %r3; mul.wide.s32 %rd10, %r10, 4; "
                       "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; DONE: ret;"));
  EXPECT_EQ(GuardsOf(access), "-5 + tid.x;-2 + tid.y;");
}

TEST(AddressAnalysis, LeavesAlternativesOfConditionsToEvaluation) {
  const AddressForm access =
      Only(std::string("setp.lt.s32 %p1, %r3, 5; setp.lt.s32 %p2, %r7, 2; or.pred %p3, %p1, %p2; "
                       "@!%p3 bra DONE; mov.u32 %r10, %r3; mul.wide.s32 %rd10, %r10, 4; "
                       "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; DONE: ret;"));
  EXPECT_EQ(access.address_class, AddressClass::kDeterministic);
  EXPECT_EQ(access.pattern, AddressClass::kAffine);
  EXPECT_THAT(access.reason, HasSubstr("alternatives"));
}

TEST(AddressAnalysis, TakesABlockAfterABranchAsUnguarded) {
  const AddressForm access =
      Only(std::string("setp.lt.s32 %p1, %r3, 5; @%p1 bra OVER; mov.f32 %f2, 0f00000000; OVER: "
                       "mov.u32 %r10, %r3;") +
           kLoadR10);
  EXPECT_EQ(GuardsOf(access), "");
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
}

TEST(AddressAnalysis, KnowsThatAnOrOfDisjointBitsAdds) {
  const AddressForm access =
      Only(std::string("shl.b32 %r11, %r4, 4; or.b32 %r10, %r11, %r3;") + kLoadR10);
  EXPECT_EQ(ToString(access.form), "0 + 4*tid.x + 64*ctaid.x");
  const AddressForm overlapping =
      Only(std::string("shl.b32 %r11, %r4, 3; or.b32 %r10, %r11, %r3;") + kLoadR10);
  EXPECT_EQ(overlapping.address_class, AddressClass::kDeterministic);
  EXPECT_THAT(overlapping.reason, HasSubstr("or (line"));
}

TEST(AddressAnalysis, FoldsMasksShiftsAndDivisionsThatSplitEvenly) {
  EXPECT_EQ(ToString(Only(std::string("and.b32 %r10, %r6, 15;") + kLoadR10).form), "0 + 4*tid.x");
  EXPECT_EQ(ToString(Only(std::string("and.b32 %r10, %r6, -16;") + kLoadR10).form),
            "0 + 64*ctaid.x");
  EXPECT_EQ(ToString(Only(std::string("shr.s32 %r10, %r6, 4;") + kLoadR10).form), "0 + 4*ctaid.x");
  EXPECT_EQ(ToString(Only(std::string("xor.b32 %r10, %r3, -1;") + kLoadR10).form), "-4 - 4*tid.x");
  EXPECT_EQ(ToString(Only(std::string("rem.u32 %r10, %r6, 16;") + kLoadR10).form), "0 + 4*tid.x");
  EXPECT_EQ(ToString(Only(std::string("div.s32 %r10, %r6, 16;") + kLoadR10).form), "0 + 4*ctaid.x");
  EXPECT_EQ(Only(std::string("and.b32 %r10, %r6, 7;") + kLoadR10).address_class,
            AddressClass::kDeterministic);
}

TEST(AddressAnalysis, FoldsTheAbsoluteValueOfWhatIsNotNegative) {
  EXPECT_EQ(ToString(Only(std::string("abs.s32 %r10, %r3;") + kLoadR10).form), "0 + 4*tid.x");
}

TEST(AddressAnalysis, ReadsAConstantThatWrapsAroundAsANegativeOne) {
  EXPECT_EQ(ToString(Only(std::string("add.u32 %r10, %r3, 4294967295;") + kLoadR10).form),
            "-4 + 4*tid.x");
}

TEST(AddressAnalysis, NumbersLanesAlongTheAxesThatTheBlockHas) {
  const auto lane = [](Dim3 block) {
    const KernelUnderAnalysis kernel(
        "mov.u32 %r10, %laneid; mul.wide.u32 %rd10, %r10, 4; ld.global.f32 %f1, [%rd10]; ret;",
        {1, 1, 1}, block);
    return ToString(kernel.Analyze().accesses.at(0).form);
  };
  EXPECT_EQ(lane({32, 4, 1}), "0 + 4*tid.x");
  EXPECT_EQ(lane({16, 1, 1}), "0 + 4*tid.x");
  EXPECT_EQ(lane({1, 16, 1}), "0 + 4*tid.y");
  EXPECT_EQ(lane({1, 1, 16}), "0 + 4*tid.z");
  EXPECT_EQ(lane({4, 2, 4}), "0 + 4*tid.x + 16*tid.y + 32*tid.z");
}

TEST(AddressAnalysis, KeepsTheBufferOfAPointerFromWhichANumberIsTaken) {
  const std::string load = "ld.global.f32 %f1, [%rd11]; ret;";
  const std::string head = "mul.wide.s32 %rd10, %r3, 4; ";
  EXPECT_EQ(Only(head + "sub.s64 %rd11, %rd1, %rd10;" + load).array, "a");
  EXPECT_EQ(Only(head + "sub.s64 %rd11, %rd2, %rd10;" + load).array, "b");
  EXPECT_EQ(Only("sub.s64 %rd11, %rd2, %rd1;" + load).array, "?");  // a distance
}

TEST(AddressAnalysis, ProvesThatAWidenedIndexDoesNotWrap) {
  const char* before_first =
      "add.s32 %r10, %r3, -1; cvt.u64.u32 %rd9, %r10; shl.b64 %rd10, %rd9, 2;"
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;";
  const AddressForm wraps = Only(before_first);
  EXPECT_EQ(wraps.address_class, AddressClass::kDeterministic);
  EXPECT_THAT(wraps.reason, HasSubstr("wrap"));
  const AddressForm guarded =
      Only(std::string("setp.lt.s32 %p1, %r3, 1; @%p1 ret;") + before_first);
  EXPECT_EQ(ToString(guarded.form), "-4 + 4*tid.x");
  EXPECT_EQ(GuardsOf(guarded), "-1 + tid.x;");
}

TEST(AddressAnalysis, ReadsAnUnsignedComparisonAsTwoBounds) {
  // (unsigned)(tid.x - 3) < 8
  const AddressForm access =
      Only(std::string("add.s32 %r10, %r3, -3; setp.gt.u32 %p1, %r10, 7; @%p1 ret;") + kLoadR10);
  EXPECT_EQ(GuardsOf(access), "-3 + tid.x;10 - tid.x;");
  const AddressForm of_16_bits =
      Only(std::string("cvt.u16.u32 %rs1, %r3; add.u16 %rs2, %rs1, -3; setp.gt.u16 %p1, %rs2, 7; "
                       "@%p1 ret; mov.u32 %r10, %r3;") +
           kLoadR10);
  EXPECT_EQ(GuardsOf(of_16_bits), "-3 + tid.x;10 - tid.x;");
}

TEST(AddressAnalysis, ReadsAComparisonOf64BitsAsABound) {
  const AddressForm access =
      Only(std::string("cvt.s64.s32 %rd9, %r3; setp.ge.s64 %p1, %rd9, 5; @%p1 ret; "
                       "mov.u32 %r10, %r3;") +
           kLoadR10);
  EXPECT_EQ(GuardsOf(access), "4 - tid.x;");
}

TEST(AddressAnalysis, FoldsASelectWhoseConditionTheLaunchFixes) {
  const std::string body =
      std::string("setp.gt.s32 %p1, %r1, 7; selp.b32 %r10, %r3, %r7, %p1;") + kLoadR10;
  EXPECT_EQ(ToString(Only(body, 8).form), "0 + 4*tid.x");
  EXPECT_EQ(ToString(Only(body, 7).form), "0 + 4*tid.y");
}

TEST(AddressAnalysis, CallsAClampDeterministicUnlessItNeverActs) {
  EXPECT_EQ(ToString(Only(std::string("min.s32 %r10, %r3, 15;") + kLoadR10).form), "0 + 4*tid.x");
  const AddressForm clamped = Only(std::string("min.s32 %r10, %r3, 14;") + kLoadR10);
  EXPECT_EQ(clamped.address_class, AddressClass::kDeterministic);
  EXPECT_EQ(clamped.reason, Reason("min", 0));
}

TEST(AddressAnalysis, NamesTheLoadThatAnIndirectAddressComesFrom) {
  const KernelUnderAnalysis kernel(
      "mul.wide.s32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10;\nld.global.u32 %r10, [%rd11];\n"
      "mul.wide.s32 %rd12, %r10, 4; add.s64 %rd13, %rd2, %rd12;\nld.global.f32 %f1, [%rd13]; ret;",
      {4, 1, 1}, {16, 1, 1});
  const AddressAnalysis analysis = kernel.Analyze();
  ASSERT_EQ(analysis.accesses.size(), 2U);
  EXPECT_EQ(analysis.accesses[0].address_class, AddressClass::kAffine);
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kIndirect);
  EXPECT_EQ(analysis.accesses[1].array, "b");
  EXPECT_THAT(analysis.accesses[1].reason, HasSubstr(Reason("a loaded value", 1)));
}

TEST(AddressAnalysis, CallsAnAccessUnderALoadedConditionIndirectButItsPatternAffine) {
  const KernelUnderAnalysis kernel(
      "mul.wide.s32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10;\nld.global.u32 %r10, [%rd11];\n"
      "setp.eq.s32 %p1, %r10, 0; @%p1 ret;\nld.global.f32 %f1, [%rd11+4]; ret;",
      {4, 1, 1}, {16, 1, 1});
  const AddressForm access = kernel.Analyze().accesses.at(1);
  EXPECT_EQ(access.address_class, AddressClass::kIndirect);
  EXPECT_EQ(access.pattern, AddressClass::kAffine);
  EXPECT_THAT(access.reason, HasSubstr("guard: a loaded value"));
}

TEST(AddressAnalysis, CallsAnAddressFromTheSmNumberIndirect) {
  const AddressForm access = Only(std::string("mov.u32 %r10, %smid;") + kLoadR10);
  EXPECT_EQ(access.address_class, AddressClass::kIndirect);
}

TEST(AddressAnalysis, MergesEqualDefinitionsAndRefusesDifferentOnes) {
  const std::string head = "setp.lt.s32 %p1, %r3, 5; mov.u32 %r10, %r7; @%p1 bra OVER; ";
  EXPECT_EQ(ToString(Only(head + "mov.u32 %r10, %r7; OVER: " + kLoadR10).form), "0 + 4*tid.y");
  const AddressForm different = Only(head + "mov.u32 %r10, %r3; OVER: " + kLoadR10);
  EXPECT_EQ(different.address_class, AddressClass::kDeterministic);
  EXPECT_THAT(different.reason, HasSubstr("paths meet with different values"));
}

TEST(AddressAnalysis, HasAllThreeAxesOfThreadsAndTbs) {
  const KernelUnderAnalysis kernel(
      "mov.u32 %r9, %tid.z; mov.u32 %r10, %ctaid.z; mad.lo.s32 %r11, %r9, 3, %r10;\n"
      "mad.lo.s32 %r12, %r8, 5, %r11; mad.lo.s32 %r13, %r7, 7, %r12; mul.wide.s32 %rd10, %r13, 4;\n"
      "ld.global.f32 %f1, [%rd10]; ret;",
      {4, 2, 3}, {16, 4, 2});
  EXPECT_EQ(ToString(kernel.Analyze().accesses.at(0).form),
            "0 + 28*tid.y + 12*tid.z + 20*ctaid.y + 4*ctaid.z");
}

TEST(AddressAnalysis, NamesAGlobalVariableOfASingleByte) {
  const KernelUnderAnalysis kernel("mov.u64 %rd10, flag; ld.global.u8 %rs1, [%rd10]; ret;",
                                   {1, 1, 1}, {32, 1, 1}, 0, 0, 4096, ".global .u8 flag;\n");
  const AddressForm access = kernel.Analyze().accesses.at(0);
  EXPECT_EQ(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(access.array, "flag");
}

TEST(AddressAnalysis, FindsNothingInAKernelWithoutAccesses) {
  const KernelUnderAnalysis kernel("ret;", {4, 1, 1}, {16, 1, 1});
  EXPECT_TRUE(kernel.Analyze().accesses.empty());
}

TEST(AddressAnalysis, SaysWhichParameterIsMissing) {
  KernelUnderAnalysis kernel(std::string("mov.u32 %r10, %r1;") + kLoadR10, {4, 1, 1}, {16, 1, 1});
  kernel.launch().parameters.resize(16);
  const AddressForm access = kernel.Analyze().accesses.at(0);
  EXPECT_NE(access.address_class, AddressClass::kAffine);
  EXPECT_THAT(access.reason,
              HasSubstr(fmt::format("a parameter that the launch does not give (line {})",
                                    KernelUnderAnalysis::kLineOfN)));
}

TEST(AddressAnalysis, RefusesAnAddressThatLeaves64Bits) {
  const AddressForm access = Only(
      "cvt.s64.s32 %rd9, %r3; shl.b64 %rd9, %rd9, 60; add.s64 %rd10, %rd1, %rd9; "
      "ld.global.f32 %f1, [%rd10]; ret;");
  EXPECT_NE(access.address_class, AddressClass::kAffine);
}

}  // namespace address_analysis_test
}  // namespace flagstone
