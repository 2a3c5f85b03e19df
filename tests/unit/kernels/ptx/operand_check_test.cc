// Operands and modifiers that the PTX ISA allows are taken, and their neighbours are refused.
#include "kernels/ptx/operand_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace operand_check_test {

using ::testing::HasSubstr;

TEST(OperandCheck, CountsOperands) {
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r2;"),
            "k.ptx:2:1: expected 3 operands of 'add.s32', found 2");
  EXPECT_EQ(ErrorInBody("ret %r1;"), "k.ptx:2:5: expected ';' after 'ret', found '%r1'");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1;"), "k.ptx:2:1: expected 2 operands of 'mov.u32', found 1");
  EXPECT_EQ(ErrorInBody("setp.lt.and.s32 %p1, %r1, %r2;"),
            "k.ptx:2:1: expected 4 operands of 'setp.lt.and.s32', found 3");
  EXPECT_EQ(ErrorInBody("setp.lt.s32 %p1, %r1, %r2, %p2;"),
            "k.ptx:2:1: expected 3 operands of 'setp.lt.s32', found 4");
  EXPECT_EQ(ErrorInBody("atom.global.cas.b32 %r1, [%rd1], %r2;"),
            "k.ptx:2:1: expected 4 operands of 'atom.global.cas.b32', found 3");
  EXPECT_EQ(ErrorInBody("bar.sync;"), "k.ptx:2:1: expected 1 operand of 'bar.sync', found 0");
  EXPECT_EQ(ErrorInBody("bar.arrive 1;"),
            "k.ptx:2:1: expected 2 operands of 'bar.arrive', found 1");
}

// As ptxas has it: only add, min and max, and only registers without a sign.
TEST(OperandCheck, TakesIntegersInPairsFromUntypedRegistersAlone) {
  for (const char* const text :
       {"add.u16x2 %r1, %r2, %r3;", "add.s16x2 %r1, %r2, %r3;", "min.u16x2 %r1, %r2, %r3;",
        "max.s16x2 %r1, %r2, %r3;", "min.relu.s16x2 %r1, %r2, %r3;", "max.relu.s32 %r1, %r2, 5;",
        "{ .reg .f16x2 %h; add.u16x2 %h, %r2, %r3; }"}) {
    EXPECT_EQ(RefusalOf(text), "") << text;
  }
  const std::pair<std::string, std::string> kRefused[] = {
      {"sub.u16x2 %r1, %r2, %r3;", "'sub' does not take '.u16x2' here"},
      {"abs.s16x2 %r1, %r2;", "'abs' does not take '.s16x2' here"},
      {"set.lt.u32.u16x2 %r1, %r2, %r3;", "'set' does not take '.u16x2' here"},
      {"ld.global.u16x2 %r1, [%rd1];", "'ld' does not take '.u16x2' here"},
      {"add.sat.u16x2 %r1, %r2, %r3;", "no float modifier on an integer type"},
      {"add.cc.u16x2 %r1, %r2, %r3;", "'.cc' on a type of 32 or 64 bits"},
      {"min.relu.u16x2 %r1, %r2, %r3;", "no '.relu' on this type"},
      {"min.relu.s16 %rs1, %rs2, %rs3;", "no '.relu' on this type"},
      {"min.relu.f16x2 %r1, %r2, %r3;", "no '.relu' on this type"},
      {"add.u16x2 %r1, %r2, 5;", "expected a '.b32' register for u16x2"},
      {"add.u16x2 %r1, %r2, %f3;", "expected a '.b32' register for u16x2"},
      {"{ .reg .u32 %u; add.u16x2 %u, %r2, %r3; }", "expected a register for u16x2"},
      {"{ .reg .s32 %s; add.u16x2 %r1, %s, %r3; }", "expected a '.b32' register for u16x2"},
  };
  for (const auto& [text, reason] : kRefused) EXPECT_THAT(RefusalOf(text), HasSubstr(reason));
}

