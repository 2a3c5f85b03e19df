#include "analyzer/locality/strided_box.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace flagstone {
namespace strided_box_test {

std::set<int64_t> Bytes(const std::vector<Range>& ranges) {
  std::set<int64_t> bytes;
  for (const Range& range : ranges) {
    for (int64_t b = range.begin; b < range.end; ++b) bytes.insert(b);
  }
  return bytes;
}

std::set<int64_t> BytesOneByOne(const StridedBox& box, size_t d, int64_t at) {
  std::set<int64_t> bytes;
  if (d == box.dimensions.size()) {
    for (int64_t b = 0; b < box.run; ++b) bytes.insert(at + b);
    return bytes;
  }
  for (int64_t i = 0; i < box.dimensions[d].count; ++i) {
    bytes.merge(BytesOneByOne(box, d + 1, at + i * box.dimensions[d].stride));
  }
  return bytes;
}

TEST(StridedBox, JoinsDimensionsThatContinueOneAnother) {
  // 16 rows of 104 pairs of floats, as an unrolled loop reads a matrix: one run of bytes.
  StridedBox box{1000, 4, {{832, 16}, {8, 104}, {4, 2}}};
  box.Simplify();
  EXPECT_TRUE(box.dimensions.empty());
  EXPECT_EQ(box.run, 13312);
  EXPECT_EQ(box.RangeCount(), 1U);
}

TEST(StridedBox, KeepsAColumnAsOneDimension) {
  StridedBox box{0, 4, {{4, 16}, {832, 208}}};
  box.Simplify();
  EXPECT_EQ(box.run, 64);
  EXPECT_EQ(box.RangeCount(), 208U);
}

TEST(StridedBox, TurnsNegativeStridesAround) {
  StridedBox box{100, 4, {{-4, 5}}};
  box.Simplify();
  EXPECT_EQ(box.start, 84);
  EXPECT_EQ(box.run, 20);
}

TEST(StridedBox, SaturatesItsRangeCount) {
  const StridedBox box{0, 4, {{8, int64_t{1} << 40}, {int64_t{1} << 50, int64_t{1} << 40}}};
  EXPECT_EQ(box.RangeCount(), ~uint64_t{0});
}

TEST(StridedBox, CoversTheSameBytesWhenSimplified) {
  SplitMix64 random(7);
  for (int i = 0; i < 2000; ++i) {
    StridedBox box{
        static_cast<int64_t>(random.Below(50)), static_cast<int64_t>(1 + random.Below(6)), {}};
    for (uint64_t d = random.Below(4); d > 0; --d) {
      box.dimensions.push_back(
          {static_cast<int64_t>(random.Below(41)) - 20, static_cast<int64_t>(1 + random.Below(6))});
    }
    const std::set<int64_t> expected = BytesOneByOne(box, 0, box.start);
    box.Simplify();
    std::vector<Range> ranges;
    box.AppendRanges(ranges);
    ASSERT_EQ(ranges.size(), box.RangeCount());
    Normalize(ranges);
    ASSERT_EQ(Bytes(ranges), expected) << "box " << i;
  }
}

TEST(Ranges, AreSortedAndJoinedWhereTheyTouch) {
  std::vector<Range> ranges = {{8, 12}, {0, 4}, {4, 6}, {7, 7}, {9, 10}};
  Normalize(ranges);
  EXPECT_EQ(ranges, (std::vector<Range>{{0, 6}, {8, 12}}));
}

}  // namespace strided_box_test
}  // namespace flagstone
