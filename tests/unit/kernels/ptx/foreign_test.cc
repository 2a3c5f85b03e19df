// PTX that is read and refused only when a kernel that holds it is to run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace foreign_test {

using ::testing::HasSubstr;

TEST(Foreign, InstructionsAreRefusedWithTheirPlaceWhenTheirKernelIsToRun) {
  EXPECT_EQ(RefusalOf("mov.u32 %r1, 0;\n  @%p1 wmma.load.a.sync.aligned.col.m8n8k32.global.s4 "
                      "{%r0},\n [%rd1], %r2;"),
            "k.ptx:3:3: entry 'k' cannot run: this instruction is not supported (tensor cores): "
            "'@%p1 wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r0}, [%rd1], %r2'");
  EXPECT_THAT(RefusalOf("sured.b.add.2d.u32.trap [%rd1, {%r1, %r2}], %r3;"),
              HasSubstr("this instruction is not supported (surfaces): 'sured.b.add.2d.u32.trap"));
  EXPECT_THAT(RefusalOf("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0}, %rd1;"),
              HasSubstr("(tensor cores of sm_90a)"));
  const std::pair<std::string, std::string> kTensorMemory[] = {
      {"alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r1], 64", "pairs of thread blocks"},
      {"mma.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r2], %r3, %p1",
       "sparse products in tensor memory"},
      {"mma.ws.cta_group::1.kind::i8.collector::b0::fill [%r1], %rd1, %rd2, %r2, %p1",
       "products in tensor memory that keep B"},
      {"mma.cta_group::1.kind::tf32.ashift [%r1], [%r2], %rd2, %r2, %p1",
       "products of rows that are shifted"},
      {"mma.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1",
       "scales of blocks in tensor memory"}};
  for (const auto& [text, feature] : kTensorMemory) {
    EXPECT_THAT(RefusalOf("tcgen05." + text + ";"),
                HasSubstr("this instruction is not supported (" + feature + "): 'tcgen05." +
                          text.substr(0, 40)));
  }
}

TEST(Foreign, TypesAndModifiersMakeAKnownInstructionForeign) {
  const std::pair<std::string, std::string> kRefused[] = {
      {"add.rn.e4m3x2 %rs1, %rs2, %rs3", "floats of 8 bits and less"},
      {"cp.async.bulk.tensor.4d.shared::cluster.global.tile.cta_group::2 [%r1], %rd1",
       "pairs of thread blocks"},
      {"tex.grad.2d.v4.f32.f32 {%f1}, [%rd1]", "levels of detail"},
      {"min.f32x2 %rd1, %rd2, %rd3", "packed floats"},
      {"atom.global.b128.exch %rd1, [%rd1], %rd2", "128 bits"},
      {"st.async.b32 [%r1], %r2, [%r3]", "asynchronous copies"},
  };
  for (const auto& [text, feature] : kRefused) {
    EXPECT_THAT(RefusalOf(text + ";"),
                HasSubstr("this instruction is not supported (" + feature + "): '" + text + "'"));
  }
}

TEST(Foreign, SpecialRegistersHaveTheNumbersOfTheIsa) {
  for (const char* const text :
       {"mov.u32 %r1, %aggr_smem_size;", "mov.u32 %r1, %envreg31;", "mov.u32 %r1, %pm7;",
        "mov.u64 %rd1, %pm7_64;", "mov.u64 %rd1, %current_graph_exec;"}) {
    EXPECT_EQ(RefusalOf(text), "") << text;
  }
  for (const std::string name :
       {"%envregx", "%envreg32", "%envreg", "%envreg01", "%pm8", "%pm0_6"}) {
    EXPECT_EQ(ErrorInBody("mov.u32 %r1, " + name + ";"),
              "k.ptx:2:14: unknown register '" + name + "'");
  }
}

TEST(Foreign, OtherKernelsOfTheFileRun) {
  const auto module = Parse(
      ".version 8.0 .target sm_90 .address_size 64 .func f { .reg .b128 %q; st.async.b32 [%r1]; }"
      ".entry a() { call f; } .entry b() { .reg .f16 %h<2>; ret; } .entry c() { "
      "st.async.b32 [%r1]; }",
      "k.ptx");
  EXPECT_EQ(module->FindKernel("a").refusals.size(), 1U);
  EXPECT_TRUE(module->FindKernel("b").refusals.empty());
  EXPECT_EQ(module->FindKernel("c").refusals.size(), 1U);
  module->CheckRunnable(module->FindKernel("b"));
}

// What such an instruction may write is known, so that those who follow values see it.
TEST(Foreign, AnInstructionThatIsNotExecutedKeepsTheRegistersThatItMayWrite) {
  const std::pair<std::string, std::string> kWritten[] = {
      {"@!%p1 wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f2, %f3, %f0}, %rd1, "
       "%rd2, "
       "%p2, 1, 1, 0, 0;",
       "%f1 %f2 %f3 %f0 "},
      {"multimem.ld_reduce.global.v2.f32.add {%r1, %r2}, [%rd3];", "%r1 %r2 "},
      {"vmin2.u32.u32.u32 %r1, %r2, %r3, %r2;", "%r1 "},
      {"setp.eq.f32x2 %p1|%p2, %rd1, %rd2;", "%p1 %p2 "},
      {"@ ! %p1 vmin2.u32.u32.u32 %r1, %r2, %r3, %r2;", "%r1 "},
      {"ld.global.f32 %rd3, [%rd1];", "%rd3 "},
      {"st.async.b32 [%r1], %r2, [%r3];", ""},
      {"tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;", ""},
      {"sured.b.add.2d.u32.trap [%rd1, {%r1, %r2}], %r3;", ""},
  };
  for (const auto& [text, names] : kWritten) {
    const auto module = Parse(
        ".version 8.8 .target sm_100a .address_size 64 .entry k() { .reg .pred %p<3>; .reg .b32 "
        "%r<4>; .reg .b64 %rd<8>; .reg .f32 %f<4>; " +
            text + " ret; }",
        "k.ptx");
    const Kernel& kernel = module->FindKernel("k");
    const Instruction& instruction = kernel.instructions.at(0);
    std::string written;
    for (const Operand& result : instruction.operands) {
      for (const Operand& element : result.elements) {
        written += kernel.registers.at(element.reg).name + " ";
      }
    }
    EXPECT_EQ(instruction.opcode, Opcode::kUnsupported) << text;
    EXPECT_EQ(written, names) << text;
    EXPECT_EQ(instruction.destinations, names.empty() ? 0 : 1) << text;
    EXPECT_EQ(instruction.guard.has_value(), text[0] == '@') << text;
    module->CheckAnalyzable(kernel);
    EXPECT_THROW(module->CheckRunnable(kernel), Error) << text;
  }
}

