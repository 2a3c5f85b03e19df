// Sharer sets of footprints that move differently: by a sweep over the ranges of all TBs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/locality/locality_graph.h"
#include "base/error.h"
#include "kernels/launch/device_memory.h"

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

// Four TBs of a transposition: TB t reads 128 bytes in row t of "in" and writes 128 in column t of
// "out", whose four rows have 1024 bytes.
TEST(Sharers, OfPagesAreThoseThatReadOrWriteThem) {
  DeviceMemory memory(64);
  const auto in = static_cast<int64_t>(memory.Allocate("in", 4096));
  const auto out = static_cast<int64_t>(memory.Allocate("out", 4096));
  ASSERT_NE(out % 512, in % 512) << "pages begin where their buffer does";
  Footprints loads, stores;
  loads.tb_count = stores.tb_count = 4;
  const TbBox all = {{0, 0, 0}, {4, 1, 1}};
  loads.arrays = {{.array = "in", .element_bytes = 4, .grid = {4, 1, 1}}};
  loads.arrays[0].shapes = {{{in, in + 128}}};
  loads.arrays[0].classes = {{0, all, {1024, 0, 0}}};
  stores.arrays = {{.array = "out", .element_bytes = 4, .grid = {4, 1, 1}}};
  stores.arrays[0].shapes = {{{out, out + 32},
                              {out + 1024, out + 1056},
                              {out + 2048, out + 2080},
                              {out + 3072, out + 3104}}};
  stores.arrays[0].classes = {{0, all, {256, 0, 0}}};
  // Pages of 512 bytes: TBs 0 and 1 write to one half of each row, 2 and 3 to the other.
  const LocalityGraph graph = BuildGraph(FindPageSharers(loads, stores, memory, 512));
  EXPECT_EQ(graph.EdgeCount(), 2U);
  EXPECT_THAT(graph.neighbour, testing::ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(graph.weight, testing::Each(4U));
  // Of 2048 bytes: two read each page of "in", and all write to each of "out".
  const SharerSets wide = FindPageSharers(loads, stores, memory, 2048);
  EXPECT_EQ(wide.shared_by_all, 2U);
  EXPECT_EQ(wide.total_references, 4U);
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
