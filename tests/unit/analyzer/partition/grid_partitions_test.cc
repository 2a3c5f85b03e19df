// Groups that go by the grid: Hilbert curve, tiles, and what round-robin runs at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "analyzer/partition/grid_order.h"
#include "analyzer/partition/partitioners.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace grid_partitions_test {

using partition::HilbertOrder;
using partition::TileShape;
using testing::ElementsAre;

const Dim3 kGrids[] = {{1, 1, 1},   {2, 2, 1},   {7, 1, 1},  {1, 9, 1},  {13, 13, 1}, {16, 16, 1},
                       {43, 43, 1}, {100, 3, 1}, {3, 50, 1}, {8, 32, 1}, {5, 4, 3},   {1, 1, 6}};

TEST(HilbertOrder, VisitsEachTbOnceInStepsToNeighbours) {
  for (const Dim3& grid : kGrids) {
    SCOPED_TRACE(testing::Message() << grid.x << " x " << grid.y << " x " << grid.z);
    const std::vector<uint32_t> order = HilbertOrder(grid);
    CheckCoversOnce({{order}}, static_cast<uint32_t>(grid.Count()));
    uint32_t diagonal = 0;
    for (size_t i = 1; i < order.size(); ++i) {
      const Dim3 a = TbCoordinates(order[i - 1], grid);
      const Dim3 b = TbCoordinates(order[i], grid);
      if (a.z != b.z) continue;
      const int dx = std::abs(static_cast<int>(a.x) - static_cast<int>(b.x));
      const int dy = std::abs(static_cast<int>(a.y) - static_cast<int>(b.y));
      ASSERT_LE(std::max(dx, dy), 1) << "step " << i;
      diagonal += dx + dy == 2 ? 1 : 0;
    }
    EXPECT_LE(diagonal, grid.z);
  }
}

TEST(HilbertOrder, IsTheGeneralisedCurveOfItsAuthor) {
  // J. Cerveny's gilbert2d, https://github.com/jakubcerveny/gilbert, of 6 x 4 and 5 x 4.
  EXPECT_THAT(HilbertOrder({6, 4, 1}), ElementsAre(0, 1, 2, 8, 7, 6, 12, 18, 19, 13, 14, 20, 21, 15,
                                                   16, 22, 23, 17, 11, 10, 9, 3, 4, 5));
  EXPECT_THAT(HilbertOrder({5, 4, 1}),
              ElementsAre(0, 1, 6, 5, 10, 15, 16, 11, 12, 17, 18, 19, 14, 13, 9, 8, 7, 2, 3, 4));
}

TEST(HilbertOrder, KeepsRunsOfTbsCompact) {
  const std::vector<uint32_t> order = HilbertOrder({32, 32, 1});
  for (size_t begin = 0; begin < order.size(); begin += 64) {
    uint32_t x_low = 32, x_high = 0, y_low = 32, y_high = 0;
    for (size_t i = begin; i < begin + 64; ++i) {
      x_low = std::min(x_low, order[i] % 32);
      x_high = std::max(x_high, order[i] % 32);
      y_low = std::min(y_low, order[i] / 32);
      y_high = std::max(y_high, order[i] / 32);
    }
    EXPECT_EQ((x_high - x_low + 1) * (y_high - y_low + 1), 64U);
  }
}

TEST(Hilbert, CutsTheCurveIntoGroupsOfEvenSize) {
  for (const Dim3& grid : kGrids) {
    const auto tbs = static_cast<uint32_t>(grid.Count());
    for (const uint32_t per_sm : {1U, 3U, 8U, 32U}) {
      const TbGroups groups = PartitionByHilbert(grid, {.sms = 15, .tbs_per_sm = per_sm});
      CheckCoversOnce(groups, tbs);
      EXPECT_TRUE(groups.steal_enable);
      EXPECT_EQ(groups.groups.size(), std::max((tbs - 1) / per_sm + 1, std::min(tbs, 15U)));
      for (const auto& group : groups.groups) {
        EXPECT_LE(group.size(), per_sm);
        EXPECT_GE(group.size(), tbs / groups.groups.size());
      }
    }
  }
}

