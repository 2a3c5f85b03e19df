// tcgen05 as it is read: its words in any order, its operands, and what is refused with a line.
// What is taken and what is not, ptxas 13.0 has so, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels/ptx/tensor_memory_form.h"
#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace tcgen05_parser_test {

using ::testing::HasSubstr;

std::string Wrong(const std::string& text) { return ErrorInBody("tcgen05." + text + ";"); }

TEST(Tcgen05Parser, ReadsWordsInAnyOrder) {
  const Instruction load = ParseInstruction(
      "@%p1 tcgen05.ld.x2.aligned.sync.16x128b.pack::16b.b32 {%r1, _, %r2, %f1}, "
      "[%r3+8];");
  EXPECT_EQ(load.opcode, Opcode::kTcgen05);
  EXPECT_EQ(NameOf(load.tensor_memory), "tcgen05.ld.16x128b.x2.16b");
  EXPECT_EQ(load.tensor_memory.Registers(), 4U);
  EXPECT_EQ(load.destinations, 1);
  EXPECT_TRUE(load.guard.has_value());
  EXPECT_EQ(load.operands[1].offset, 8);
  const Instruction reduces = ParseInstruction(
      "tcgen05.ld.red.sync.aligned.16x32bx2.x2.f32.max.abs.NaN {%f1, %f2}, %f3, [%r3], 16;");
  EXPECT_EQ(NameOf(reduces.tensor_memory), "tcgen05.ld.16x32bx2.x2.max.f32.abs.NaN");
  EXPECT_EQ(reduces.destinations, 2);
  const Instruction copy = ParseInstruction(
      "tcgen05.cp.warpx2::01_23.64x128b.b8x16.b6x16_p32.cta_group::1 [%r1], %rd1;");
  EXPECT_EQ(copy.tensor_memory.shape, TensorMemoryShape::k64x128By01);
  EXPECT_EQ(copy.tensor_memory.packed_bits, 6);
  const Instruction product = ParseInstruction(
      "tcgen05.mma.kind::tf32.cta_group::1.collector::a::fill [%r1], [%r2], %rd1, %r3, {%r1, %r2, "
      "%r3, 0}, !%p1, 15;");
  EXPECT_EQ(product.tensor_memory.kind, TensorMemoryKind::kTf32);
  EXPECT_EQ(product.operands.size(), 7U);
  EXPECT_TRUE(product.operands[5].negated);
  EXPECT_EQ(product.destinations, 0);
}

