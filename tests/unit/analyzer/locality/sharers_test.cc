// Sharer sets of footprints that move differently: by a sweep over the ranges of all TBs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/locality/locality_graph.h"
#include "base/error.h"

namespace flagstone {
namespace sharers_test {

// So many ranges of four bytes, with gaps between them.
std::vector<Range> Spaced(int64_t count) {
  std::vector<Range> ranges;
  for (int64_t i = 0; i < count; ++i) ranges.push_back({8 * i, 8 * i + 4});
  return ranges;
}

// A class for each shape, all over a grid of 2048 x 64, moved along x alone: 2048 places each.
Footprints ThatOverlap(std::vector<std::vector<Range>> shapes) {
  Footprints footprints;
  footprints.tb_count = 2048 * 64;
  ArrayFootprints a;
  a.array = "a";
  a.element_bytes = 4;
  a.grid = {2048, 64, 1};
  a.disjoint = false;
  for (uint32_t shape = 0; shape < shapes.size(); ++shape) {
    a.classes.push_back({shape, {{0, 0, 0}, {2048, 64, 1}}, {1 << 20, 0, 0}});
  }
  a.shapes = std::move(shapes);
  footprints.arrays = {std::move(a)};
  return footprints;
}

std::string ErrorOf(const Footprints& footprints) {
  try {
    FindSharers(footprints, Granularity::kElement);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "";
}

TEST(Sharers, RefuseTooManyRangesOverAllTbs) {
  constexpr int64_t kEnough = static_cast<int64_t>(kMaxFootprintRanges) / 2048;
  const testing::Matcher<std::string> refused = testing::HasSubstr(
      "the footprints of 'a' fall apart into more than 67108864 ranges over all");
  EXPECT_THAT(ErrorOf(ThatOverlap({Spaced(kEnough + 1)})), refused);
  EXPECT_THAT(ErrorOf(ThatOverlap({Spaced(1), Spaced(kEnough)})), refused);
}

TEST(Sharers, OfTbsAlongAnAxisThatDoesNotMoveThemAreSweptAsOnePlace) {
  const SharerSets sharers =
      FindSharers(ThatOverlap({Spaced(2), Spaced(1)}), Granularity::kElement);
  ASSERT_EQ(sharers.families.size(), 2048U);
  EXPECT_EQ(sharers.families[7].size, 64U);
  EXPECT_EQ(sharers.families[7].weight, 2U);
  EXPECT_EQ(sharers.families[7].anchor, 7U);
}

TEST(Granularity, HasANameAndAUnit) {
  EXPECT_EQ(ToString(Granularity::kElement), "element");
  EXPECT_EQ(ToString(Granularity::kSector), "sector");
  EXPECT_EQ(ToString(Granularity::kLine), "line");
  EXPECT_EQ(Bytes(Granularity::kElement, 8), 8U);
  EXPECT_EQ(Bytes(Granularity::kSector, 8), 32U);
  EXPECT_EQ(Bytes(Granularity::kLine, 8), 128U);
}

}  // namespace sharers_test
}  // namespace flagstone
