// wgmma as ptxas takes it: shapes and types, operands of each form, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/ptx/wgmma_form.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace wgmma_parser_test {

using ::testing::HasSubstr;

const std::string kName = "wgmma.mma_async.sync.aligned.";
const std::string kFour = "{%f1, %f2, %f3, %f4}", kWords = "{%r1, %r2, %r3, %r4}";

TEST(WgmmaParser, TakesWhatPtxasTakes) {
  for (const std::string& text : {
           kName + "m64n8k16.f32.f16.f16 " + kFour + ", %rd1, %rd2, !%p1, -1, 1, 0, 1",
           kName + "m64n8k16.f32.f16.f16 " + kWords + ", 0, 0, 0, 1, 1, 0, 0",
           kName + "m64n8k16.f32.bf16.bf16 " + kFour + ", " + kWords + ", %rd2, 1, 1, 1, 0",
           kName + "m64n8k16.f16.f16.f16 {%r1, %r2}, %rd1, %rd2, %p1, 1, 1, 0, 0",
           kName + "m64n8k8.f32.tf32.tf32 " + kFour + ", " + kWords + ", %rd2, %p1, 1, -1",
           kName + "m64n8k32.f16.e5m2.e4m3 {%r1, %r2}, " + kWords + ", %rd2, %p1, 1, 1",
           kName + "m64n8k32.satfinite.s32.s8.u8 " + kWords + ", %rd1, %rd2, %p1",
           kName + "m64n8k32.s32.s8.u8.satfinite " + kWords + ", %rd1, %rd2, %p1",
           kName + "m64n8k256.s32.b1.b1.and.popc " + kWords + ", " + kWords + ", %rd2, 1",
           std::string("wgmma.mma_async.sync.m64n8k32.s32.u8.u8 ") + kWords + ", %rd1, %rd2, 1",
           std::string("wgmma.fence.sync.aligned"),
           std::string("wgmma.commit_group.sync.aligned"),
           std::string("wgmma.wait_group.sync.aligned 100"),
           std::string("wgmma.fence.sync"),
       }) {
    EXPECT_EQ(ErrorInBody(text + ";"), "") << text;
  }
}

TEST(WgmmaParser, KnowsNoOtherFormsThanTheIsa) {
  for (const char* shape :
       {"m64n8k32.f32.f16.f16", "m64n12k16.f32.f16.f16", "m64n264k16.f32.f16.f16",
        "m64n0k16.f32.f16.f16", "m64nk16.f32.f16.f16", "m64n8k16x.f32.f16.f16",
        "m64n8k16.bf16.bf16.bf16", "m64n8k16.f32.bf16.f16", "m64n8k16.f32.f16",
        "m64n8k16.satfinite.f32.f16.f16", "m64n40k32.s32.s8.s8", "m64n8k32.f32.s8.s8",
        "m64n8k256.s32.b1.b1.xor.popc", "m64n8k256.s32.b1.b1", "m64n8k8.f16.tf32.tf32",
        "m64n8k256.satfinite.s32.b1.b1.and.popc", "m32n8k16.f32.f16.f16"}) {
    EXPECT_THAT(ErrorInBody(kName + shape + " " + kFour + ", %rd1, %rd2, 1, 1, 1, 0, 0;"),
                HasSubstr("this instruction is not supported (tensor cores of sm_90a)"))
        << shape;
  }
  EXPECT_THAT(ErrorInBody("wgmma.fence.aligned;"), HasSubstr("is not supported"));
  EXPECT_THAT(ErrorInBody("wgmma.wait_all.sync.aligned;"), HasSubstr("is not supported"));
}

TEST(WgmmaParser, SaysWhatAnOperandMustBe) {
  const std::string start = kName + "m64n8k16.f32.f16.f16 ";
  const auto error = [&](const std::string& operands) {
    return ErrorInBody(start + operands + ";");
  };
  EXPECT_EQ(error("{%f1, %f2}, %rd1, %rd2, 1, 1, 1, 0, 0"),
            "k.ptx:2:51: expected a vector of 4 registers of 32 bits in 'wgmma.mma_async'");
  EXPECT_THAT(error(kFour + ", %rd1, %rd2, 1, 1, 1"),
              HasSubstr("expected 8 operands of 'wgmma.mma_async', found 6"));
  EXPECT_THAT(error(kFour + ", " + kWords + ", %rd2, 1, 1, 1, 0, 0"),
              HasSubstr("expected 7 operands"));
  EXPECT_THAT(error(kFour + ", " + kFour + ", %rd2, 1, 1, 1, 0"),
              HasSubstr("a vector of 4 '.b32' registers of 32 bits"));
  EXPECT_THAT(error(kFour + ", %r1, %rd2, 1, 1, 1, 0, 0"),
              HasSubstr("expected a matrix descriptor of 64 bits, or four registers,"));
  EXPECT_THAT(error(kFour + ", %rd1, %fd2, 1, 1, 1, 0, 0"),
              HasSubstr("expected a matrix descriptor of 64 bits in"));
  EXPECT_THAT(error(kFour + ", %rd1, %rd2, 7, 1, 1, 0, 0"),
              HasSubstr("expected a predicate, 0 or 1"));
  EXPECT_THAT(error(kFour + ", %rd1, %rd2, 1, 0, 1, 0, 0"),
              HasSubstr("expected -1 or 1 as a sign"));
  EXPECT_THAT(error(kFour + ", %rd1, %rd2, 1, 1, 1, 0, 2"),
              HasSubstr("expected 0 or 1 as a transpose"));
  EXPECT_THAT(ErrorInBody("wgmma.wait_group.sync.aligned -1;"),
              HasSubstr("expected a number of groups, 0 or more"));
  EXPECT_THAT(ErrorInBody("wgmma.wait_group.sync.aligned;"), HasSubstr("expected 1 operand of"));
  EXPECT_THAT(ErrorInBody("wgmma.fence.sync.aligned 1;"), HasSubstr("expected 0 operands of"));
}

// Who looks for reads finds the sums, but where they do not count.
TEST(WgmmaParser, HasTheSumsAmongWhatIsRead) {
  const std::string start = kName + "m64n8k16.f32.f16.f16 " + kFour + ", %rd1, %rd2, ";
  const Instruction adds = ParseInstruction(start + "%p1, 1, 1, 0, 0;");
  EXPECT_EQ(adds.destinations, 1);
  ASSERT_EQ(adds.operands.size(), 9U);
  EXPECT_EQ(adds.operands.back().elements.size(), 4U);
  EXPECT_EQ(ParseInstruction(start + "0, 1, 1, 0, 0;").operands.size(), 8U);
}

// After a long one that is refused, too, vectors have at most 8 elements.
TEST(WgmmaParser, LeavesOtherVectorsAsTheyAre) {
  std::string sums;
  for (int i = 0; i < 64; ++i) sums += i == 0 ? "%f1" : ", %f1";
  EXPECT_THAT(ErrorInBody(kName + "m64n8k16.f32.f16.f16 {" + sums + "}, %f1;\n" + "mov.v4.f32 {" +
                          sums + "}, {" + sums + "};"),
              HasSubstr("expected 8 operands"));
  EXPECT_THAT(ErrorInBody("mov.v4.f32 {" + sums + "}, {" + sums + "};"),
              HasSubstr("expected at most 8 elements in a vector"));
}

}  // namespace wgmma_parser_test
}  // namespace flagstone::ptx
