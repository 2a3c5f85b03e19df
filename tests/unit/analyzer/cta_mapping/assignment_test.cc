// Algorithm 3, corrected: each TB once, loads that differ by at most one, whole rows while they
// divide evenly.
#include "analyzer/cta_mapping/assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flagstone {
namespace assignment_test {

using ::testing::ElementsAre;

void ExpectEachTbOnce(const Dim3& grid, uint32_t sms, CtaDirection direction) {
  const auto tbs = AssignCtas(grid, sms, direction);
  ASSERT_EQ(tbs.size(), sms);
  std::vector<uint32_t> times(grid.Count(), 0);
  size_t least = times.size();
  size_t most = 0;
  for (const auto& of_sm : tbs) {
    least = std::min(least, of_sm.size());
    most = std::max(most, of_sm.size());
    for (const uint32_t tb : of_sm) ++times.at(tb);
  }
  ASSERT_THAT(times, ::testing::Each(1U));
  ASSERT_LE(most - least, 1U);
}

TEST(AssignCtas, GivesEachTbOnceWithEvenLoads) {
  for (uint32_t shape = 0; shape < 9 * 9 * 2; ++shape) {
    const Dim3 grid = {1 + shape % 9, 1 + shape / 9 % 9, 1 + shape / 81};
    for (const uint32_t sms : {1U, 2U, 3U, 4U, 7U, 15U, 80U}) {
      for (const CtaDirection direction :
           {CtaDirection::kRoundRobin, CtaDirection::kX, CtaDirection::kY}) {
        SCOPED_TRACE(::testing::Message() << grid.x << "x" << grid.y << "x" << grid.z << " on "
                                          << sms << " SMs, " << ToString(direction));
        ExpectEachTbOnce(grid, sms, direction);
      }
    }
  }
}

// The paper's Figure 3: 5 x 5 TBs on 4 SMs. A row each, and the fifth row cut.
TEST(AssignCtas, KeepsWholeRowsAndCutsTheRest) {
  EXPECT_THAT(
      AssignCtas({5, 5, 1}, 4, CtaDirection::kX),
      ElementsAre(ElementsAre(0, 1, 2, 3, 4, 20, 21), ElementsAre(5, 6, 7, 8, 9, 22),
                  ElementsAre(10, 11, 12, 13, 14, 23), ElementsAre(15, 16, 17, 18, 19, 24)));
  EXPECT_THAT(AssignCtas({5, 5, 1}, 4, CtaDirection::kY),
              ElementsAre(ElementsAre(0, 5, 10, 15, 20, 4, 9), ElementsAre(1, 6, 11, 16, 21, 14),
                          ElementsAre(2, 7, 12, 17, 22, 19), ElementsAre(3, 8, 13, 18, 23, 24)));
}

TEST(AssignCtas, CountsFurtherPlanesAsRowsBelow) {
  EXPECT_THAT(AssignCtas({2, 2, 2}, 2, CtaDirection::kX),
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
  EXPECT_THAT(AssignCtas({2, 2, 2}, 2, CtaDirection::kY),
              ElementsAre(ElementsAre(0, 2, 4, 6), ElementsAre(1, 3, 5, 7)));
}

}  // namespace assignment_test
}  // namespace flagstone
