// PTX that is read and refused only when a kernel that holds it is to run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace {

using ::testing::HasSubstr;

std::string RefusalOf(const std::string& body) {
  const auto module = Parse(InKernel(body), "k.ptx");
  try {
    module->CheckRunnable(*module->kernels[0]);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Foreign, InstructionsAreRefusedWithTheirPlaceWhenTheirKernelIsToRun) {
  EXPECT_EQ(RefusalOf("mov.u32 %r1, 0;\n  @%p1 wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
                      "{%r0, %r1},\n [%rd1], %r2;"),
            "k.ptx:3:3: entry 'k' cannot run: this instruction is not supported: '@%p1 "
            "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1}, [%rd1], %r2'");
  EXPECT_THAT(RefusalOf("sust.b.2d.v4.b32.trap [%rd1, {%r1, %r2}], {%r3, %r4, %r5, %r6};"),
              HasSubstr("this instruction is not supported: 'sust.b.2d.v4.b32.trap"));
  EXPECT_THAT(RefusalOf("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0,%f1}, {%r0},{%r1}, "
                        "{%f2,%f3};"),
              HasSubstr("'mma.sync"));
}

TEST(Foreign, TypesAndModifiersMakeAKnownInstructionForeign) {
  for (const char* const text :
       {"add.f16x2 %r1, %r2, %r3;", "cvt.rn.f16.f32 %rs1, %f1;", "cvt.f32.f16 %f1, %rs1;",
        "fma.rn.relu.bf16 %rs1, %rs2, %rs3, %rs4;", "max.NaN.f32 %f1, %f2, %f3;",
        "add.cc.u32 %r1, %r2, %r3;", "atom.add.noftz.f16x2 %r1, [%rd1], %r2;",
        "ld.shared::cluster.u32 %r1, [%r2];", "st.async.b32 [%r1], %r2, [%r3];"}) {
    const std::string shown = std::string(text, std::string(text).size() - 1);
    EXPECT_THAT(RefusalOf(text), HasSubstr("this instruction is not supported: '" + shown + "'"));
  }
}

TEST(Foreign, SpecialRegistersAreRefusedToo) {
  for (const char* const text : {"mov.u32 %r1, %cluster_ctaid.x;", "mov.u64 %rd1, %globaltimer;",
                                 "mov.u32 %r1, %envreg12;", "mov.u32 %r1, %pm3;"}) {
    EXPECT_THAT(RefusalOf(text), HasSubstr("this special register is not supported")) << text;
  }
  EXPECT_EQ(ErrorOf(InKernel("mov.u32 %r1, %envregx;")), "k.ptx:2:14: unknown register '%envregx'");
}

TEST(Foreign, OtherKernelsOfTheFileRun) {
  const auto module = Parse(
      ".version 8.0 .target sm_90 .address_size 64 .func f { .reg .b128 %q; tcgen05.wait::ld.sync; "
      "}"
      ".entry a() { call f; } .entry b() { .reg .f16 %h<2>; ret; } .entry c() { elect.sync _, 1; }",
      "k.ptx");
  EXPECT_EQ(module->FindKernel("a").refusals.size(), 1U);
  EXPECT_TRUE(module->FindKernel("b").refusals.empty());
  EXPECT_EQ(module->FindKernel("c").refusals.size(), 1U);
  module->CheckRunnable(module->FindKernel("b"));
}

TEST(Foreign, OperandsEndAtTheSemicolon) {
  EXPECT_EQ(ErrorOf(InKernel("wmma.foo {%r1, [%r2}, %r3;")),
            "k.ptx:2:20: expected ']' in 'wmma.foo {%r1, [%r2}, %r3', found '}'");
  EXPECT_EQ(ErrorOf(InKernel("wmma.foo %r1")),
            "k.ptx:3:1: expected ';' in 'wmma.foo %r1', found '}'");
  EXPECT_EQ(ErrorOf(InKernel("wmma.foo {%r1;")),
            "k.ptx:2:14: expected '}' in 'wmma.foo {%r1', found ';'");
}

TEST(Foreign, OpaqueVariablesAreReadWithTheirInitialisers) {
  const auto module = Parse(
      ".version 1.5 .target sm_13, texmode_independent\n.global .texref image;\n"
      ".global .samplerref how = { addr_mode_0 = wrap, filter_mode = linear };\n"
      ".global .surfref there; .tex .u32 old;",
      "k.ptx");
  ASSERT_EQ(module->globals.size(), 4U);
  EXPECT_EQ(module->globals[1]->type, Type::kSamplerref);
  EXPECT_EQ(module->globals[2]->type, Type::kSurfref);
}

}  // namespace
}  // namespace flagstone::ptx
