// Races on shared memory: what is one, and what barriers order.
#include "gpu_model/simt/race_check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/launch/findings.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone {
namespace race_check_test {

// Runs TBs of two warps. %r1 is the thread, %r3 its word of "tile" and %r4 that of its neighbour in
// the other warp; %p1 holds in warp 0.
std::vector<Finding> RacesOf(const std::string& body, uint32_t warps = 2, bool wanted = true) {
  Findings findings;
  findings.wants_races = wanted;
  KernelRun run = KernelRun::FromText(
      KernelText("",
                 ".shared .align 4 .b8 tile[512];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
                 "mad.lo.u32 %r3, %r1, 4, %r2;\nxor.b32 %r4, %r1, 32;\n"
                 "mad.lo.u32 %r4, %r4, 4, %r2;\nsetp.lt.u32 %p1, %r1, 32;\n" +
                     body + "\nret;"),
      {2, 1, 1}, {32 * warps, 1, 1});
  run.Into(&findings).Run();
  return findings.List();
}

TEST(RaceCheck, NamesBothLinesOfAWriteAndAReadWithoutABarrier) {
  const auto races = RacesOf("st.shared.u32 [%r3], %r1;\nld.shared.u32 %r5, [%r4];");
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].kind, FindingKind::kRace);
  // Warp 0 has read before warp 1 writes.
  EXPECT_EQ(races[0].text,
            "race on shared memory: test.ptx:21 (ld.shared.u32 %r5, [%r4]) by warp 0 and "
            "test.ptx:20 (st.shared.u32 [%r3], %r1) by warp 1, without a barrier between them, at "
            "byte 128 of TB (0,0,0)");
}

TEST(RaceCheck, FindsNoneWhereABarrierStandsBetween) {
  EXPECT_TRUE(RacesOf("st.shared.u32 [%r3], %r1;\nbar.sync 0;\nld.shared.u32 %r5, [%r4];").empty());
}

TEST(RaceCheck, FindsTheMissingSecondBarrierOfALoop) {
  const std::string loop =
      "mov.u32 %r6, 0;\nLOOP: st.shared.u32 [%r3], %r1;\nbar.sync 0;\nld.shared.u32 %r5, [%r4];\n";
  const std::string rest = "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p2, %r6, 3;\n@%p2 bra LOOP;";
  EXPECT_EQ(RacesOf(loop + rest).size(), 1U);
  EXPECT_TRUE(RacesOf(loop + "bar.sync 0;\n" + rest).empty());
}

TEST(RaceCheck, CountsTwoWritesAndBytesNotWords) {
  EXPECT_EQ(RacesOf("st.shared.u32 [tile], %r1;").size(), 1U);
  // Warp 0 writes the even bytes of a word, warp 1 the odd ones.
  EXPECT_TRUE(RacesOf("selp.u32 %r5, 0, 1, %p1;\nadd.u32 %r5, %r5, %r2;\n"
                      "st.shared.u8 [%r5], %r1;\nst.shared.u8 [%r5+2], %r1;")
                  .empty());
}

TEST(RaceCheck, LetsAtomicsMeetAtomicsAndLanesOfOneWarpMeetEachOther) {
  EXPECT_TRUE(RacesOf("red.shared.add.u32 [tile], 1;").empty());
  EXPECT_EQ(RacesOf("red.shared.add.u32 [tile], 1;\nld.shared.u32 %r5, [tile];").size(), 1U);
  EXPECT_TRUE(RacesOf("@%p1 st.shared.u32 [tile], %r1;\n@%p1 ld.shared.u32 %r5, [tile];").empty());
}

TEST(RaceCheck, FollowsNumberedBarriersOfAPartOfTheTb) {
  // Warp 0 writes and arrives, warp 1 waits and reads; warp 2 takes no part.
  const std::string produce =
      "setp.ge.u32 %p3, %r1, 64;\nsetp.ge.u32 %p2, %r1, 32;\n"
      "@%p3 bra THIRD;\n@%p2 bra READ;\nst.shared.u32 [tile], %r1;\nbar.arrive 1, 64;\nret;\n"
      "READ: bar.sync 1, 64;\nld.shared.u32 %r5, [tile];\nret;\nTHIRD: ";
  EXPECT_TRUE(RacesOf(produce + "ret;", 3).empty());
  EXPECT_EQ(RacesOf(produce + "ld.shared.u32 %r6, [tile];", 3).size(), 1U);
}

TEST(RaceCheck, RemembersReadsOfTwoWarps) {
  // Warps 0 and 1 read, in this order; warp 2, which only warp 1 has met, writes.
  const auto races = RacesOf(
      "setp.ge.u32 %p3, %r1, 64;\n@%p3 bra THIRD;\nld.shared.u32 %r5, [tile];\n"
      "@%p1 bra FIRST;\nbar.arrive 1, 64;\nret;\nFIRST: bar.sync 2, 64;\nret;\n"
      "THIRD: bar.sync 1, 64;\nst.shared.u32 [tile], 1;\nbar.sync 2, 64;",
      3);
  ASSERT_EQ(races.size(), 1U);
  EXPECT_NE(races[0].text.find("(ld.shared.u32 %r5, [tile]) by warp 0"), std::string::npos)
      << races[0].text;
}

TEST(RaceCheck, IsOffUnlessAskedFor) {
  EXPECT_TRUE(RacesOf("st.shared.u32 [tile], %r1;", 2, false).empty());
}

}  // namespace race_check_test
}  // namespace flagstone