TEST(TileShape, IsNearlySquareAndFitsTheGrid) {
  const auto shape = [](Dim3 grid, uint32_t capacity) {
    const Dim3 tile = TileShape(grid, capacity);
    return std::vector<uint32_t>{tile.x, tile.y, tile.z};
  };
  EXPECT_THAT(shape({100, 100, 1}, 8), ElementsAre(4, 2, 1));
  EXPECT_THAT(shape({100, 100, 1}, 6), ElementsAre(3, 2, 1));
  EXPECT_THAT(shape({100, 100, 1}, 7), ElementsAre(3, 2, 1));  // not 7 x 1
  EXPECT_THAT(shape({100, 100, 1}, 32), ElementsAre(6, 5, 1));
  EXPECT_THAT(shape({100, 1, 1}, 7), ElementsAre(7, 1, 1));
  EXPECT_THAT(shape({1, 100, 1}, 7), ElementsAre(1, 7, 1));
  EXPECT_THAT(shape({2, 100, 1}, 16), ElementsAre(2, 8, 1));
  EXPECT_THAT(shape({9, 9, 9}, 8), ElementsAre(2, 2, 2));
  EXPECT_THAT(shape({9, 9, 9}, 4), ElementsAre(2, 2, 1));  // as good as 2 x 1 x 2
  EXPECT_THAT(shape({9, 9, 1}, 1), ElementsAre(1, 1, 1));
}

TEST(Tile, CoversEachGridOnceWithBoxesThatFit) {
  for (const Dim3& grid : kGrids) {
    for (const uint32_t per_sm : {1U, 3U, 8U, 32U}) {
      const TbGroups groups = PartitionByTiles(grid, {.sms = 15, .tbs_per_sm = per_sm});
      CheckCoversOnce(groups, static_cast<uint32_t>(grid.Count()));
      EXPECT_GE(groups.groups.size(), std::min<uint64_t>(grid.Count(), 15) / 2);
      for (const auto& group : groups.groups) {
        EXPECT_LE(group.size(), per_sm);
        const Dim3 low = TbCoordinates(group.front(), grid);
        const Dim3 high = TbCoordinates(group.back(), grid);
        EXPECT_EQ(Dim3({high.x - low.x + 1, high.y - low.y + 1, high.z - low.z + 1}).Count(),
                  group.size());
      }
    }
  }
}

TEST(Tile, SpreadsAGridThatDoesNotFillTheSms) {
  const auto sizes_of = [](uint32_t tbs) {
    std::vector<size_t> sizes;
    const TbGroups groups = PartitionByTiles({tbs, 1, 1}, {.sms = 4, .tbs_per_sm = 8});
    for (const auto& group : groups.groups) sizes.push_back(group.size());
    return sizes;
  };
  EXPECT_THAT(sizes_of(16), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(sizes_of(17), ElementsAre(4, 4, 4, 5));
  EXPECT_THAT(sizes_of(3), ElementsAre(1, 1, 1));
}

TEST(Tile, GoesThereAndBack) {
  const TbGroups groups = PartitionByTiles({4, 4, 1}, {.sms = 2, .tbs_per_sm = 4});
  EXPECT_THAT(groups.groups, ElementsAre(ElementsAre(0, 1, 4, 5), ElementsAre(2, 3, 6, 7),
                                         ElementsAre(10, 11, 14, 15), ElementsAre(8, 9, 12, 13)));
}

TEST(Tile, LeavesLessOfMatmulsFootprintThanRowsDo) {
  const SharerSets sharers = graphs::MatmulSharers(16, 64);
  const PartitionRequest request = {.sms = 4, .tbs_per_sm = 16};
  // 4 x 4 tiles read 8 panels for 16 TBs of 2; rows of 16 read 17.
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, PartitionByTiles({16, 16, 1}, request)), 8.0 / 32);
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, PartitionByTiles({256, 1, 1}, request)), 17.0 / 32);
}

TEST(GroupsOfChunks, AreContiguousAndTheFirstOnesLarger) {
  const TbGroups groups = GroupsOfChunks({5, 2, 1}, {.sms = 4, .tbs_per_sm = 2});
  EXPECT_EQ(groups.groups,
            (std::vector<std::vector<uint32_t>>{{0, 1, 2}, {3, 4, 5}, {6, 7}, {8, 9}}));
  EXPECT_FALSE(groups.steal_enable);
  const TbGroups few = GroupsOfChunks({2, 1, 1}, {.sms = 4, .tbs_per_sm = 2});
  EXPECT_EQ(few.groups, (std::vector<std::vector<uint32_t>>{{0}, {1}}));
}

TEST(RoundRobin, RunsEverySthTbAtOnce) {
  const TbGroups groups = GroupsOfRoundRobin({10, 1, 1}, {.sms = 3, .tbs_per_sm = 2});
  EXPECT_THAT(groups.groups, ElementsAre(ElementsAre(0, 3), ElementsAre(1, 4), ElementsAre(2, 5),
                                         ElementsAre(6, 9), ElementsAre(7), ElementsAre(8)));
  const TbGroups fewer = GroupsOfRoundRobin({8, 1, 1}, {.sms = 3, .tbs_per_sm = 2});
  EXPECT_THAT(fewer.groups, ElementsAre(ElementsAre(0, 3), ElementsAre(1, 4), ElementsAre(2, 5),
                                        ElementsAre(6), ElementsAre(7)));
}

}  // namespace grid_partitions_test
}  // namespace flagstone
