// Forms that compilers other than today's nvcc write: Dr.Jit, NVIDIA's OpenCL, GCC, LLVM, old nvcc.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/conformance.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace compiler_forms_test {

// Thread i's word of `out`, which `body` leaves in %r1.
KernelRun Prepare(const std::string& body, const std::string& before = "") {
  const std::string text = KernelText(".param .u64 out",
                                      "ld.param.u64 %rd20, [out];\n" + body +
                                          "\nmov.u32 %r31, %tid.x;\nmul.wide.u32 %rd21, %r31, 4;\n"
                                          "add.s64 %rd20, %rd20, %rd21;\n"
                                          "st.global.u32 [%rd20], %r1;\nret;",
                                      before);
  KernelRun run = KernelRun::FromText(text, {1, 1, 1}, {8, 2, 2});
  run.Buffer("out", std::vector<uint32_t>(32, 77));
  return run;
}
std::vector<uint32_t> Words(const std::string& body, const std::string& before = "") {
  KernelRun run = Prepare(body, before);
  run.Run();
  return run.Contents<uint32_t>("out");
}
uint32_t Word(const std::string& body, const std::string& before = "") {
  return Words(body, before)[0];
}

TEST(NegatedPredicates, AreSourcesOfAllThatReadsPredicates) {
  struct Case {
    const char* text;
    bool (*oracle)(bool a, bool b);
  };
  const Case cases[] = {
      {"and.pred %p3, !%p1, %p2;", [](bool a, bool b) { return !a && b; }},
      {"and.pred %p3, %p1, !%p2;", [](bool a, bool b) { return a && !b; }},
      {"or.pred %p3, !%p1, !%p2;", [](bool a, bool b) { return !a || !b; }},
      {"xor.pred %p3, !%p1, %p2;", [](bool a, bool b) { return a == b; }},
      {"not.pred %p3, !%p1;", [](bool a, bool) { return a; }},
      {"mov.pred %p3, !%p2;", [](bool, bool b) { return !b; }},
      {"setp.eq.and.u32 %p3, %r2, %r2, !%p1;", [](bool a, bool) { return !a; }},
      {"selp.u32 %r5, 1, 0, !%p1; setp.ne.u32 %p3, %r5, 0;", [](bool a, bool) { return !a; }},
  };
  for (const Case& c : cases) {
    const std::vector<uint32_t> got =
        Words(std::string("mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 1; setp.ne.u32 %p1, %r3, 0;\n"
                          "and.b32 %r4, %r2, 2; setp.ne.u32 %p2, %r4, 0;\n") +
              c.text + "\nselp.u32 %r1, 1, 0, %p3;");
    for (uint32_t x = 0; x < 4; ++x) {
      EXPECT_EQ(got[x] != 0, c.oracle((x & 1) != 0, (x & 2) != 0)) << c.text << " " << x;
    }
  }
}

TEST(SpecialRegisters, AreReadInSixteenBits) {
  for (const char* const type : {"u16", "s16", "b16"}) {
    EXPECT_EQ(Word(fmt::format("mov.{} %rs1, %ntid.x; cvt.u32.u16 %r1, %rs1;", type)), 8U);
  }
  const std::vector<uint32_t> got = Words("mov.u16 %rs1, %tid.x; mad.wide.u16 %r1, %rs1, 3, 100;");
  for (uint32_t x = 0; x < 8; ++x) EXPECT_EQ(got[x], 3 * x + 100);
}

TEST(SpecialRegisters, AreReadAsVectors) {
  EXPECT_EQ(Word(".reg .v4 .u32 V; mov.v4.u32 V, %ntid;\n"
                 "mad.lo.u32 %r1, V.x, 10, V.y; mad.lo.u32 %r1, %r1, 10, V.z;\n"
                 "mad.lo.u32 %r1, %r1, 10, V.w;"),
            8220U);
  EXPECT_EQ(Word("mov.v4.u32 {%r1, _, %r3, _}, %ntid; shl.b32 %r3, %r3, 8; or.b32 %r1, %r1, %r3;"),
            0x208U);
  EXPECT_EQ(Word("mov.v4.u16 {%rs1, %rs2, %rs3, %rs4}, %ntid; cvt.u32.u16 %r1, %rs2;"), 2U);
}

