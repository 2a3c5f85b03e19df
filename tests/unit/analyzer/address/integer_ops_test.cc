#include "analyzer/address/integer_ops.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/ptx/parser.h"

namespace flagstone {
namespace integer_ops_test {

// The result of one instruction, as its 32-, 64- or 1-bit register holds it.
uint64_t Result(const std::string& text, std::vector<uint64_t> sources, int width = 32) {
  const auto module = ptx::Parse(
      ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k() {\n"
      ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;\n" +
          text + "\nret;\n}\n",
      "k.ptx");
  const std::optional<uint64_t> result =
      EvaluateInteger(module->kernels.at(0)->instructions.at(0), sources);
  return result ? Truncate(*result, width) : 0xdead;
}
constexpr uint64_t Bits(int32_t value) { return static_cast<uint32_t>(value); }

TEST(IntegerOps, WrapAroundAtTheRegistersWidth) {
  EXPECT_EQ(Result("add.s32 %r1, %r2, %r3;", {Bits(0x7fffffff), 1}), 0x80000000U);
  EXPECT_EQ(Result("sub.u32 %r1, %r2, %r3;", {0, 1}), 0xffffffffU);
  EXPECT_EQ(Result("mul.lo.s32 %r1, %r2, %r3;", {1 << 20, 1 << 20}), 0U);
}

TEST(IntegerOps, LeavePairsAndClampedResultsToTheExecutor) {
  EXPECT_EQ(Result("add.u16x2 %r1, %r2, %r3;", {0x0000ffff, 1}), 0xdeadU);
  EXPECT_EQ(Result("min.relu.s32 %r1, %r2, %r3;", {Bits(-1), 1}), 0xdeadU);
  EXPECT_EQ(Result("add.sat.s32 %r1, %r2, %r3;", {Bits(0x7fffffff), 1}), 0xdeadU);
}

TEST(IntegerOps, WidenByTheSign) {
  EXPECT_EQ(Result("mul.wide.s32 %d1, %r2, %r3;", {Bits(-1), 4}, 64), static_cast<uint64_t>(-4));
  EXPECT_EQ(Result("mul.wide.u32 %d1, %r2, %r3;", {Bits(-1), 4}, 64), 0x3fffffffcU);
  EXPECT_EQ(Result("cvt.s64.s32 %d1, %r2;", {Bits(-5)}, 64), static_cast<uint64_t>(-5));
  EXPECT_EQ(Result("cvt.u64.u32 %d1, %r2;", {Bits(-5)}, 64), 0xfffffffbU);
  EXPECT_EQ(Result("mul.hi.s32 %r1, %r2, %r3;", {Bits(-1), 1}), 0xffffffffU);
  EXPECT_EQ(Result("mul.hi.u32 %r1, %r2, %r3;", {Bits(-1), 2}), 1U);
}

TEST(IntegerOps, DivideTowardsZeroAndRefuseZero) {
  EXPECT_EQ(Result("div.s32 %r1, %r2, %r3;", {Bits(-7), 2}), Bits(-3));
  EXPECT_EQ(Result("rem.s32 %r1, %r2, %r3;", {Bits(-7), 2}), Bits(-1));
  EXPECT_EQ(Result("div.u32 %r1, %r2, %r3;", {Bits(-7), 2}), 0x7ffffffcU);
  EXPECT_EQ(Result("div.s32 %r1, %r2, %r3;", {1, 0}), 0xdeadU);
}

TEST(IntegerOps, ShiftByAnyAmount) {
  EXPECT_EQ(Result("shl.b32 %r1, %r2, %r3;", {1, 32}), 0U);
  EXPECT_EQ(Result("shr.s32 %r1, %r2, %r3;", {Bits(-8), 1}), Bits(-4));
  EXPECT_EQ(Result("shr.s32 %r1, %r2, %r3;", {Bits(-8), 99}), Bits(-1));
  EXPECT_EQ(Result("shr.u32 %r1, %r2, %r3;", {Bits(-8), 28}), 15U);
}

TEST(IntegerOps, CompareBySignedness) {
  EXPECT_EQ(Result("setp.lt.s32 %p1, %r2, %r3;", {Bits(-1), 1}, 1), 1U);
  EXPECT_EQ(Result("setp.lt.u32 %p1, %r2, %r3;", {Bits(-1), 1}, 1), 0U);
  EXPECT_EQ(Result("setp.lt.and.s32 %p1, %r2, %r3, %p2;", {0, 1, 0}, 1), 0U);
  EXPECT_EQ(Result("setp.lt.or.s32 %p1, %r2, %r3, %p2;", {1, 0, 1}, 1), 1U);
  EXPECT_EQ(Result("setp.lt.xor.s32 %p1, %r2, %r3, %p2;", {0, 1, 0}, 1), 1U);
  EXPECT_EQ(Result("setp.lt.xor.s32 %p1, %r2, %r3, %p2;", {0, 1, 1}, 1), 0U);
  EXPECT_EQ(Result("min.u32 %r1, %r2, %r3;", {Bits(-1), 1}), 1U);
  EXPECT_EQ(Result("max.s32 %r1, %r2, %r3;", {Bits(-1), 1}), 1U);
}

TEST(IntegerOps, CompareByEachRelation) {
  struct Case {
    const char* relation;
    uint64_t less, same, more;  // whether it holds of 1 and 2, 2 and 2, 3 and 2
  };
  for (const auto& [relation, less, same, more] :
       {Case{"eq.s32", 0, 1, 0}, Case{"ne.s32", 1, 0, 1}, Case{"lt.s32", 1, 0, 0},
        Case{"le.s32", 1, 1, 0}, Case{"gt.s32", 0, 0, 1}, Case{"ge.s32", 0, 1, 1},
        Case{"lo.u32", 1, 0, 0}, Case{"ls.u32", 1, 1, 0}, Case{"hi.u32", 0, 0, 1},
        Case{"hs.u32", 0, 1, 1}}) {
    const std::string text = std::string("setp.") + relation + " %p1, %r2, %r3;";
    EXPECT_EQ(Result(text, {1, 2}, 1), less) << relation;
    EXPECT_EQ(Result(text, {2, 2}, 1), same) << relation;
    EXPECT_EQ(Result(text, {3, 2}, 1), more) << relation;
  }
}

TEST(IntegerOps, TakeDistances) {
  // What stands behind the operands is none of theirs.
  EXPECT_EQ(Result("abs.s32 %r1, %r2;", {5, 9}), 5U);
  EXPECT_EQ(Result("abs.s32 %r1, %r2;", {Bits(-5), 9}), 5U);
  EXPECT_EQ(Result("neg.s32 %r1, %r2;", {5, 9}), Bits(-5));
  EXPECT_EQ(Result("sad.u32 %r1, %r2, %r3, %r4;", {9, 4, 100}), 105U);
  EXPECT_EQ(Result("sad.u32 %r1, %r2, %r3, %r4;", {4, 9, 100}), 105U);
  EXPECT_EQ(Result("sad.s32 %r1, %r2, %r3, %r4;", {Bits(-4), 9, 100}), 113U);
}

TEST(IntegerOps, TakeFieldsApartAndTogether) {
  EXPECT_EQ(Result("bfe.u32 %r1, %r2, %r3, %r4;", {0xabcd, 4, 8}), 0xbcU);
  EXPECT_EQ(Result("bfe.s32 %r1, %r2, %r3, %r4;", {0xabcd, 4, 8}), Bits(-0x44));
  EXPECT_EQ(Result("bfi.b32 %r1, %r2, %r3, %r4, %r5;", {0xf, 0x100, 4, 4}), 0x1f0U);
  EXPECT_EQ(Result("bfi.b32 %r1, %r2, %r3, %r4, %r5;", {0xf, 0x123, 4, 0}), 0x123U);
  EXPECT_EQ(Result("bfi.b32 %r1, %r2, %r3, %r4, %r5;", {0xf, 0x123, 32, 4}), 0x123U);
  EXPECT_EQ(Result("bfi.b32 %r1, %r2, %r3, %r4, %r5;", {0xf, 0x123, 68, 4}), 0x123U);
  EXPECT_EQ(Result("bfi.b32 %r1, %r2, %r3, %r4, %r5;", {0xff, 0x123, 28, 8}), 0xf0000123U);
  EXPECT_EQ(Result("popc.b32 %r1, %r2;", {0xf0f0}), 8U);
  EXPECT_EQ(Result("clz.b32 %r1, %r2;", {1}), 31U);
  EXPECT_EQ(Result("brev.b32 %r1, %r2;", {1}), 0x80000000U);
}

TEST(IntegerOps, LeaveFloatingPointAlone) {
  EXPECT_EQ(Result("add.f32 %f1, %f2, %f3;", {1, 2}), 0xdeadU);
  EXPECT_EQ(Result("cvt.rzi.s32.f32 %r1, %f2;", {1}), 0xdeadU);
}

}  // namespace integer_ops_test
}  // namespace flagstone
