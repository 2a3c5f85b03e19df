// Loops: trip counts, and what they carry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace address_loops_test {

using testing::HasSubstr;

AddressAnalysis Analyze(const std::string& body, uint32_t n = 0, uint32_t m = 0) {
  const KernelUnderAnalysis kernel(body, {4, 2, 1}, {16, 4, 1}, n, m);
  AddressAnalysis analysis = kernel.Analyze();
  for (AddressForm& access : analysis.accesses) {
    if (access.pattern == AddressClass::kAffine) {
      access.form.constant -= static_cast<int64_t>(access.array == "b" ? kernel.b() : kernel.a());
    }
  }
  return analysis;
}

std::string GuardsOf(const AddressForm& access) {
  std::string text;
  for (const Guard& guard : access.guards) text += ToString(guard.form) + ";";
  return text;
}

TEST(AddressLoops, FollowAPointerThatALoopIncrements) {
  // do { load p; p += 8; i += 2 } while (i != n)
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; mov.u64 %rd10, %rd1; LOOP: ld.global.f32 %f1, [%rd10+4]; "
      "add.s64 %rd10, %rd10, 8; add.s32 %r10, %r10, 2; setp.ne.s32 %p1, %r10, %r1; "
      "@%p1 bra LOOP; ret;",
      20);
  ASSERT_EQ(analysis.loops.size(), 1U);
  EXPECT_TRUE(analysis.loops[0].known);
  EXPECT_EQ(analysis.loops[0].trip_count, 10U);
  EXPECT_EQ(ToString(analysis.accesses.at(0).form), "4 + 8*L0");
  EXPECT_EQ(analysis.accesses[0].loops, std::vector<uint32_t>{0});
}

TEST(AddressLoops, CountTheHeaderOfALoopTestedAtTheTopOnceMore) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; LOOP: setp.ge.s32 %p1, %r10, %r1; @%p1 bra END; "
      "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
      "add.s32 %r10, %r10, 3; bra LOOP; END: ret;",
      10);
  EXPECT_EQ(analysis.loops.at(0).trip_count, 5U);
  EXPECT_EQ(ToString(analysis.accesses.at(0).form), "0 + 12*L0");
  EXPECT_EQ(GuardsOf(analysis.accesses[0]), "9 - 3*L0;");
}

TEST(AddressLoops, CountALoopThatEndsInItsSecondTurn) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; LOOP: setp.gt.s32 %p1, %r10, 0; @%p1 bra END; "
      "ld.global.f32 %f1, [%rd1]; add.s32 %r10, %r10, 1; bra LOOP; END: ret;");
  EXPECT_TRUE(analysis.loops.at(0).known) << analysis.loops[0].reason;
  EXPECT_EQ(analysis.loops[0].trip_count, 2U);
}

TEST(AddressLoops, TakeNoMaskOfAValueThatFallsWithoutEnd) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 100; LOOP: and.b32 %r11, %r10, 7; mul.wide.u32 %rd10, %r11, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; sub.s32 %r10, %r10, 1; "
      "ld.shared.u32 %r12, [tile]; setp.ne.s32 %p1, %r12, 0; @%p1 bra LOOP; ret;");
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_NE(analysis.accesses.at(0).pattern, AddressClass::kAffine);
  EXPECT_THAT(analysis.accesses[0].reason, HasSubstr("mask (line"));
}

TEST(AddressLoops, GiveTheirLastValueToTheCodeBehind) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 1; LOOP: add.s32 %r10, %r10, 2; setp.lt.s32 %p1, %r10, %r1; @%p1 bra LOOP; "
      "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;",
      10);
  EXPECT_EQ(ToString(analysis.accesses.at(0).form), "44");
}

TEST(AddressLoops, NestAndCarryAPointerThroughTheInnerLoop) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; mov.u64 %rd10, %rd1; OUTER: mov.u32 %r11, 0; "
      "INNER: ld.global.f32 %f1, [%rd10]; add.s64 %rd10, %rd10, 4; add.s32 %r11, %r11, 1; "
      "setp.lt.s32 %p1, %r11, %r2; @%p1 bra INNER; add.s32 %r10, %r10, 1; "
      "setp.lt.s32 %p2, %r10, %r1; @%p2 bra OUTER; ret;",
      5, 7);
  ASSERT_EQ(analysis.loops.size(), 2U);
  EXPECT_EQ(analysis.loops[0].trip_count, 5U);
  EXPECT_EQ(analysis.loops[1].trip_count, 7U);
  EXPECT_EQ(analysis.loops[1].parent, 0U);
  EXPECT_EQ(ToString(analysis.accesses.at(0).form), "0 + 28*L0 + 4*L1");
}

