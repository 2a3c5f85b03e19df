// What the analysis says of an address that it cannot give as a form, or of a loop that it cannot
// count: the first instruction that is in the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_reasons_test {

constexpr auto kDeterministic = AddressClass::kDeterministic;
constexpr auto kIndirect = AddressClass::kIndirect;

struct Case {
  const char* body;  // computes the index %r10 in its first line
  const char* reason;
  AddressClass address_class = kDeterministic;
};

constexpr Case kIndices[] = {
    {"mul.lo.s32 %r10, %r3, %r4;", "product of two varying values"},
    {"mul.hi.s32 %r10, %r3, 5;", "high part of a product"},
    {"shl.b32 %r10, %r1, %r3;", "shift by a varying amount"},
    {"shr.s32 %r10, %r6, %r3;", "shift by a varying amount"},
    {"shr.s32 %r10, %r6, 63;", "right shift"},
    {"mul.lo.s32 %r9, %r3, 0x40000000; div.s32 %r10, %r9, 4;", "a divided value may wrap around"},
    {"div.s32 %r10, %r6, 5;", "quotient"},
    {"rem.s32 %r10, %r6, 5;", "remainder"},
    {"sub.s32 %r9, %r3, 16; div.s32 %r10, %r9, 16;", "quotient"},  // not towards zero
    {"div.s32 %r10, %r6, %r3;", "division by a varying value"},
    {"and.b32 %r10, %r3, %r4;", "and of two varying values"},
    {"and.b32 %r10, %r3, 5;", "mask"},
    {"or.b32 %r10, %r3, %r7;", "or"},
    {"xor.b32 %r10, %r3, %r7;", "xor"},
    {"shl.b32 %r9, %r3, 28; min.s32 %r10, %r9, 1;", "min or max may wrap around"},
    {"min.s32 %r10, %r3, %r4;", "min"},
    {"max.s32 %r10, %r3, %r4;", "max"},
    {"sub.s32 %r9, %r3, 3; abs.s32 %r10, %r9;", "absolute value"},
    {"popc.b32 %r10, %r3;", "popc"},
    {"mul.lo.u32 %r9, %r3, 10000; cvt.u16.u32 %rs1, %r9; cvt.u32.u16 %r10, %rs1;",
     "a narrowed value may wrap around"},
    {"mul.lo.u32 %r9, %r3, 100; cvt.u32.u8 %r10, %r9;", "a widened value may wrap around"},
    {"sub.s32 %r9, %r3, 3; cvt.sat.u32.s32 %r10, %r9;", "a narrowed value may wrap around"},
    {"shl.b32 %r9, %r3, 28; cvt.s64.s32 %rd9, %r9; cvt.u32.u64 %r10, %rd9;",
     "a widened value may wrap around"},
    {"cvt.rn.f32.s32 %f1, %r3; cvt.rzi.s32.f32 %r10, %f1;", "a floating-point value"},
    {"add.f32 %f1, 0f3f800000, 0f3f800000; mov.b32 %r10, %f1;", "a floating-point value"},
    {"setp.lt.s32 %p1, %r3, 5; selp.b32 %r10, %r3, %r7, %p1;", "select"},
    {"setp.lt.s32 %p1, %r3, 5; mov.u32 %r10, 0; @%p1 mov.u32 %r10, 1;",
     "written under a condition"},
    {"mov.u32 %r10, %clock;", "a special register", kIndirect},
    {"ld.shared.u32 %r10, [tile];", "a loaded value", kIndirect},
    {"atom.shared.add.u32 %r10, [tile], 1;", "an atomic's result", kIndirect},
    {"mov.u32 %r10, tile;", "an address in shared memory"},
    {"mov.b64 {%r10, %r11}, %rd1;", "an unpacked value"},
    {"mov.b32 %r10, {%rs1, %rs2};", "a packed value"},
    {"add.u16x2 %r10, %r3, %r4;", "a packed value"},
    {"min.relu.s32 %r10, %r3, 5;", "a clamped value"},
    {"add.sat.s32 %r10, %r3, 0x7fffffff;", "a clamped value"},
};

