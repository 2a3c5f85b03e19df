// The points of a grid, filters and samples.
#include "app/sweep/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace space_test {

SweepDimension Dimension(const std::string& key, size_t values) {
  SweepDimension dimension = {key, {}};
  for (size_t i = 0; i < values; ++i) dimension.values.push_back(std::to_string(i));
  return dimension;
}

SweepSpace Space(std::vector<size_t> sizes) {
  SweepSpace space;
  for (const size_t size : sizes) space.dimensions.push_back(Dimension("d", size));
  return space;
}

TEST(SweepSpace, NumbersEachPlaceOnceTheLastDimensionFastest) {
  const SweepSpace space = Space({2, 3, 4});
  EXPECT_EQ(space.Size(), 24U);
  for (uint64_t point = 0; point < 24; ++point) {
    EXPECT_EQ(space.PointOf(space.PlacesOf(point)), point);
  }
  EXPECT_THAT(space.PlacesOf(1), testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(space.PlacesOf(23), testing::ElementsAre(1, 2, 3));
}

TEST(SweepSpace, RefusesMorePointsThanNumbers) {
  EXPECT_THROW(Space(std::vector<size_t>(64, 4)).Size(), Error);
}

TEST(SweepFilter, KeepsWhatOneOnlyMeetsAndNoSkip) {
  const SweepCondition first_is_0 = {{{0, {true, false}}}};
  const SweepCondition second_is_1_or_2 = {{{1, {false, true, true}}}};
  const SweepCondition both = {{first_is_0.parts[0], second_is_1_or_2.parts[0]}};
  const SweepFilter filter = {{first_is_0, second_is_1_or_2}, {both}};
  EXPECT_TRUE(filter.Keeps({0, 0}));
  EXPECT_FALSE(filter.Keeps({0, 1}));  // skipped
  EXPECT_TRUE(filter.Keeps({1, 1}));
  EXPECT_FALSE(filter.Keeps({1, 0}));  // met by none
  EXPECT_TRUE(SweepFilter().Keeps({1, 0}));
}

TEST(SweepSample, ARandomOneHasDifferentPointsAndIsTheSameForASeed) {
  const SweepSpace space = Space({10, 10, 10});
  SweepSample sample = {SweepSample::Kind::kRandom, 100, 1};
  const std::vector<uint64_t> points = DrawSample(space, sample);
  EXPECT_EQ(points.size(), 100U);
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
  EXPECT_EQ(std::adjacent_find(points.begin(), points.end()), points.end());
  EXPECT_EQ(DrawSample(space, sample), points);
  sample.seed = 2;
  EXPECT_NE(DrawSample(space, sample), points);
  sample.points = 1000;
  EXPECT_EQ(DrawSample(space, sample).size(), 1000U);
  sample.points = 1001;
  EXPECT_THROW(DrawSample(space, sample), Error);
}

// Each point is drawn equally often: of 20,000 samples of 2 of 10, each has some 4,000.
TEST(SweepSample, ARandomOneFavoursNoPoint) {
  const SweepSpace space = Space({10});
  std::vector<int> drawn(10);
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    for (const uint64_t p : DrawSample(space, {SweepSample::Kind::kRandom, 2, seed})) ++drawn[p];
  }
  for (const int times : drawn) EXPECT_NEAR(times, 4000, 300);
}

// Each value of each axis as often as all others: 12 points over 3, 4 and 6 values.
TEST(SweepSample, ALatinHypercubeSpreadsEachAxisEvenly) {
  const SweepSpace space = Space({3, 4, 6, 12});
  const auto points = DrawSample(space, {SweepSample::Kind::kLatinHypercube, 12, 7});
  ASSERT_EQ(points.size(), 12U);  // the last axis makes them different
  for (size_t d = 0; d < 4; ++d) {
    std::vector<size_t> times(space.dimensions[d].values.size());
    for (const uint64_t point : points) ++times[space.PlacesOf(point)[d]];
    EXPECT_THAT(times, testing::Each(12 / times.size())) << d;
  }
}

}  // namespace space_test
}  // namespace flagstone