TEST(AddressLoops, BoundATripCountThatVariesByThread) {
  // for (i = tid.x; i < n; i += 16), as compilers rotate it.
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, %r3; setp.ge.s32 %p1, %r10, %r1; @%p1 ret; "
      "LOOP: mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; add.s32 %r10, %r10, 16; setp.lt.s32 %p2, %r10, %r1; "
      "@%p2 bra LOOP; ret;",
      40);
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_TRUE(analysis.loops[0].bounded);
  EXPECT_EQ(analysis.loops[0].trip_count, 3U);
  EXPECT_EQ(analysis.accesses.at(0).address_class, AddressClass::kAffine);
  EXPECT_EQ(ToString(analysis.accesses[0].form), "0 + 4*tid.x + 64*L0");
  EXPECT_EQ(GuardsOf(analysis.accesses[0]), "39 - tid.x - 16*L0;");
}

TEST(AddressLoops, TurnOnceWhereTheirEntryRulesOutAnotherTurn) {
  // Threads from 8 on: i = tid.x; do { load a[i]; i += 16 } while (i < 20)
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, %r3; setp.lt.s32 %p1, %r10, 8; @%p1 ret; "
      "LOOP: mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; add.s32 %r10, %r10, 16; setp.lt.s32 %p2, %r10, 20; "
      "@%p2 bra LOOP; ret;");
  EXPECT_TRUE(analysis.loops.at(0).bounded) << analysis.loops[0].reason;
  EXPECT_EQ(analysis.loops[0].trip_count, 1U);
}

TEST(AddressLoops, FollowNoChainOfMoreThan64StepsFromTurnToTurn) {
  // Sums in a row, and sums behind branches that are never taken, which end where paths meet.
  const auto pattern = [](bool branches, int sums) {
    std::string body = "mov.u32 %r10, 0; mov.u32 %r11, 0; setp.ne.s32 %p2, %r1, 0;\nLOOP: ";
    for (int k = 0; k < sums; ++k) {
      const std::string label = "L" + std::to_string(k);
      if (branches) body += "@%p2 bra " + label + "; ";
      body += "add.s32 %r10, %r10, 1; ";
      if (branches) body += label + ":\n";
    }
    return Analyze(body +
                   "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
                   "ld.global.f32 %f1, [%rd11]; add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 5; "
                   "@%p1 bra LOOP; ret;")
        .accesses.at(0)
        .pattern;
  };
  EXPECT_EQ(pattern(false, 65), AddressClass::kAffine);
  EXPECT_NE(pattern(false, 66), AddressClass::kAffine);
  EXPECT_EQ(pattern(true, 32), AddressClass::kAffine);
  EXPECT_NE(pattern(true, 33), AddressClass::kAffine);
}

TEST(AddressLoops, FollowBothSidesOfManyBranchesOnce) {
  // Both sides add the same, so that each of 30 meeting points is reached by 2^30 paths in all.
  std::string body = "mov.u32 %r10, 0; mov.u32 %r11, 0;\nLOOP: setp.ne.s32 %p2, %r12, 0; ";
  for (int k = 0; k < 30; ++k) {
    const std::string n = std::to_string(k);
    body += "@%p2 bra T" + n + "; add.s32 %r10, %r10, 1; bra.uni J" + n + ";\nT" + n +
            ": add.s32 %r10, %r10, 1;\nJ" + n + ": ";
  }
  const AddressAnalysis analysis = Analyze(
      "ld.global.u32 %r12, [%rd1];" + body +
      "mul.wide.s32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
      "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 5; @%p1 bra LOOP; ret;");
  ASSERT_EQ(analysis.accesses.size(), 2U);
  EXPECT_EQ(analysis.accesses[1].pattern, AddressClass::kAffine);
  EXPECT_EQ(ToString(analysis.accesses[1].form), "120 + 120*L0");
}