TEST(AddressReasons, NameTheOperationThatHasNoForm) {
  for (const Case& row : kIndices) {
    const KernelUnderAnalysis kernel(
        std::string(row.body) +
            "\nmul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
            "ld.global.f32 %f1, [%rd11]; ret;",
        {4, 2, 1}, {16, 4, 1}, 1);
    const AddressForm access = kernel.Analyze().accesses.back();
    EXPECT_EQ(access.reason, row.reason + std::string(" (line 23)")) << row.body;
    EXPECT_EQ(access.address_class, row.address_class) << row.body;
    EXPECT_EQ(access.array, "a") << row.body;
  }
}

// Addresses %rd11 of their own.
constexpr Case kAddresses[] = {
    {"shl.b64 %rd9, %rd8, 62; add.s64 %rd9, %rd9, %rd9; add.s64 %rd11, %rd1, %rd9;",
     "a sum beyond 64 bits"},
    {"shl.b64 %rd9, %rd8, 40; mul.lo.s64 %rd9, %rd9, 0x10000000000; add.s64 %rd11, %rd1, %rd9;",
     "a product beyond 64 bits"},
    {"shl.b64 %rd9, %rd8, 63; add.s64 %rd11, %rd1, %rd9;", "a shift beyond 64 bits"},
    {"shl.b32 %r9, %r3, 28; mul.wide.s32 %rd9, %r9, 4; add.s64 %rd11, %rd1, %rd9;",
     "a 32-bit index may wrap around"},
    {"shl.b32 %r9, %r3, 28; mad.wide.s32 %rd11, %r9, 4, %rd1;", "a 32-bit index may wrap around"},
};

TEST(AddressReasons, NameTheSumOrProductThatLeaves64Bits) {
  for (const Case& row : kAddresses) {
    const KernelUnderAnalysis kernel(
        std::string("cvt.s64.s32 %rd8, %r3;\n") + row.body + "\nld.global.f32 %f1, [%rd11]; ret;",
        {4, 2, 1}, {16, 4, 1});
    const AddressForm access = kernel.Analyze().accesses.back();
    EXPECT_EQ(access.reason, row.reason + std::string(" (line 24)")) << row.body;
    EXPECT_EQ(access.address_class, row.address_class) << row.body;
    EXPECT_EQ(access.array, "a") << row.body;
  }
}

// Loops over a[%r10], whose counter is %r11.
constexpr Case kCarried[] = {
    {"shl.b32 %r10, %r10, 1;", "a value that a loop carries"},
    {"mul.lo.s32 %r10, %r10, 3;", "a value that a loop carries"},
    {"add.s32 %r10, %r10, %r3;", "a loop's stride that varies"},
    {"sub.s32 %r10, %r10, %r3;", "a loop's stride that varies"},
    {"sub.s32 %r10, %r3, %r10;", "a value that a loop carries"},
    {"mad.lo.s32 %r10, %r3, 2, %r10;", "a value that a loop carries"},
    {"mad.hi.s32 %r10, 2, 5, %r10;", "a value that a loop carries"},
};

TEST(AddressReasons, NameTheLoopThatCarriesAValueWithoutAStride) {
  for (const Case& row : kCarried) {
    const KernelUnderAnalysis kernel(
        std::string("mov.u32 %r10, 1; mov.u32 %r11, 0;\nLOOP: mul.wide.s32 %rd10, %r10, 4; "
                    "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11];\n") +
            row.body + "\nadd.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 5; @%p1 bra LOOP; ret;",
        {4, 2, 1}, {16, 4, 1}, 3);
    const AddressForm access = kernel.Analyze().accesses.back();
    EXPECT_EQ(access.reason, row.reason + std::string(" (line 24)")) << row.body;
    EXPECT_EQ(access.address_class, row.address_class) << row.body;
  }
}

struct Stride {
  const char* body;
  const char* form;
};

constexpr Stride kStrides[] = {
    {"add.s32 %r10, %r10, 3;", "4 + 12*L0"},
    {"add.s32 %r10, 3, %r10;", "4 + 12*L0"},
    {"add.s32 %r10, %r1, %r10;", "4 + 12*L0"},
    {"add.s32 %r10, %r10, %r1;", "4 + 12*L0"},
    {"sub.s32 %r10, %r10, 2;", "4 - 8*L0"},
    {"mad.lo.s32 %r10, 2, 5, %r10;", "4 + 40*L0"},
    {"mad.lo.s32 %r10, %r1, 5, %r10;", "4 + 60*L0"},
    {"mov.u32 %r12, %r10; mov.u32 %r10, %r12;", "4"},
};