TEST(OperandCheck, AsksForTheRightClassOfRegister) {
  EXPECT_EQ(ErrorInBody("setp.lt.s32 %r1, %r2, %r3;"),
            "k.ptx:2:13: expected a predicate register in 'setp.lt.s32', found '%r1' of type b32");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %p1, %r3;"),
            "k.ptx:2:14: expected a register or number for s32 in 'add.s32', found '%p1' of type "
            "pred");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r2, %f3;"),
            "k.ptx:2:19: expected a register or number for s32 in 'add.s32', found '%f3' of type "
            "f32");
  EXPECT_EQ(ErrorInBody("add.s64 %rd1, %rd2, %r3;"),
            "k.ptx:2:21: expected a register or number for s64 in 'add.s64', found '%r3' of type "
            "b32");
  EXPECT_EQ(ErrorInBody("add.s32 5, %r2, %r3;"),
            "k.ptx:2:9: expected a register for s32 as the destination in 'add.s32', found a "
            "number");
  EXPECT_EQ(ErrorInBody("selp.b32 %r1, %r2, %r3, %r4;"),
            "k.ptx:2:25: expected a predicate register in 'selp.b32', found '%r4' of type b32");
  EXPECT_EQ(ErrorInBody("selp.b32 %r1, %r2, %r3, !%p1;"), "");
  EXPECT_EQ(ErrorInBody("selp.b32 %r1, !%r2, %r3, %p1;"),
            "k.ptx:2:15: expected an operand without '!' in 'selp.b32', found the negated '%r2' of "
            "type b32");
  EXPECT_EQ(ErrorInBody("add.s32 %r1, %r2, 0f3F800000;"),
            "k.ptx:2:19: expected a register or number for s32 in 'add.s32', found a float");
  EXPECT_EQ(ErrorInBody("add.u32 %r1, %tid.x, 1;"),
            "k.ptx:2:14: expected a register or number for u32 in 'add.u32', found a special "
            "register, which only 'mov' and 'cvt' read");
  EXPECT_EQ(ErrorInBody("add.s32 %r1|%r2, %r3, %r4;"),
            "k.ptx:2:9: expected no '|' in 'add.s32': only 'setp', 'shfl', 'match', "
            "'elect' and 'lop3' write two registers");
}

TEST(OperandCheck, LetsLoadsStoresAndConversionsUseWiderRegisters) {
  EXPECT_EQ(ErrorInBody("ld.global.u8 %r1, [%rd1]; st.global.u16 [%rd1], %rd2;"), "");
  EXPECT_EQ(ErrorInBody("cvt.u16.u32 %r1, %rd2; cvt.rn.f32.s16 %f1, %r1;"), "");
  EXPECT_THAT(ErrorInBody("ld.global.u32 %rs1, [%rd1];"), HasSubstr("'%rs1' of type b16"));
  EXPECT_THAT(ErrorInBody("ld.global.f32 %fd1, [%rd1];"), HasSubstr("'%fd1' of type f64"));
  EXPECT_THAT(ErrorInBody("ld.global.u32 %f1, [%rd1];"), HasSubstr("'%f1' of type f32"));
  EXPECT_EQ(ErrorInBody("ld.global.b32 %f1, [%rd1]; ld.global.f32 %r1, [%rd1];"), "");
  EXPECT_THAT(ErrorInBody("mov.u32 %rd1, %r1;"), HasSubstr("'%rd1' of type b64"));
}

TEST(OperandCheck, DoublesTheWidthOfWideProducts) {
  EXPECT_EQ(ErrorInBody("mul.wide.u16 %r1, %rs1, %rs2; mad.wide.u32 %rd1, %r1, 4, %rd2;"), "");
  EXPECT_THAT(ErrorInBody("mul.wide.s32 %r1, %r2, %r3;"), HasSubstr("a register for s64"));
  EXPECT_THAT(ErrorInBody("mad.wide.s32 %rd1, %r2, %r3, %r4;"), HasSubstr("for s64"));
  EXPECT_THAT(ErrorInBody("mul.wide.s64 %rd1, %rd2, %rd3;"),
              HasSubstr("expected '.wide' on a type of 16 or 32 bits"));
}