TEST(AddressLoops, EndInTheFirstTurnThatOneOfSeveralConditionsEnds) {
  const auto trips = [](const std::string& leaves) {
    const AddressAnalysis analysis =
        Analyze("mov.u32 %r10, 0; LOOP: setp.ge.s32 %p1, %r10, 9; setp.eq.s32 %p2, %r10, 3; " +
                leaves + " @%p3 bra END; add.s32 %r10, %r10, 1; bra LOOP; END: ret;");
    return analysis.loops.at(0).trip_count;
  };
  EXPECT_EQ(trips("or.pred %p3, %p1, %p2;"), 4U);
  EXPECT_EQ(trips("or.pred %p3, %p2, %p1;"), 4U);
  EXPECT_EQ(trips("setp.ge.s32 %p4, %r10, 11; and.pred %p3, %p4, %p1;"), 12U);
}

TEST(AddressLoops, AreLeftByTheWayOutOfTheirLastTurn) {
  // Of two ways out in turn 3 the first one is taken.
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; LOOP: setp.eq.s32 %p1, %r10, 3; @%p1 bra FIRST; setp.ge.s32 %p2, %r10, 3; "
      "@%p2 bra SECOND; add.s32 %r10, %r10, 1; bra LOOP; FIRST: ld.global.f32 %f1, [%rd1]; ret; "
      "SECOND: ld.global.f32 %f1, [%rd2]; ret;");
  EXPECT_EQ(analysis.loops.at(0).trip_count, 4U);
  EXPECT_EQ(analysis.accesses.at(0).address_class, AddressClass::kAffine);
  EXPECT_EQ(GuardsOf(analysis.accesses[0]), "");
  EXPECT_EQ(GuardsOf(analysis.accesses.at(1)), "-1;");  // never
}

TEST(AddressLoops, RefuseATripCountThatIsAnotherOnceValuesWrap) {
  // From 2^32 - 16, which is -16 as a signed number and meets -10 before the other counter
  // meets 10.
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r11, 0; LOOP: setp.eq.s32 %p1, %r1, -10; @%p1 bra END; setp.ge.s32 %p2, %r11, 10; "
      "@%p2 bra END; add.s32 %r1, %r1, 1; add.s32 %r11, %r11, 1; bra LOOP; END: ret;",
      4294967280);
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_THAT(analysis.loops[0].reason, HasSubstr("a loop counter may wrap around"));
}

TEST(AddressLoops, CompareNoCounterOf64BitsThatMayWrapAround) {
  const AddressAnalysis analysis = Analyze(
      "mov.u64 %rd9, 0; LOOP: setp.lt.s64 %p1, %rd9, 100; @%p1 ld.global.f32 %f1, [%rd1]; "
      "add.s64 %rd9, %rd9, 8; ld.shared.u32 %r12, [tile]; setp.ne.s32 %p2, %r12, 0; "
      "@%p2 bra LOOP; ret;");
  EXPECT_THAT(analysis.accesses.at(0).reason, HasSubstr("a compared value may wrap around"));
}

TEST(AddressLoops, OfferNoWayPastThemToThreadsThatEndInThem) {
  // Thread i ends in turn i of four; the others come to the load.
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; LOOP: setp.eq.s32 %p1, %r3, %r10; @%p1 ret; add.s32 %r10, %r10, 1; "
      "setp.lt.s32 %p2, %r10, 4; @%p2 bra LOOP; mul.wide.s32 %rd10, %r3, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; ret;");
  EXPECT_EQ(analysis.accesses.at(0).address_class, AddressClass::kDeterministic);
  EXPECT_EQ(analysis.accesses[0].pattern, AddressClass::kAffine);
}

TEST(AddressLoops, SayThatATripCountIsLoaded) {
  const AddressAnalysis analysis = Analyze(
      "ld.global.u32 %r11, [%rd1]; mov.u32 %r10, 0; LOOP: mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd2, %rd10; ld.global.f32 %f1, [%rd11]; ld.global.f32 %f2, [%rd2+8]; "
      "add.s32 %r10, %r10, 1; setp.lt.s32 %p1, %r10, %r11; @%p1 bra LOOP; ret;");
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_FALSE(analysis.loops[0].bounded);
  EXPECT_THAT(analysis.loops[0].reason, HasSubstr("a loaded value"));
  ASSERT_EQ(analysis.accesses.size(), 3U);
  EXPECT_EQ(analysis.accesses[1].address_class, AddressClass::kIndirect);
  // The same address in every turn, and there is a first turn.
  EXPECT_EQ(analysis.accesses[2].address_class, AddressClass::kAffine);
}

