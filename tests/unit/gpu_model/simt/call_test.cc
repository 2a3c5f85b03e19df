// Device functions, run: what inlined calls compute, and which lanes they compute it for.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace call_test {

using Ints = std::vector<uint32_t>;

// A kernel that leaves %r2 of every thread in `out`, after a body that may use %r1 = %tid.x.
std::string Text(const std::string& functions, const std::string& body) {
  return KernelText(".param .u64 out",
                    "mov.u32 %r1, %tid.x;\n" + body +
                        "\nld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4;\n"
                        "add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r2; ret;",
                    functions);
}

Ints OutOf(const std::string& functions, const std::string& body,
           FunctionalCounts* counts = nullptr) {
  KernelRun run = KernelRun::FromText(Text(functions, body));
  run.Buffer("out", Ints(32, 77));
  const FunctionalCounts found = run.Run();
  if (counts != nullptr) *counts = found;
  return run.Contents<uint32_t>("out");
}

// int f(int x): { x + 100 } with x by value in parameter space.
constexpr const char* kAdd100 =
    ".func (.param .b32 result) f(.param .b32 x)\n"
    "{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.s32 %r2, %r1, 100;\n"
    "st.param.b32 [result+0], %r2; ret; }\n";
constexpr const char* kCallF =
    "{ .param .b32 a; st.param.b32 [a+0], %r1; .param .b32 b;\n"
    "call.uni (b),\nf,\n(\na\n);\nld.param.b32 %r2, [b+0]; }";

TEST(Call, PassesAValueAndReturnsOne) {
  FunctionalCounts counts;
  const Ints out = OutOf(kAdd100, kCallF, &counts);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 100);
  // Each instruction of the text counts once: 6 of the kernel, 3 of the call, 4 of the function.
  EXPECT_EQ(counts.warp_instructions, 13U);
}

TEST(Call, KeepsTheRegistersOfTheCallerApart) {
  // The function has its own %r1; two calls have two.
  const Ints out = OutOf(kAdd100, std::string(kCallF) + "mov.u32 %r5, %r2;" + kCallF +
                                      "add.u32 %r2, %r2, %r5; add.u32 %r2, %r2, %r1;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 3 * i + 200);
}

TEST(Call, MayReturnEarlyInSomeLanes) {
  const char* const function =
      ".func (.param .b32 result) f(.param .b32 x)\n"
      "{ .reg .b32 %r<3>; .reg .pred %p<3>; ld.param.u32 %r1, [x]; and.b32 %r2, %r1, 1;\n"
      "st.param.b32 [result], 5; setp.eq.u32 %p1, %r2, 1; @%p1 ret;\n"
      "setp.gt.u32 %p2, %r1, 9; @%p2 bra L; st.param.b32 [result], 6; ret;\n"
      "L: st.param.b32 [result], 7; }\n";
  const Ints out = OutOf(function, kCallF);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 == 1 ? 5U : i > 9 ? 7U : 6U) << i;
}

TEST(Call, UnderAGuardRunsForItsLanesAlone) {
  for (const std::string guard : {"@%p1 ", "@!%p1 "}) {
    const Ints out = OutOf(kAdd100,
                           "mov.u32 %r2, 1; setp.lt.u32 %p1, %r1, 4;\n{ .param .b32 a; "
                           "st.param.b32 [a], %r1; .param .b32 b; st.param.b32 [b], 3;\n" +
                               guard + "call (b), f, (a); ld.param.b32 %r2, [b]; }");
    for (uint32_t i = 0; i < 32; ++i) {
      EXPECT_EQ(out[i], (i < 4) == (guard[1] == '%') ? i + 100 : 3U) << guard << i;
    }
  }
}

TEST(Call, NestsAndLoopsInsideDivergentCode) {
  const std::string functions = std::string(kAdd100) +
                                ".func (.param .b32 sum) g(.param .b32 n)\n"
                                "{ .reg .b32 %r<6>; .reg .pred %p<2>; ld.param.u32 %r1, [n];\n"
                                "mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                                "L: setp.ge.u32 %p1, %r3, %r1; @%p1 bra E;\n"
                                "{ .param .b32 q; st.param.b32 [q], %r3; .param .b32 r;\n"
                                "call.uni (r), f, (q); ld.param.b32 %r4, [r]; }\n"
                                "add.u32 %r2, %r2, %r4; add.u32 %r3, %r3, 1; bra.uni L;\n"
                                "E: st.param.b32 [sum], %r2; ret; }\n";
  const Ints out = OutOf(functions,
                         "mov.u32 %r2, 9; setp.gt.u32 %p1, %r1, 20; @%p1 bra X;\n"
                         "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n"
                         "call.uni (b), g, (a); ld.param.b32 %r2, [b]; } X:");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], i > 20 ? 9 : 100 * i + i * (i - (i > 0 ? 1 : 0)) / 2) << i;
  }
}

TEST(Call, TakesRegistersAndConstantsAsOldPtxDoes) {
  const char* const function =
      ".func (.reg .u32 %sum) f(.reg .u32 %a, .reg .u32 %b, .param .u32 c)\n"
      "{ .reg .u32 %t; ld.param.u32 %t, [c]; add.u32 %sum, %a, %b; add.u32 %sum, %sum, %t; ret; }";
  const Ints out = OutOf(function, "call (%r2), f, (%r1, 40, %r1);");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2 * i + 40);
  const Ints mixed = OutOf(function,
                           "{ .param .u32 p; .param .u32 q; st.param.u32 [p], 7;\n"
                           "call (q), f, (p, %r1, 5); ld.param.u32 %r2, [q]; }");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(mixed[i], i + 12);
}