TEST(OperandCheck, TakesShiftAmountsAndBitCountsIn32Bits) {
  EXPECT_EQ(ErrorInBody("shl.b64 %rd1, %rd2, %r3; shr.u16 %rs1, %rs2, %r3; popc.b64 %r1, %rd1;"),
            "");
  EXPECT_THAT(ErrorInBody("shl.b64 %rd1, %rd2, %rd3;"), HasSubstr("for u32"));
  EXPECT_THAT(ErrorInBody("clz.b64 %rd1, %rd2;"), HasSubstr("for b32"));
}

TEST(OperandCheck, ComparesTheSpaceOfAVariableWithTheInstruction) {
  EXPECT_EQ(ErrorInBody("ld.global.u32 %r1, [tile];"),
            "k.ptx:2:20: expected a .global address in 'ld.global.u32', found 'tile' in .shared");
  EXPECT_EQ(ErrorInBody("ld.u32 %r1, [tile]; ld.const.u32 %r1, [table+4];"), "");
  EXPECT_EQ(ErrorInBody("ld.global.u32 %r1, %rd1;"),
            "k.ptx:2:20: expected '[address]' in 'ld.global.u32', found '%rd1' of type b64");
  EXPECT_EQ(ErrorInBody("ld.global.u32 %r1, [%f1];"),
            "k.ptx:2:20: expected an address register of 32 or 64 bits in 'ld.global.u32', found "
            "'%f1' of type f32");
  EXPECT_EQ(ErrorInBody("st.shared.u32 [%p1], %r1;"),
            "k.ptx:2:15: expected an address register of 32 or 64 bits in 'st.shared.u32', found "
            "'%p1' of type pred");
  EXPECT_THAT(ErrorInBody("st.const.u32 [table], %r1;"), HasSubstr("that a kernel can write"));
  EXPECT_THAT(ErrorInBody("st.param.u32 [n], %r1;"),
              HasSubstr("expected a '.param' variable of a call"));
  EXPECT_THAT(ErrorInBody("cvta.global.u64 %rd1, tile;"), HasSubstr("a .global variable"));
}

TEST(OperandCheck, MatchesVectorsWithTheirLength) {
  EXPECT_EQ(ErrorInBody("st.shared.v4.u8 [tile], {%rs1, %r2, 3, %rd4};"), "");
  EXPECT_EQ(ErrorInBody("ld.global.b32 {%r1}, [%rd1]; st.global.f32 [%rd1], {%f1};"), "");
  EXPECT_EQ(ErrorInBody("ld.global.v4.f32 {%f1, %f2}, [%rd1];"),
            "k.ptx:2:18: expected a vector of 4 elements in 'ld.global.v4.f32', found a vector");
  EXPECT_EQ(ErrorInBody("ld.global.v2.f32 %f1, [%rd1];"),
            "k.ptx:2:18: expected a vector of 2 elements in 'ld.global.v2.f32', found '%f1' of "
            "type f32");
  EXPECT_THAT(ErrorInBody("ld.global.f32 {%f1, %f2}, [%rd1];"), HasSubstr("found a vector"));
  EXPECT_THAT(ErrorInBody("ld.global.v2.f32 {%f1, 4}, [%rd1];"), HasSubstr("found a number"));
  EXPECT_THAT(ErrorInBody("st.global.v2.f32 [%rd1], {%f1, _};"), HasSubstr("found '_'"));
  EXPECT_EQ(ErrorInBody("ld.global.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd1];"), "");
  EXPECT_EQ(ErrorInBody("st.global.v8.b32 [%rd1], {%r1, %r2, %r3, %f4, 5, %r6, %r7, %r1};"), "");
  EXPECT_THAT(ErrorInBody("ld.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd1];"),
              HasSubstr("a vector of at most 16 bytes outside of '.global'"));
  EXPECT_THAT(ErrorInBody("st.shared.v8.f32 [tile], {%f1, %f2, %f3, %f4, %f1, %f2, %f3, %f4};"),
              HasSubstr("a vector of at most 16 bytes outside of '.global'"));
  EXPECT_THAT(ErrorInBody("ld.global.v8.b16 {%rs1, %rs2}, [%rd1];"),
              HasSubstr("a type of 32 bits with '.v8'"));
  EXPECT_THAT(ErrorInBody("ld.global.v8.b64 {%rd1, %rd2}, [%rd1];"),
              HasSubstr("a type of 32 bits with '.v8'"));
  EXPECT_THAT(ErrorInBody("mov.b64 %rd1, {%r1, %rs2};"), HasSubstr("elements for b32"));
  EXPECT_THAT(ErrorInBody("mov.u64 %rd1, {%r1, %r2};"), HasSubstr("found a vector"));
  EXPECT_THAT(ErrorInBody("mov.b64 {%r1, %r2}, {%r3, %r4};"), HasSubstr("found a vector"));
  EXPECT_THAT(ErrorInBody("add.s32 {%r1, %r2}, %r3, %r4;"), HasSubstr("found a vector"));
}