TEST(AddressLoops, StrideByWhatEachTurnAddsOnEitherSide) {
  for (const Stride& row : kStrides) {
    const KernelUnderAnalysis kernel(
        std::string("mov.u32 %r10, 1; mov.u32 %r11, 0;\nLOOP: mul.wide.s32 %rd10, %r10, 4; "
                    "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11];\n") +
            row.body + "\nadd.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 5; @%p1 bra LOOP; ret;",
        {4, 2, 1}, {16, 4, 1}, 3);
    AddressForm access = kernel.Analyze().accesses.back();
    ASSERT_EQ(access.address_class, AddressClass::kAffine) << row.body << access.reason;
    access.form.constant -= static_cast<int64_t>(kernel.a());
    EXPECT_EQ(ToString(access.form), row.form) << row.body;
  }
}

struct Loop {
  const char* body;  // between its labels LOOP and END
  const char* reason;
  uint64_t at_most = 0;  // where only a bound is known
};

constexpr Loop kLoops[] = {
    {"bra LOOP;", "a loop without an exit (line 24)"},
    {"setp.ge.s64 %p1, %rd9, 2199023255552; @%p1 bra END; add.s64 %rd9, %rd9, 1; bra LOOP;",
     "a loop whose exit is never met (line 24)"},
    {"setp.ge.s32 %p1, %r10, %r3; @%p1 bra END; setp.ge.s32 %p2, %r10, %r7; @%p2 bra END; "
     "add.s32 %r10, %r10, 1; bra LOOP;",
     "a loop with several exits (line 24)"},
    {"setp.lt.s32 %p2, %r3, 5; @%p2 bra OVER; setp.ge.s32 %p1, %r10, 4; @%p1 bra END; "
     "OVER: add.s32 %r10, %r10, 1; bra LOOP;",
     "an exit from within the loop (line 24)"},
    {"setp.le.s32 %p1, %r10, %r3; @%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP;",
     "a loop whose trip count varies (line 24)"},
    {"setp.eq.s32 %p1, %r3, %r7; @%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP;",
     "a loop whose trip count varies (line 24)"},
    {"setp.ge.s32 %p1, %r10, %r3; setp.ge.s32 %p2, %r10, %r7; or.pred %p1, %p1, %p2; "
     "@%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP;",
     "a loop whose trip count varies (line 24)"},
    {"setp.eq.s32 %p1, %r10, %r3; @%p1 bra END; add.s32 %r10, %r10, 2; bra LOOP;",
     "a loop whose trip count varies (line 24)"},
    {"sub.s32 %r11, %r3, 5; setp.eq.s32 %p1, %r10, %r11; @%p1 bra END; add.s32 %r10, %r10, 1; "
     "bra LOOP;",
     "a loop whose trip count varies (line 24)"},
    {"setp.ge.s32 %p1, %r10, %r3; @%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP;", "", 16},
    {"setp.ge.s32 %p1, %r10, %r3; @%p1 bra END; setp.ge.s32 %p2, %r10, 9; @%p2 bra END; "
     "add.s32 %r10, %r10, 1; bra LOOP;",
     "", 10},
    {"setp.ge.s32 %p1, %r10, %r3; @%p1 bra END; add.s32 %r10, %r10, 4; bra LOOP;", "", 5},
    {"setp.eq.s32 %p1, %r10, %r3; @%p1 bra END; add.s32 %r10, %r10, 1; bra LOOP;", "", 16},
    {"ld.shared.u32 %r11, [tile]; setp.ge.s32 %p1, %r10, %r11; @%p1 bra END; "
     "add.s32 %r10, %r10, 1; bra LOOP;",
     "a loaded value (line 24)"},
};

TEST(AddressReasons, NameWhatKeepsALoopFromBeingCounted) {
  for (const Loop& row : kLoops) {
    const KernelUnderAnalysis kernel(
        std::string("mov.u32 %r10, 0; mov.u64 %rd9, 0;\nLOOP: ") + row.body + "\nEND: ret;",
        {4, 2, 1}, {16, 4, 1});
    const CountedLoop loop = kernel.Analyze().loops.at(0);
    EXPECT_EQ(loop.reason, row.reason) << row.body;
    EXPECT_FALSE(loop.known) << row.body;
    EXPECT_EQ(loop.bounded, row.at_most != 0) << row.body;
    if (loop.bounded) {
      EXPECT_EQ(loop.trip_count, row.at_most) << row.body;
    }
  }
}

}  // namespace address_reasons_test
}  // namespace flagstone
