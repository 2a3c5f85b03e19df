// The handlers that decoding chooses by an instruction's types.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace handler_choice_test {

// What a thread has in %rd3 after the body.
uint64_t ResultOf(const std::string& body) {
  KernelRun run =
      KernelRun::FromText(KernelText(".param .u64 out", "ld.param.u64 %rd9, [out];\n" + body +
                                                            "\nst.global.u64 [%rd9], %rd3;\nret;"),
                          {1, 1, 1}, {1, 1, 1});
  run.Buffer("out", std::vector<uint64_t>(1)).Run();
  return run.Contents<uint64_t>("out")[0];
}

TEST(HandlerChoice, HasHalvesPairsOfHalvesAndPairsOfSingles) {
  // 1.0 + 2.0, and in the upper half 0.5 + 0.25.
  EXPECT_EQ(ResultOf("mov.u16 %rs1, 0x3c00; mov.u16 %rs2, 0x4000; add.f16 %rs3, %rs1, %rs2;\n"
                     "cvt.u64.u16 %rd3, %rs3;"),
            0x4200U);
  EXPECT_EQ(ResultOf("mov.u32 %r1, 0x38003c00; mov.u32 %r2, 0x34004000;\n"
                     "add.f16x2 %r3, %r1, %r2; cvt.u64.u32 %rd3, %r3;"),
            0x3a004200U);
  EXPECT_EQ(ResultOf("mov.u64 %rd1, 0x3f0000003f800000; mov.u64 %rd2, 0x3e80000040000000;\n"
                     "add.rn.f32x2 %rd3, %rd1, %rd2;"),
            0x3f40000040400000U);
}

TEST(HandlerChoice, HasComparisonsWhoseResultIsTheTypesOneOrAllBits) {
  const std::string three = "mov.u32 %r1, 3; mov.f32 %f1, 0f40400000;\n";
  const auto set = [&](const std::string& text) {
    return ResultOf(three + text + "cvt.u64.u32 %rd3, %r3;");
  };
  EXPECT_EQ(set("set.lt.u32.u32 %r3, %r1, 4;\n"), 0xffffffffU);
  EXPECT_EQ(set("set.gt.u32.u32 %r3, %r1, 4;\n"), 0U);
  EXPECT_EQ(set("set.eq.s32.f32 %r3, %f1, 0f40400000;\n"), 0xffffffffU);
  EXPECT_EQ(set("set.eq.f32.u32 %f3, %r1, 3;\nmov.b32 %r3, %f3;\n"), 0x3f800000U);
  EXPECT_EQ(set("set.ne.f32.u32 %f3, %r1, 3;\nmov.b32 %r3, %f3;\n"), 0U);
}

TEST(HandlerChoice, TakesLiteralsInTheTypeOfTheInstruction) {
  const auto single = [](const std::string& literal) {
    return ResultOf("mov.f32 %f1, " + literal + "; mov.b32 %r3, %f1; cvt.u64.u32 %rd3, %r3;");
  };
  EXPECT_EQ(single("0f3f000000"), 0x3f000000U);
  EXPECT_EQ(single("0d3fe0000000000000"), 0x3f000000U);
  EXPECT_EQ(single("0.5"), 0x3f000000U);
  EXPECT_EQ(ResultOf("mov.f64 %fd1, 0f3f000000; mov.b64 %rd3, %fd1;"), 0x3fe0000000000000U);
  EXPECT_EQ(ResultOf("mov.b32 %r3, 0f3f000000; cvt.u64.u32 %rd3, %r3;"), 0x3f000000U);
  EXPECT_EQ(ResultOf("mov.b64 %rd3, 0d3fe0000000000000;"), 0x3fe0000000000000U);
  EXPECT_EQ(ResultOf("mov.u16 %rs1, -2; cvt.u64.u16 %rd3, %rs1;"), 0xfffeU);
  EXPECT_EQ(ResultOf("mov.u64 %rd3, -2;"), 0xfffffffffffffffeU);
}

TEST(HandlerChoice, ReadsArgumentsWithTheirSignAndAtTheirPlaces) {
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 out, .param .align 8 .b8 block[16], .param .s16 small",
                 "ld.param.u64 %rd9, [out];\nld.param.v2.s32 {%rd1, %rd2}, [block];\n"
                 "ld.param.s8 %r1, [block+9];\nld.param.u8 %r2, [block+9];\n"
                 "ld.param.s16 %rd3, [small];\nst.global.v2.u64 [%rd9], {%rd1, %rd2};\n"
                 "st.global.v2.u32 [%rd9+16], {%r1, %r2};\nst.global.u64 [%rd9+24], %rd3;\nret;"),
      {1, 1, 1}, {1, 1, 1});
  run.Buffer("out", std::vector<uint64_t>(4));
  std::array<uint8_t, 16> block = {};
  block[0] = 5;
  block[4] = block[5] = block[6] = block[7] = 0xff;
  block[9] = 0x80;
  run.Scalar(block).Scalar(int16_t{-3}).Run();
  EXPECT_EQ(run.Contents<uint64_t>("out"),
            (std::vector<uint64_t>{5, ~uint64_t{0}, 0x80'ffff'ff80, ~uint64_t{0} - 2}));
}

TEST(HandlerChoice, IssuesTheOnlyInstructionOfAKernel) {
  KernelRun run = KernelRun::FromText(KernelText("", "ret;"), {2, 1, 1}, {64, 1, 1});
  EXPECT_EQ(run.Run().warp_instructions, 4U);
}

}  // namespace handler_choice_test
}  // namespace flagstone