TEST(OperandCheck, KnowsWhatACachePolicyIsMadeOf) {
  EXPECT_EQ(ErrorInBody("createpolicy.range.global.L2::evict_last.b64 %rd1, [%rd2], 16, 32;"), "");
  EXPECT_THAT(ErrorInBody("createpolicy.fractional.L2::evict_last.b64 %rd1, 1.5;"),
              HasSubstr("expected a fraction above 0, at most 1 in"));
  EXPECT_THAT(ErrorInBody("createpolicy.fractional.L2::evict_last.b64 %rd1, 0.0;"),
              HasSubstr("expected a fraction above 0, at most 1 in"));
  EXPECT_THAT(ErrorInBody("createpolicy.fractional.L2::evict_last.b64 %rd1, %rd2;"),
              HasSubstr("a register or number for f32"));
  EXPECT_THAT(ErrorInBody("createpolicy.fractional.L2::evict_last.L2::evict_last.b64 %rd1;"),
              HasSubstr("'.L2::evict_first' or '.L2::evict_unchanged' as the second priority"));
  EXPECT_THAT(ErrorInBody("createpolicy.fractional.b64 %rd1;"), HasSubstr("a priority such as"));
  EXPECT_THAT(ErrorInBody("createpolicy.cvt.b64 %rd1, %rd2;"), HasSubstr("'.cvt.L2'"));
  EXPECT_THAT(ErrorInBody("createpolicy.L2::evict_last.b64 %rd1;"), HasSubstr("does not take"));
  EXPECT_THAT(ErrorInBody("createpolicy.fractional.global.L2::evict_last.b64 %rd1;"),
              HasSubstr("no state space but '.range.global'"));
  EXPECT_THAT(ErrorInBody("createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], 16;"),
              HasSubstr("expected 4 operands"));
}

TEST(InstructionTable, AsksForTheModifiersThatAnInstructionNeeds) {
  const auto missing = [](const std::string& text) { return ErrorInBody(text); };
  EXPECT_THAT(missing("fma.f32 %f1, %f2, %f3, %f4;"), HasSubstr("expected a rounding"));
  EXPECT_THAT(missing("div.f32 %f1, %f2, %f3;"), HasSubstr("either '.approx' or a rounding"));
  EXPECT_THAT(missing("div.approx.f64 %fd1, %fd2, %fd3;"), HasSubstr("expected a rounding"));
  EXPECT_THAT(missing("sin.f32 %f1, %f2;"), HasSubstr("expected '.approx'"));
  EXPECT_THAT(missing("setp.s32 %p1, %r1, %r2;"), HasSubstr("expected a comparison"));
  EXPECT_THAT(missing("atom.global.u32 %r1, [%rd1], 1;"), HasSubstr("expected an operation"));
  EXPECT_THAT(missing("bar 0;"), HasSubstr("expected '.sync', '.arrive' or '.red'"));
  EXPECT_THAT(missing("bar.warp -1;"), HasSubstr("expected '.sync', '.arrive' or '.red'"));
  EXPECT_THAT(missing("bar.red.u32 %r1, 0, %p1;"), HasSubstr("expected '.popc', '.and'"));
  EXPECT_THAT(missing("bar.red.popc.pred %p1, 0, %p1;"), HasSubstr("expected '.u32'"));
  EXPECT_THAT(missing("bar.sync.u32 0;"), HasSubstr("no type without '.red'"));
  EXPECT_THAT(missing("shfl.sync.b32 %r1, %r2, 1, 31, -1;"), HasSubstr("expected '.up'"));
  EXPECT_THAT(missing("vote.ballot.pred %p1, %p2;"), HasSubstr("expected '.b32'"));
  EXPECT_THAT(missing("match.any.b32 %r1, %r2, -1;"), HasSubstr("expected '.sync'"));
  EXPECT_THAT(missing("fence.relaxed.gpu;"), HasSubstr("expected '.sc'"));
  EXPECT_THAT(missing("shf.l.b32 %r1, %r2, %r3, 1;"), HasSubstr("'.clamp' or '.wrap'"));
  EXPECT_THAT(missing("atom.cas.b16 %r1, [%rd1], %r2, %r3;"), HasSubstr("a register for b16"));
  EXPECT_THAT(missing("atom.exch.b16 %rs1, [%rd1], %rs2;"), HasSubstr("expected b32 or b64"));
  EXPECT_THAT(missing("membar;"), HasSubstr("expected '.cta', '.gl' or '.sys'"));
  EXPECT_THAT(missing("cvt.f32.s32 %f1, %r1;"), HasSubstr("a rounding such as '.rn'"));
  EXPECT_THAT(missing("cvt.rn.s32.f32 %r1, %f1;"), HasSubstr("an integer rounding"));
  EXPECT_THAT(missing("cvta.u64 %rd1, %rd2;"), HasSubstr("a state space"));
}

