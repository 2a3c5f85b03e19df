// Tiles behind ids, of addresses that are made up.
#include "analyzer/replay/tile_grid.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flagstone::replay {
namespace tile_grid_test {

// Of an operand by row and one by column.
std::vector<uint64_t> Tile(uint64_t row, uint64_t column, uint64_t batch = 0) {
  return {(uint64_t{1} << 40) + 65536 * row + (batch << 30),
          (uint64_t{2} << 40) + 512 * column + (batch << 30)};
}

void ExpectGrid(const std::optional<TileGrid>& found, const Dim3& grid, uint32_t band = 1) {
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->tiles.x, grid.x);
  EXPECT_EQ(found->tiles.y, grid.y);
  EXPECT_EQ(found->tiles.z, grid.z);
  EXPECT_EQ(found->band, band);
}

TEST(FindTileGrid, FindsRowsBehindQuotientAndRemainder) {
  ExpectGrid(FindTileGrid(24 * 10, [](uint32_t id) { return Tile(id / 24, id % 24); }),
             {24, 10, 1});
  ExpectGrid(FindTileGrid(24 * 10, [](uint32_t id) { return Tile(id % 10, id / 10); }),
             {10, 24, 1});
}

TEST(FindTileGrid, FindsBatchesBehindRows) {
  const auto where = [](uint32_t id) { return Tile(id / 8 % 6, id % 8, id / 48); };
  ExpectGrid(FindTileGrid(48 * 5, where), {8, 6, 5});
}

// Of a grid 16 tiles wide, as kernels group ids: the last group has the rows that are left.
std::vector<uint64_t> Grouped(uint32_t id, uint32_t rows, uint32_t height) {
  const uint32_t first = id / (rows * 16) * rows, here = std::min(rows, height - first);
  const uint32_t within = id % (rows * 16);
  return Tile(first + within % here, within / here);
}

TEST(FindTileGrid, FindsTheBandsOfGroupedIds) {
  for (const uint32_t height : {12U, 14U, 9U}) {
    const auto where = [&](uint32_t id) { return Grouped(id, 4, height); };
    ExpectGrid(FindTileGrid(16 * height, where), {16, height, 1}, 4);
  }
}

TEST(FindTileGrid, TakesOneBandForColumns) {
  ExpectGrid(FindTileGrid(64, [](uint32_t id) { return Grouped(id, 4, 4); }), {4, 16, 1});
}

TEST(FindTileGrid, FindsNoneWhereAllIdsAreAlike) {
  EXPECT_FALSE(FindTileGrid(100, [](uint32_t id) { return Tile(id, id); }));
  EXPECT_FALSE(FindTileGrid(1, [](uint32_t id) { return Tile(id, id); }));
}

TEST(FindTileGrid, FindsNoneWhereRowsAreNotAllAsLong) {
  EXPECT_FALSE(FindTileGrid(100, [](uint32_t id) { return Tile(id / 7, id % 7); }));  // 14 rows, 2
  EXPECT_FALSE(FindTileGrid(64, [](uint32_t id) { return Tile(id * id, id); }));
}

}  // namespace tile_grid_test
}  // namespace flagstone::replay