TEST(Tcgen05Parser, RefusesWordsThatAreMissingOrTooMany) {
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.b32 {%r1}, [%r2]"), HasSubstr("a count such as '.x1'"));
  EXPECT_THAT(Wrong("ld.sync.aligned.x1.b32 {%r1}, [%r2]"), HasSubstr("a shape such as"));
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.x3.b32 {%r1}, [%r2]"),
              HasSubstr("does not take '.x3'"));
  EXPECT_THAT(Wrong("ld.sync.32x32b.x1.b32 {%r1}, [%r2]"), HasSubstr("'.sync.aligned'"));
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.x1 {%r1}, [%r2]"), HasSubstr("'.b32'"));
  EXPECT_THAT(Wrong("ld.sync.aligned.16x256b.x64.b32 {%r1}, [%r2]"),
              HasSubstr("at most 128 registers"));
  EXPECT_THAT(Wrong("st.sync.aligned.32x32b.x1.pack::16b.b32 [%r2], {%r1}"),
              HasSubstr("does not take '.pack::16b'"));
  EXPECT_THAT(Wrong("ld.sync.aligned.128x256b.x1.b32 {%r1}, [%r2]"),
              HasSubstr("does not take '.128x256b'"));
  EXPECT_THAT(Wrong("ld.red.sync.aligned.32x32b.x1.min.s32 {%r1}, %r2, [%r3]"),
              HasSubstr("from '.x2' on"));
  EXPECT_THAT(Wrong("ld.red.sync.aligned.16x64b.x2.min.s32 {%r1, %r2}, %r2, [%r3]"),
              HasSubstr("'.32x32b' or '.16x32bx2'"));
  EXPECT_THAT(Wrong("ld.red.sync.aligned.32x32b.x2.min.abs.s32 {%r1, %r2}, %r2, [%r3]"),
              HasSubstr("'.f32' with '.abs'"));
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.x2.min.s32 {%r1, %r2}, [%r3]"), HasSubstr("'.red'"));
  EXPECT_THAT(Wrong("cp.cta_group::1.64x128b [%r1], %rd1"), HasSubstr("'.warpx2'"));
  EXPECT_THAT(Wrong("cp.cta_group::1.32x128b.warpx2::02_13 [%r1], %rd1"), HasSubstr("'.warpx4'"));
  EXPECT_THAT(Wrong("cp.cta_group::1.128x256b.warpx2::01_23 [%r1], %rd1"), HasSubstr("'.warpx2'"));
  EXPECT_THAT(Wrong("cp.cta_group::1.4x256b.b8x16 [%r1], %rd1"), HasSubstr("'.b4x16_p64'"));
  EXPECT_THAT(Wrong("shift.cta_group::1 [%r1]"), HasSubstr("'.down'"));
  EXPECT_THAT(Wrong("mma.cta_group::1 [%r1], %rd1, %rd2, %r2, %p1"), HasSubstr("a kind such as"));
  EXPECT_THAT(Wrong("mma.kind::f16 [%r1], %rd1, %rd2, %r2, %p1"), HasSubstr("'.cta_group::1'"));
  EXPECT_THAT(Wrong("commit.cta_group::1.b64 [%rd1]"), HasSubstr("'.mbarrier::arrive::one'"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f16.kind::i8 [%r1], %rd1, %rd2, %r2, %p1"),
              HasSubstr("does not take '.kind::i8'"));
}

TEST(Tcgen05Parser, RefusesOperandsOfAnotherKind) {
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.x1.b32 %r1, [%r2]"),
              HasSubstr("a vector of 1 register of 32 bits"));
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.x2.b32 {%r1, %rd1}, [%r2]"),
              HasSubstr("a vector of 2 registers of 32 bits"));
  EXPECT_THAT(Wrong("st.sync.aligned.32x32b.x2.b32 [%r1], {%r1, _}"), HasSubstr("a vector of 2"));
  EXPECT_THAT(Wrong("ld.sync.aligned.32x32b.x1.b32 {%r1}, [%rd2]"),
              HasSubstr("'[address]' of tensor memory in a register of 32 bits"));
  EXPECT_THAT(Wrong("ld.sync.aligned.16x32bx2.x1.b32 {%r1}, [%r2]"),
              HasSubstr("expected 3 operands"));
  EXPECT_THAT(Wrong("ld.sync.aligned.16x32bx2.x1.b32 {%r1}, [%r2], %r3"), HasSubstr("a number"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f16 [%r1], %r2, %rd2, %r2, %p1"),
              HasSubstr("a matrix descriptor of 64 bits, or '[address]'"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f16 [%r1], %rd1, [%r2], %r2, %p1"),
              HasSubstr("a matrix descriptor of 64 bits in"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %rd3, %p1"),
              HasSubstr("a register or number of 32 bits"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %r4"),
              HasSubstr("a predicate, 0 or 1"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %p1, 16"),
              HasSubstr("a number from 0 to 15"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::f8f6f4 [%r1], %rd1, %rd2, %r3, %p1, 1"),
              HasSubstr("no scale but with '.kind::f16'"));
  EXPECT_THAT(Wrong("mma.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r3, {%r1, %r2}, %p1"),
              HasSubstr("a vector of four masks"));
  EXPECT_THAT(Wrong("alloc.cta_group::1.sync.aligned.shared::cta.b32 %r1, 64"),
              HasSubstr("'[address]' of shared memory"));
}

}  // namespace tcgen05_parser_test
}  // namespace flagstone::ptx
