#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace flagstone {
namespace random_test {

TEST(SplitMix64, GivesThePublishedSequence) {
  // The first outputs for seed 1234567, as listed with the reference implementation.
  SplitMix64 random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317U);
  EXPECT_EQ(random.Next(), 3203168211198807973U);
  EXPECT_EQ(random.Next(), 9817491932198370423U);
  EXPECT_EQ(random.Next(), 4593380528125082431U);
  EXPECT_EQ(random.Next(), 16408922859458223821U);
}

TEST(SplitMix64, StaysBelowABoundAndReachesAllValues) {
  SplitMix64 random(1);
  std::array<int, 5> seen = {};
  for (int i = 0; i < 5000; ++i) ++seen.at(random.Below(5));
  // 1000 expected of each; 150 is five standard deviations.
  EXPECT_GE(*std::min_element(seen.begin(), seen.end()), 850);
  EXPECT_LE(*std::max_element(seen.begin(), seen.end()), 1150);
}

TEST(SplitMix64, DrawsUnitNumbersFromTheHalfOpenInterval) {
  SplitMix64 random(2);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double unit = random.Unit();
    ASSERT_GE(unit, 0);
    ASSERT_LT(unit, 1);
    sum += unit;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.015);  // five standard deviations
}

}  // namespace random_test
}  // namespace flagstone