// Without a branch or a function code is missing, not only a result.
TEST(Foreign, AKernelThatLacksCodeCannotBeAnalyzed) {
  for (const char* const text :
       {"call (%r1), nowhere, (%r2);", "@%p1 call nowhere;", "st.global.u32 [other], %r1;"}) {
    const auto module =
        Parse(std::string(".version 8.8 .target sm_100 .address_size 64 .extern .global .u32 other;"
                          ".func (.reg .b32 a) nowhere(.reg .b32 b); .entry k() { "
                          ".reg .pred %p<3>; .reg .b32 %r<4>; ") +
                  text + " ret; }",
              "k.ptx");
    EXPECT_THROW(module->CheckAnalyzable(module->FindKernel("k")), Error) << text;
  }
}

// A file of each form that sm_100 brought: the one that is not executed refuses its own entry.
TEST(Foreign, ACopyOfSingleBytesRefusesItsKernelAlone) {
  const auto module = ParseFile("tests/system/fuzz/seeds/ptx_parser_fuzz/sm_100.ptx");
  EXPECT_TRUE(module->FindKernel("k").refusals.empty());
  module->CheckRunnable(module->FindKernel("k"));
  const Kernel& refused = module->FindKernel("refused");
  ASSERT_EQ(refused.refusals.size(), 1U);
  EXPECT_EQ(refused.refusals[0].reason,
            "this instruction is not supported (copies of single bytes)");
}

// Forms that public kernels hold and that once cost all kernels of their file.
TEST(Foreign, AnInstructionThatCannotBeReadRefusesItsKernelAlone) {
  for (const char* const text : {
           "mov.u16 %rs1, %laneid;",
           "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1}, {%r1}, {%r2}, {%r3}, 0;",
           "cvt.pack.sat.u8.s32 %r1, %r1, %r1;",
           ".reg .v2 .f32 %v; add.f32 %f1, %v, %v;",
           ".reg .v2 .f32 %v; add.f32 %f1, %v.z, %v.x;",
           ".reg .v2 .f32 %v; mov.v2.f32 {%f1, %f2}, {%v, %f3};",
           "ld.global.f32 %rd3, [%rd1];",
           "st.global.u32 [%rd1], %r1 + 1;",
           "red.shared.add.v4.f32 [%r1], {%f1, %f1, %f1, %f1};",
           "red.global.min.v4.f32 [%rd1], {%f1, %f1, %f1, %f1};",
           "lop3.xor.b32 %r3|%p1, %r1, %r1, %r1, 0x40, %p2;",
           "lop3.or.b32 %r3, %r1, %r1, %r1, 0x40, %p2;",
           "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1, %r2}, {%r1}, {%r1}, {%r1, %r2};",
           "ld.shared.v4.u64 {%rd3, %rd4, %rd5, %rd6}, [%r1];",
           "max.f32 %f3, %f1, %f2, %f2;",
           "ld.global.v2.f32 {%f1, %nowhere}, [%rd1];",
           "mov.v2.f32 {%f1, %f2}, {%f1, {%f2}};",
           "call (%r1), nowhere, (%r2);",
           "mov.v4.f32 %v, {%f1, %f1, {%f1}};",
       }) {
    const auto module = Parse(
        ".version 8.8 .target sm_100 .address_size 64 .entry bad() { .reg "
        ".pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .f32 %f<4>;\n" +
            std::string(text) + "\nret; } .entry good() { ret; }",
        "k.ptx");
    EXPECT_EQ(module->FindKernel("bad").refusals.size(), 1U) << text;
    EXPECT_THROW(module->CheckRunnable(module->FindKernel("bad")), Error) << text;
    EXPECT_EQ(module->FindKernel("bad").instructions.back().opcode, Opcode::kRet) << text;
    module->CheckRunnable(module->FindKernel("good"));
  }
  EXPECT_EQ(RefusalOf("ld.global.f32 %rd3, [%rd1];"),
            "k.ptx:2:15: entry 'k' cannot run: expected a register for f32 as the destination in "
            "'ld.global.f32', found '%rd3' of type b64: 'ld.global.f32 %rd3, [%rd1]'");
}

TEST(Foreign, AStatementWithoutAnEndIsAnErrorOfTheFile) {
  EXPECT_EQ(ErrorOf(InKernel("add.s32 %r1, %r2")),
            "k.ptx:3:1: expected ',' or ';' after an operand, found '}'");
  EXPECT_EQ(ErrorOf(InKernel("add.foo %r1, %r2")), "k.ptx:2:4: 'add' does not take '.foo' here");
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

}  // namespace foreign_test
}  // namespace flagstone::ptx
