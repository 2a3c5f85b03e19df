// Byte ranges as ranges of units: where a shape lies within a unit, and what several warps read.
#include "analyzer/locality/unit_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace flagstone {
namespace unit_shapes_test {

using Ends = std::vector<std::pair<int64_t, int64_t>>;

Ends EndsOf(std::span<const Range> ranges) {
  Ends ends;
  for (const Range& range : ranges) ends.emplace_back(range.begin, range.end);
  return ends;
}

ArrayFootprints Array(std::vector<Range> shape, std::vector<std::vector<Range>> warps = {}) {
  ArrayFootprints array;
  array.shapes = {std::move(shape)};
  if (!warps.empty()) array.warps = {std::move(warps)};
  return array;
}

TEST(UnitShapes, ARangeTouchesEachUnitThatHoldsAByteOfIt) {
  const ArrayFootprints array = Array({{0, 32}, {64, 65}, {127, 129}});
  UnitShapes shapes(array, 32);
  EXPECT_EQ(EndsOf(shapes.At(0, 0).reads), (Ends{{0, 1}, {2, 5}}));  // neighbours become one
  EXPECT_EQ(shapes.At(0, 0).shift, 0);
  const Ends moved = {{0, 3}, {4, 5}};
  EXPECT_EQ(EndsOf(shapes.At(0, 1).reads), moved);
  // By whole units it is the same shape, moved; below zero too.
  EXPECT_EQ(EndsOf(shapes.At(0, 65).reads), moved);
  EXPECT_EQ(shapes.At(0, 65).shift, 2);
  EXPECT_EQ(EndsOf(shapes.At(0, -31).reads), moved);
  EXPECT_EQ(shapes.At(0, -31).shift, -1);
}

TEST(UnitShapes, SeveralWarpsReadWhatTwoOrMoreRangesHold) {
  const ArrayFootprints array =
      Array({{0, 96}}, {{{0, 40}, {80, 96}}, {{20, 60}}, {{32, 48}, {90, 95}}});
  UnitShapes shapes(array, 1);
  EXPECT_EQ(EndsOf(shapes.At(0, 0).several_warps), (Ends{{20, 48}, {90, 95}}));
}

TEST(UnitShapes, WithoutWarpsNothingIsReadBySeveral) {
  const ArrayFootprints array = Array({{0, 96}});
  UnitShapes shapes(array, 32);
  EXPECT_TRUE(shapes.At(0, 0).several_warps.empty());
  const ArrayFootprints apart = Array({{0, 96}}, {{{0, 32}}, {{32, 64}}, {{64, 96}}});
  UnitShapes of_one_each(apart, 32);
  EXPECT_TRUE(of_one_each.At(0, 0).several_warps.empty());
}

}  // namespace unit_shapes_test
}  // namespace flagstone
