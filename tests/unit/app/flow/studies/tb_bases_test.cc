// Bases of TBs on loads made by hand.
#include "app/flow/studies/tb_bases.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace tb_bases_test {

TEST(TbBases, AreInTheOrderInWhichTbsComeToTheLoad) {
  const LoadLog log = {{0, 0x5000, 3, 7, 4}, {1, 0x1000, 0, 7, 0}, {2, 0x5200, 3, 7, 5},
                       {3, 0x1200, 0, 7, 1}, {4, 0x3000, 9, 7, 8}, {5, 0x1400, 0, 7, 2}};
  const std::vector<TbBase> bases = TbBases(log);
  ASSERT_EQ(bases.size(), 3U);
  EXPECT_EQ(bases[0].tb, 3U);
  EXPECT_EQ(bases[0].base, 0x5000U);
  EXPECT_EQ(bases[0].stride, 0x200);
  EXPECT_EQ(bases[1].tb, 0U);
  EXPECT_EQ(bases[1].warps, 3U);
  EXPECT_EQ(bases[1].stride, 0x200);
  EXPECT_EQ(bases[2].tb, 9U);
  EXPECT_FALSE(bases[2].stride) << "one warp";
}

TEST(TbBases, AreThoseOfTheLowestWarpWhicheverIsFirst) {
  const LoadLog log = {{0, 0x1400, 0, 7, 2}, {1, 0x1000, 0, 7, 0}, {2, 0x1200, 0, 7, 1}};
  const std::vector<TbBase> bases = TbBases(log);
  ASSERT_EQ(bases.size(), 1U);
  EXPECT_EQ(bases[0].base, 0x1000U);
  EXPECT_EQ(bases[0].stride, 0x200);
}

TEST(TbBases, LeaveOutLaterTripsAndOtherLoads) {
  const LoadLog log = {{0, 0x1000, 0, 7, 0},
                       {1, 0x9000, 0, 7, 0},
                       {2, 0x1200, 0, 7, 1},
                       {3, 0x7700, 0, 8, 2},
                       {4, 0x7700, 1, 8, 3}};
  const std::vector<TbBase> bases = TbBases(log);
  ASSERT_EQ(bases.size(), 1U);
  EXPECT_EQ(bases[0].base, 0x1000U);
  EXPECT_EQ(bases[0].warps, 2U);
  EXPECT_EQ(bases[0].stride, 0x200);
}

TEST(TbBases, HaveNoStrideWhereItDiffersBetweenWarps) {
  const LoadLog log = {{0, 0x1000, 0, 7, 0}, {1, 0x1200, 0, 7, 1}, {2, 0x1300, 0, 7, 2}};
  EXPECT_FALSE(TbBases(log)[0].stride);
  // Downwards is a stride like any other.
  EXPECT_EQ(TbBases({{0, 0x1200, 0, 7, 0}, {1, 0x1000, 0, 7, 1}})[0].stride, -0x200);
}

TEST(TbBases, OfAnSmWithoutLoadsThereAreNone) { EXPECT_TRUE(TbBases({}).empty()); }

}  // namespace tb_bases_test
}  // namespace flagstone