TEST(OperandCheck, TakesAPredicateBesideTheResultOfAShuffle) {
  const Instruction both = ParseInstruction("shfl.sync.idx.b32 %r1|%p1, %r2, 3, 31, -1;");
  EXPECT_EQ(both.destinations, 2);
  EXPECT_EQ(both.operands.size(), 6U);
  EXPECT_TRUE(both.modifiers.lane_sync);
  EXPECT_EQ(both.modifiers.lane_op, LaneOp::kIdx);
  EXPECT_EQ(ParseInstruction("shfl.up.b32 %r1, %r2, 3, 0;").destinations, 1);
  EXPECT_THAT(ErrorInBody("shfl.idx.b32 %r1|%r2, %r2, 3, 31;"), HasSubstr("a predicate register"));
  EXPECT_THAT(ErrorInBody("shfl.idx.b32 %r1, %r2, 3, 31, -1;"), HasSubstr("expected 4 operands"));
  EXPECT_THAT(ErrorInBody("shfl.sync.idx.b32 %r1, %r2, 3, 31;"), HasSubstr("expected 5 operands"));
}

TEST(OperandCheck, TakesTheOperandsOfEachFormOfVoteAndBarrier) {
  EXPECT_EQ(ParseInstruction("vote.sync.any.pred %p1, !%p2, -1;").operands.size(), 3U);
  EXPECT_EQ(ParseInstruction("vote.uni.pred %p1, %p2;").modifiers.lane_op, LaneOp::kUni);
  EXPECT_EQ(ParseInstruction("vote.ballot.sync.b32 %r1, %p2, -1;").type, Type::kB32);
  EXPECT_THAT(ErrorInBody("vote.ballot.b32 %p1, %p2;"), HasSubstr("a register for b32"));
  EXPECT_EQ(ParseInstruction("bar.red.popc.u32 %r1, 0, 64, !%p1;").operands.size(), 4U);
  const Instruction reduction = ParseInstruction("barrier.cta.red.and.aligned.pred %p1, 1, %p2;");
  EXPECT_EQ(reduction.modifiers.barrier_op, BarrierOp::kRed);
  EXPECT_EQ(reduction.modifiers.atomic_op, AtomicOp::kAnd);
  EXPECT_EQ(reduction.destinations, 1);
  EXPECT_THAT(ErrorInBody("bar.red.and.pred %p1, 1;"), HasSubstr("expected 3 operands"));
  EXPECT_THAT(ErrorInBody("lop3.b32 %r1, %r2, %r3, %r4, 256;"), HasSubstr("from 0 to 255"));
  EXPECT_EQ(ParseInstruction("isspacep.shared %p1, %rd1;").space, Space::kShared);
}