TEST(AddressLoops, RefuseACounterThatWrapsAround) {
  // i goes down below 0 as an unsigned number before it meets the bound.
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 5; LOOP: mul.wide.u32 %rd10, %r10, 4; add.s64 %rd11, %rd1, %rd10; "
      "ld.global.f32 %f1, [%rd11]; add.s32 %r10, %r10, -2; setp.lt.u32 %p1, %r10, 100; "
      "@%p1 bra LOOP; ret;");
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_EQ(analysis.accesses.at(0).address_class, AddressClass::kDeterministic);
}

TEST(AddressLoops, RefuseATripCountBeyondWhichAValueHasWrapped) {
  // x = i << 20 as 32 bits never comes to 2^33.
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; LOOP: shl.b32 %r11, %r10, 20; cvt.s64.s32 %rd10, %r11; "
      "ld.global.f32 %f1, [%rd1]; add.s32 %r10, %r10, 1; setp.le.s64 %p1, %rd10, 8589934592; "
      "@%p1 bra LOOP; ret;");
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_THAT(analysis.loops[0].reason, HasSubstr("may wrap around"));
}

TEST(AddressLoops, TakeNoStrideThatVaries) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 1; mov.u32 %r11, 0; LOOP: mul.wide.s32 %rd10, %r10, 4; "
      "add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; shl.b32 %r10, %r10, 1; "
      "add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r11, 5; @%p1 bra LOOP; ret;");
  EXPECT_EQ(analysis.accesses.at(0).address_class, AddressClass::kDeterministic);
  EXPECT_THAT(analysis.accesses[0].reason, HasSubstr("a value that a loop carries"));
}

TEST(AddressLoops, KeepAGuardWithinTheLoop) {
  const AddressAnalysis analysis = Analyze(
      "mov.u32 %r10, 0; LOOP: setp.lt.s32 %p1, %r3, %r10; @%p1 bra NEXT; "
      "mul.wide.s32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10; ld.global.f32 %f1, [%rd11]; "
      "NEXT: add.s32 %r10, %r10, 1; setp.lt.s32 %p2, %r10, 4; @%p2 bra LOOP; ret;");
  EXPECT_EQ(GuardsOf(analysis.accesses.at(0)), "0 + tid.x - L0;");
}

TEST(AddressLoops, CallAnEndlessLoopUnknown) {
  const AddressAnalysis analysis =
      Analyze("LOOP: add.s64 %rd1, %rd1, 4; ld.global.f32 %f1, [%rd1]; bra LOOP;");
  EXPECT_FALSE(analysis.loops.at(0).known);
  EXPECT_THAT(analysis.loops[0].reason, HasSubstr("without an exit"));
  EXPECT_NE(analysis.accesses.at(0).address_class, AddressClass::kAffine);
}

TEST(AddressLoops, OfTenThousandsOfBlocksAndOfSumsDoNotFillTheStack) {
  std::string blocks = "mov.u32 %r10, 0; LOOP: add.s32 %r10, %r10, 1;\n";
  for (int k = 0; k < 12'000; ++k) {
    const std::string label = "B" + std::to_string(k);
    blocks += "setp.eq.s32 %p1, %r3, " + std::to_string(k) + "; @%p1 bra " + label +
              "; add.s32 %r11, %r11, 1; " + label + ":\n";
  }
  blocks += "setp.lt.s32 %p2, %r10, 5; @%p2 bra LOOP; ret;";
  EXPECT_EQ(Analyze(blocks).loops.at(0).trip_count, 5U);
  std::string sums = "mov.u32 %r10, 0; mov.u32 %r11, 0; LOOP: add.s32 %r10, %r10, 1;\n";
  for (int k = 0; k < 30'000; ++k) sums += "xor.b32 %r11, %r11, %r10;\n";
  sums += "setp.lt.s32 %p2, %r11, 5; @%p2 bra LOOP; ret;";
  EXPECT_FALSE(Analyze(sums).loops.at(0).known);
}

}  // namespace address_loops_test
}  // namespace flagstone