TEST(Call, WithoutParametersOrResultsMayUseSharedMemory) {
  const char* const functions =
      ".shared .b32 cell[32]; .func put { .reg .b32 %a<3>; mov.u32 %a0, %tid.x; shl.b32 %a1, %a0, "
      "2;"
      "mov.u32 %a2, cell; add.u32 %a1, %a1, %a2; add.u32 %a0, %a0, 1; st.shared.u32 [%a1], %a0; }";
  const Ints out = OutOf(functions,
                         "call put; shl.b32 %r3, %r1, 2; mov.u32 %r4, cell;\n"
                         "add.u32 %r3, %r3, %r4; ld.shared.u32 %r2, [%r3];");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 1);
}

TEST(Call, ReadsTheLowBytesOfAWiderParameter) {
  const char* const function =
      ".func (.param .b32 result) f(.param .b32 c, .param .b32 s, .param .b8 u)\n"
      "{ .reg .b16 %s<3>; .reg .b32 %r<5>; ld.param.s8 %s1, [c]; ld.param.s16 %r2, [s];\n"
      "ld.param.u8 %r4, [u]; cvt.s32.s16 %r1, %s1; add.s32 %r3, %r1, %r2; add.s32 %r3, %r3, %r4;\n"
      "st.param.b32 [result], %r3; ret; }";
  const Ints out = OutOf(function,
                         "{ .param .b32 a; .param .b32 b; .param .b32 c; .param .b8 d;\n"
                         "add.u32 %r3, %r1, 0xFF80; st.param.b32 [a], %r3; st.param.b32 [b], %r3;\n"
                         "st.param.b8 [d], %r3; call (c), f, (a, b, d); ld.param.b32 %r2, [c]; }");
  for (uint32_t i = 0; i < 32; ++i) {
    const uint32_t value = i + 0xFF80;
    const int expected =
        static_cast<int8_t>(value) + static_cast<int16_t>(value) + static_cast<uint8_t>(value);
    EXPECT_EQ(static_cast<int>(out[i]), expected) << i;
  }
}

// A struct whose bytes are written in one way and read in another needs memory.
TEST(Call, PassesStructsThatAreReadInOtherPiecesThanWritten) {
  const char* const function =
      ".func (.param .align 8 .b8 result[8]) f(.param .align 8 .b8 s[16])\n"
      "{ .reg .b64 %d<4>; .reg .b32 %r<4>; ld.param.v2.u64 {%d1, %d2}, [s]; add.u64 %d3, %d1, "
      "%d2;\n"
      "st.param.b64 [result], %d3; ret; }";
  const Ints out = OutOf(function,
                         "{ .param .align 8 .b8 a[16]; .param .align 8 .b8 b[8];\n"
                         "st.param.v2.b32 [a], {%r1, 3}; st.param.b32 [a+8], 1;\n"
                         "st.param.b16 [a+12], 2; st.param.b8 [a+14], 4; st.param.b8 [a+15], 0;\n"
                         "call (b), f, (a); ld.param.v2.b32 {%r3, %r4}, [b];\n"
                         "shl.b32 %r4, %r4, 8; add.u32 %r2, %r3, %r4; }");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], (i + 1) + ((3 + 2 + (4U << 16)) << 8)) << i;
  }
}

TEST(Call, TakesTheAddressOfAParameterInLocalMemory) {
  const char* const function =
      ".func (.param .b32 result) f(.param .align 4 .b8 s[16], .param .b32 k)\n"
      "{ .reg .b64 %d<4>; .reg .b32 %r<4>; mov.b64 %d1, s; ld.param.u32 %r1, [k];\n"
      "mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; ld.local.u32 %r2, [%d3];\n"
      "ld.param.u32 %r3, [%d3]; add.u32 %r2, %r2, %r3; st.param.b32 [result], %r2; ret; }";
  const Ints out = OutOf(function,
                         "{ .param .align 4 .b8 a[16]; .param .b32 k; .param .b32 b;\n"
                         "st.param.b32 [a], 10; st.param.b32 [a+4], 11; st.param.b32 [a+8], 12;\n"
                         "st.param.b32 [a+12], %r1; and.b32 %r3, %r1, 3; st.param.b32 [k], %r3;\n"
                         "call (b), f, (a, k); ld.param.b32 %r2, [b]; }");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2 * (i % 4 == 3 ? i : 10 + i % 4)) << i;
}

TEST(Call, OfAFunctionThatExitsEndsItsThreads) {
  const Ints out = OutOf(
      ".func f { .reg .pred %p<1>; .reg .b32 %r<1>; mov.u32 %r0, %tid.x;\n"
      "setp.lt.u32 %p0, %r0, 8; @%p0 exit; ret; }",
      "mov.u32 %r2, 1; call f;");
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 8 ? 77U : 1U) << i;
}

TEST(Call, WithABarrierThatOnlySomeLanesReachFails) {
  KernelRun run = KernelRun::FromText(Text(
      ".func f { bar.sync 0; ret; }", "setp.lt.u32 %p1, %r1, 4; @%p1 call f; mov.u32 %r2, 1;"));
  run.Buffer("out", Ints(32));
  const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  EXPECT_NE(message.find("test.ptx:4: divergent barrier: 4 of 32"), std::string::npos) << message;
}

TEST(Call, NamesTheLineInsideTheFunctionThatFaults) {
  KernelRun run =
      KernelRun::FromText(Text("\n.func f {\n.reg .b32 %r<2>;\n"
                               "ld.global.u32 %r1, [16];\nret; }",
                               "call f;"));
  run.Buffer("out", Ints(32));
  const std::string message = MessageOf(ErrorKind::kRunFailed, [&] { run.Run(); });
  EXPECT_TRUE(message.starts_with("test.ptx:7: out-of-bounds load of 4 bytes")) << message;
}

}  // namespace call_test
}  // namespace flagstone