TEST(OperandCheck, TakesATextureWithAsManyCoordinatesAsItsGeometryHas) {
  const std::string results = " {%f1, %f2, %f3, %f4}, ";
  const Operand texture =
      ParseInstruction("tex.2d.v4.f32.f32" + results + "[%rd1, {%f5, %f6}];").operands.at(1);
  EXPECT_EQ(texture.kind, Operand::Kind::kTexture);
  EXPECT_TRUE(texture.has_register_base);
  EXPECT_EQ(texture.elements.size(), 2U);
  EXPECT_EQ(ParseInstruction("tex.1d.v4.f32.s32" + results + "[%rd1, %r1];").operands.size(), 2U);
  EXPECT_EQ(ParseInstruction("tex.a2d.v4.f32.f32" + results + "[%rd1, {%r1, %f2, %f3, %f3}];")
                .modifiers.geometry,
            Geometry::kA2d);
  EXPECT_THAT(ErrorInBody("tex.2d.v4.f32.f32" + results + "[%rd1, {%f5}];"),
              HasSubstr("expected 2 coordinates"));
  EXPECT_THAT(ErrorInBody("tex.1d.v4.f32.s32" + results + "[%rd1, {%f5}];"),
              HasSubstr("expected elements for s32"));
  EXPECT_THAT(ErrorInBody("tex.1d.v4.f32.s32" + results + "[n, {%r5}];"),
              HasSubstr("a '.texref' variable"));
  EXPECT_THAT(ErrorInBody("tex.1d.v4.f32.s32" + results + "[%r1, {%r5}];"),
              HasSubstr("a register of 64 bits"));
  EXPECT_THAT(ErrorInBody("tex.1d.f32.s32 %f1, [%rd1, {%r5}];"), HasSubstr("expected '.v4'"));
  EXPECT_THAT(ErrorInBody("ld.global.f32 %f1, [%rd1, {%r5}];"), HasSubstr("'[address]'"));
}

TEST(OperandCheck, TakesTheHintsOfAccesses) {
  const Instruction hinted = ParseInstruction(
      "ld.global.L1::evict_last.L2::cache_hint.L2::128B.v2.f32 {%f1, %f2}, [%rd1], %rd2;");
  EXPECT_TRUE(hinted.modifiers.cache_policy);
  EXPECT_EQ(hinted.operands.size(), 3U);
  EXPECT_EQ(ParseInstruction("ld.global.f32 %f1, [%rd1].unified;").operands.size(), 2U);
  EXPECT_EQ(ParseInstruction("prefetch.global.L2 [%rd1+64];").opcode, Opcode::kPrefetch);
  EXPECT_THAT(ErrorInBody("ld.global.L2::cache_hint.f32 %f1, [%rd1];"),
              HasSubstr("expected 3 operands"));
}

TEST(OperandCheck, RefusesIntegerLiteralsInFloatInstructions) {
  EXPECT_EQ(ErrorInBody("mov.f32 %f1, 0;"),
            "k.ptx:2:14: expected a register or a float such as 0f3F800000 for f32 in 'mov.f32', "
            "found a number");
  EXPECT_THAT(ErrorInBody("st.global.v2.f32 [%rd1], {%f1, 0};"), HasSubstr("or a float"));
  EXPECT_THAT(ErrorInBody("mov.u32 %r1, 0f3F800000;"), HasSubstr("found a float"));
  EXPECT_THAT(ErrorInBody("mov.b32 %r1, 1.5;"), HasSubstr("found a float"));
}

TEST(InstructionTable, RefusesAccessesThatAreOrderedTwice) {
  EXPECT_THAT(ErrorInBody("ld.relaxed.u32 %r1, [%rd1];"), HasSubstr("a scope such as '.gpu'"));
  EXPECT_THAT(ErrorInBody("ld.gpu.u32 %r1, [%rd1];"), HasSubstr("a scope such as '.gpu'"));
  EXPECT_THAT(ErrorInBody("ld.volatile.cg.u32 %r1, [%rd1];"), HasSubstr("only one of"));
  EXPECT_THAT(ErrorInBody("ld.release.gpu.u32 %r1, [%rd1];"), HasSubstr("an order such as"));
  EXPECT_THAT(ErrorInBody("st.ca.u32 [%rd1], %r1;"), HasSubstr("a cache operator such as"));
}