// %envreg3 is OpenCL's offset; no counter is programmed; a clock of few cycles has no upper half.
TEST(SpecialRegisters, ThatNothingSetsAreZero) {
  for (const char* const name : {"%envreg0", "%envreg3", "%envreg31", "%pm0", "%pm7", "%tid.w",
                                 "%nctaid.w", "%clock_hi", "%globaltimer_hi"}) {
    EXPECT_EQ(Word(fmt::format("mov.u32 %r1, {};", name)), 0U) << name;
  }
  for (const char* const name : {"%pm3_64", "%current_graph_exec"}) {
    EXPECT_EQ(Word(fmt::format("mov.u64 %rd1, {}; cvt.u32.u64 %r1, %rd1;", name)), 0U) << name;
  }
}

TEST(SpecialRegisters, OfOpenClAskForNoWorkspace) {
  const std::string body = "mov.b32 %r1, %envreg1; mov.b32 %r2, %envreg2; or.b32 %r1, %r1, %r2;";
  EXPECT_TRUE(Prepare(body).launch().kernel->syncs_grid);
  std::string text = KernelText(".param .u64 out", body + "\nret;");
  text.insert(text.find('\n', text.find(".target")), ", texmode_independent");
  EXPECT_FALSE(KernelRun::FromText(text).launch().kernel->syncs_grid);
}

TEST(Ldu, ReadsAsLd) {
  const std::string words = ".global .align 16 .b32 words[4] = {3, 5, 7, 9};\n";
  EXPECT_EQ(Word("mov.u64 %rd1, words; ldu.global.u32 %r1, [%rd1+8];", words), 7U);
  EXPECT_EQ(Word("ldu.global.v2.u32 {%r2, %r3}, [words+8]; mad.lo.u32 %r1, %r2, 10, %r3;", words),
            79U);
}

// Those of the ISA's section 4.5, by C's rules for 64 bits.
TEST(ConstantExpressions, AreEvaluatedWhereverAConstantMayStand) {
  struct Case {
    const char* text;
    int64_t value;
  };
  const Case cases[] = {
      {"(1<<4)+3", 19},
      {"WARP_SZ-1", 31},
      {"-(-4)", 4},
      {"5>3?10:20", 10},
      {"0?1:0?2:3", 3},
      {"~0", -1},
      {"!0", 1},
      {"!7 + 2", 2},
      {"7 % 4", 3},
      {"-7/2", -3},
      {"(.u64)-7 >> 60", 15},
      {"(.s64)(0-8) >> 1", -4},
      {"1|6&3^8", 11},
      {"(1<2)&&(3>=2)||0", 1},
      {"3==3 == 1", 1},
      {"2 != 2 || 4 <= 3", 0},
      {"0x10 - 0b11 - 010", 5},
      {"10-2-3", 5},
      {"2+3*4", 14},
      {"1<<2+1", 8},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Execute(fmt::format("mov.s64 {{r}}, {};", c.text), Kind::kS64, {}, {{}}, false).at(0),
              static_cast<uint64_t>(c.value))
        << c.text;
  }
  EXPECT_EQ(Execute("mov.f32 {r}, -(0.5+1.0*3.0);", Kind::kF32, {}, {{}}, false).at(0),
            std::bit_cast<uint32_t>(-3.5F));
}

TEST(ConstantExpressions, StandInAddressesSizesAndInitialValues) {
  const std::string table = ".global .u32 table[2*3] = {1+1, 7>2?4:5, ~0&15, -(-8), WARP_SZ, 1};\n";
  EXPECT_EQ(Word("ld.global.u32 %r1, [table+4*1];", table), 4U);
  EXPECT_EQ(Word("ld.global.u32 %r1, [table+(1<<3)];", table), 15U);
  EXPECT_EQ(Word("mov.u64 %rd1, table; ld.global.u32 %r1, [%rd1+32-8*2];", table), 32U);
  EXPECT_EQ(Word("ld.global.u32 %r1, table[1+2];", table), 8U);
  EXPECT_EQ(Word("mov.u64 %rd1, table[4]; ld.global.u32 %r1, [%rd1];", table), 32U);
}

TEST(Variables, AreDeclaredByNumber) {
  const std::string sum =
      ".func (.param .u32 r) sum (.param .u32 a, .param .u32 b) { .reg .u32 x<3>;\n"
      "ld.param.u32 x1, [a]; ld.param.u32 x2, [b]; add.u32 x1, x1, x2; st.param.u32 [r], x1; ret; "
      "}\n";
  EXPECT_EQ(Word("{ .param .u32 q; .param .u32 p<2>; st.param.u32 [p0], 40; st.param.u32 [p1], 2;\n"
                 "call (q), sum, (p0, p1); ld.param.u32 %r1, [q]; }",
                 sum),
            42U);
  EXPECT_EQ(
      Word("st.global.u32 [cell2], 6; ld.global.u32 %r1, [cell2];", ".global .u32 cell<3>;\n"), 6U);
}