TEST(InstructionTable, RefusesModifiersThatDoNotGoTogether) {
  const auto error = [](const std::string& text) { return ErrorInBody(text); };
  EXPECT_THAT(error("add.rn.s32 %r1, %r2, %r3;"), HasSubstr("no float modifier"));
  EXPECT_THAT(error("add.rni.f32 %f1, %f2, %f3;"), HasSubstr("a rounding such as '.rn'"));
  EXPECT_THAT(error("add.rn.rz.f32 %f1, %f2, %f3;"), HasSubstr("does not take '.rz'"));
  EXPECT_THAT(error("add.ftz.f64 %fd1, %fd2, %fd3;"), HasSubstr("no '.ftz' or '.sat' on f64"));
  EXPECT_THAT(error("add.sat.u32 %r1, %r2, %r3;"), HasSubstr("no float modifier"));
  EXPECT_THAT(error("mul.lo.f32 %f1, %f2, %f3;"), HasSubstr("no '.lo'"));
  EXPECT_THAT(error("setp.lo.f32 %p1, %f1, %f2;"), HasSubstr("a comparison for floats"));
  EXPECT_THAT(error("setp.equ.s32 %p1, %r1, %r2;"), HasSubstr("a comparison for integers"));
  EXPECT_THAT(error("setp.lt.b32 %p1, %r1, %r2;"), HasSubstr("'.eq' or '.ne' on untyped bits"));
  EXPECT_THAT(error("ld.shared.nc.u32 %r1, [tile];"), HasSubstr("'.global' with '.nc'"));
  EXPECT_THAT(error("atom.global.inc.s32 %r1, [%rd1], 1;"), HasSubstr("u32 to count"));
  EXPECT_THAT(error("red.global.exch.b32 [%rd1], %r1;"), HasSubstr("an operation such as"));
  EXPECT_THAT(error("atom.local.add.u32 %r1, [%rd1], 1;"), HasSubstr("'.global', '.shared'"));
  EXPECT_THAT(error("ret.global;"), HasSubstr("'ret' does not take '.global'"));
}

// The forms of floats of 6 and 4 bits that ptxas 13.0 refuses, too.
TEST(OperandCheck, RefusesConversionsOfNarrowFloatsThatTheIsaHasNot) {
  const auto missing = [](const std::string& text) {
    return ErrorInBody(".reg .b8 %b<3>; cvt." + text + ";");
  };
  EXPECT_EQ(missing("rn.satfinite.e2m1x2.f16x2 %b1, %r1"), "");
  EXPECT_THAT(missing("rn.e2m1x2.f32 %b1, %f1, %f2"), HasSubstr("'.rn.satfinite'"));
  EXPECT_THAT(missing("rz.satfinite.e2m3x2.f32 %rs1, %f1, %f2"), HasSubstr("'.rn.satfinite'"));
  EXPECT_THAT(missing("rn.satfinite.e3m2x2.f16x2 %rs1, %r1"), HasSubstr("f32 as the type"));
  EXPECT_THAT(missing("rn.satfinite.e2m1x2.bf16x2 %b1, %r1"), HasSubstr("f32 or f16x2"));
  EXPECT_THAT(missing("rn.satfinite.e2m1x2.f32 %rs1, %f1, %f2"),
              HasSubstr("a register for e2m1x2 as the destination"));
  EXPECT_THAT(missing("rn.satfinite.e2m1x2.f32 %b1, %f1"), HasSubstr("expected 3 operands"));
  EXPECT_THAT(missing("rn.satfinite.f16x2.e2m1x2 %r1, %b1"), HasSubstr("expected '.rn'"));
  EXPECT_THAT(missing("rn.bf16x2.e2m3x2 %r1, %rs1"), HasSubstr("types that can be converted"));
  EXPECT_THAT(missing("rn.ue8m0x2.f32 %rs1, %f1, %f2"), HasSubstr("'.rz' or '.rp'"));
  EXPECT_THAT(missing("rz.relu.ue8m0x2.f32 %rs1, %f1, %f2"), HasSubstr("no '.relu'"));
  EXPECT_THAT(missing("rz.ue8m0x2.f16x2 %rs1, %r1"), HasSubstr("f32 or bf16x2"));
  EXPECT_THAT(missing("rn.f16x2.ue8m0x2 %r1, %rs1"), HasSubstr("bf16x2 as the type"));
  EXPECT_THAT(missing("rp.bf16x2.ue8m0x2 %r1, %rs1"), HasSubstr("expected '.rn'"));
  EXPECT_THAT(missing("rs.f16x2.f32 %r1, %f1, %f2"), HasSubstr("expected 4 operands"));
  EXPECT_THAT(missing("rs.f16.f32 %rs1, %f1"), HasSubstr("another rounding than '.rs'"));
  EXPECT_THAT(missing("rs.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2"),
              HasSubstr("'.rs.satfinite'"));
  EXPECT_THAT(missing("rs.satfinite.e4m3x4.f32 %r1, {%f1, %f2, %f3}, %r2"),
              HasSubstr("a vector of 4 elements"));
  EXPECT_THAT(missing("rs.satfinite.e2m1x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2"),
              HasSubstr("a register for e2m1x4"));
  EXPECT_THAT(missing("rs.satfinite.e4m3x2.f32 %rs1, %f1, %f2, %r2"), HasSubstr("'.rn.satfinite'"));
}

// How many registers a matrix takes, and where an asynchronous copy may go.
TEST(OperandCheck, CountsTheRegistersOfMatricesAndTheBytesOfCopies) {
  EXPECT_THAT(ErrorInBody("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2}, [%r3];"),
              HasSubstr("a vector of 4 elements"));
  EXPECT_THAT(ErrorInBody("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
                          "{%r1, %r2}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"),
              HasSubstr("a vector of 4 elements"));
  EXPECT_THAT(ErrorInBody("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, "
                          "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"),
              HasSubstr("a shape and types of mma that are executed"));
  EXPECT_THAT(
      ErrorInBody("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f16 {%f1, %f2, %f3, %f4}, "
                  "{%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7, %r8};"),
      HasSubstr("a shape and types of mma that are executed"));
  EXPECT_THAT(ErrorInBody("mma.sync.aligned.m16n8k16.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 "
                          "{%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r5}, {%f1, %f2, %f3, %f4};"),
              HasSubstr("a shape and types of mma that are executed"));
  const auto quads = [](const std::string& words) {
    return ErrorInBody("mma.sync.aligned.m8n8k4." + words +
                       " {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3, %r4}, {%r4, %r5, %r6, %r7};");
  };
  EXPECT_THAT(quads("f32.f16.f16.f16"), HasSubstr("'.row' or '.col' for A and for B"));
  EXPECT_THAT(quads("row.f32.f16.f16.f16"), HasSubstr("'.row' or '.col' for A and for B"));
  EXPECT_THAT(quads("row.col.row.f32.f16.f16.f16"), HasSubstr("does not take '.row' here"));
  EXPECT_THAT(quads("row.row.f32.f16.f16.f16"), HasSubstr("a vector of 8 elements"));
  EXPECT_THAT(quads("row.row.f16.f16.f16.f32"), HasSubstr("a shape and types of mma"));
  EXPECT_THAT(
      ErrorInBody("mma.sync.aligned.m16n8k8.col.row.f16.f16.f16.f16 {%r1, %r2}, {%r3, %r4}, "
                  "{%r5}, {%r1, %r2};"),
      HasSubstr("'.row.col'"));
  EXPECT_THAT(ErrorInBody("cp.async.cg.shared.global [%r1], [%rd1], 8;"), HasSubstr("16 bytes"));
  EXPECT_THAT(ErrorInBody("cp.async.ca.shared.global [%r1], [%rd1], 12;"),
              HasSubstr("4, 8 or 16 bytes"));
}

}  // namespace operand_check_test
}  // namespace flagstone::ptx