TEST(Variables, AreDeclaredExternAndDefinedInAnyOrder) {
  const std::string body = "ld.global.u32 %r1, [late+4];";
  const std::string extern_first = ".extern .global .u32 late[];\n";
  const std::string definition = ".visible .global .align 8 .u32 late[2] = {3, 4};\n";
  EXPECT_EQ(Word(body, extern_first + definition), 4U);
  EXPECT_EQ(Word(body, definition + extern_first), 4U);
  EXPECT_EQ(Word(body, extern_first + extern_first + definition), 4U);
  KernelRun run = Prepare("mov.u32 %r2, room; st.shared.u32 [%r2], 9; ld.shared.u32 %r1, [room];",
                          ".extern .shared .align 4 .b8 room[];\n"
                          ".extern .shared .align 16 .b8 room[];\n");
  run.DynamicShared(64).Run();
  EXPECT_EQ(run.Contents<uint32_t>("out")[0], 9U);
}

// As clang 17 and later pass what stands for "...": an array whose size the caller knows.
TEST(VariadicFunctions, TakeArraysOfAnySize) {
  const std::string pick =
      ".func (.param .b32 r) pick (.param .b32 n, .param .align 8 .b8 va[]) { .reg .b32 x<3>;\n"
      ".reg .b64 y<3>; ld.param.u32 x1, [n]; mov.b64 y1, va; mul.wide.u32 y2, x1, 4;\n"
      "add.u64 y1, y1, y2; ld.local.u32 x2, [y1]; st.param.b32 [r], x2; ret; }\n";
  const auto call = [](int words) {
    std::string text =
        fmt::format("{{ .param .b32 a; .param .align 8 .b8 b[{}]; .param .b32 q;\n", 4 * words);
    for (int i = 0; i < words; ++i)
      text += fmt::format("st.param.b32 [b+{}], {};\n", 4 * i, 10 * i + 3);
    return text + fmt::format(
                      "st.param.b32 [a], {}; call.uni (q), pick, (a, b);\n"
                      "ld.param.b32 %r1, [q]; }}",
                      words - 1);
  };
  EXPECT_EQ(Word(call(4), pick), 33U);
  EXPECT_EQ(Word(call(1), pick), 3U);
}

// Banks of constant memory, 16-bit places, 24-bit products, no .address_size.
TEST(OldPtx, Runs) {
  const std::string text =
      ".version 1.4\n.target sm_10, map_f64_to_f32\n.file 1 \"<command-line>\"\n"
      ".const[2] .u32 banked[4] = {5, 6, 7, 8};\n.tex .u64 unused;\n"
      ".func (.reg .u32 %rv1) helper (.reg .u32 %ra1) { add.u32 %rv1, %ra1, 1; ret; }\n"
      ".entry k (.param .u32 __cudaparm_out) { .reg .u16 %rh<4>; .reg .u32 %r<9>;\n"
      "mov.u16 %rh1, %ctaid.x; mov.u16 %rh2, %ntid.x; mul.wide.u16 %r1, %rh1, %rh2;\n"
      "cvt.u32.u16 %r2, %tid.x; add.u32 %r3, %r2, %r1; ld.const[2].u32 %r4, [banked+4];\n"
      "mul24.lo.u32 %r5, %r3, 4; ld.param.u32 %r6, [__cudaparm_out]; add.u32 %r6, %r6, %r5;\n"
      "call (%r7), helper, (%r3); mad.lo.u32 %r7, %r7, 100, %r4;\n"
      "st.global.u32 [%r6+0], %r7; exit; }\n";
  KernelRun run = KernelRun::FromText(text, {2, 1, 1}, {16, 1, 1});
  run.Buffer("out", std::vector<uint32_t>(32)).Run();
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(run.Contents<uint32_t>("out")[i], 100 * (i + 1) + 6);
  }
}

TEST(Entries, MayHavePrototypesAndHiddenParameters) {
  const std::string text =
      ".version 9.0\n.target sm_100\n.address_size 64\n"
      ".visible .entry k (.param .u64 out, .hidden .param .u32 n);\n"
      ".visible .entry k (.param .u64 out, .hidden .param .u32 n) { .reg .u64 a; .reg .u32 b;\n"
      "ld.param.u64 a, [out]; ld.param.u32 b, [n]; st.global.u32 [a], b; ret; }\n";
  KernelRun run = KernelRun::FromText(text);
  run.Buffer("out", std::vector<uint32_t>(1)).Scalar(uint32_t{5}).Run();
  EXPECT_EQ(run.Contents<uint32_t>("out")[0], 5U);
}

}  // namespace compiler_forms_test
}  // namespace flagstone::conformance
