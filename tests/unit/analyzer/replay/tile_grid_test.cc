// Tiles behind ids, of addresses that are made up.
#include "analyzer/replay/tile_grid.h"

#include <gtest/gtest.h>

namespace flagstone::replay {
namespace tile_grid_test {

// Of an operand by row and one by column.
std::vector<uint64_t> Tile(uint64_t row, uint64_t column, uint64_t batch = 0) {
  return {(uint64_t{1} << 40) + 65536 * row + (batch << 30),
          (uint64_t{2} << 40) + 512 * column + (batch << 30)};
}

void ExpectGrid(const std::optional<Dim3>& found, const Dim3& grid) {
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->x, grid.x);
  EXPECT_EQ(found->y, grid.y);
  EXPECT_EQ(found->z, grid.z);
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

// Bands of four rows, as the kernel has them already.
TEST(FindTileGrid, FindsTheBandsOfGroupedIds) {
  const auto where = [](uint32_t id) { return Tile(id / 64 * 4 + id % 4, id % 64 / 4); };
  ExpectGrid(FindTileGrid(64 * 3, where), {4, 16, 3});
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
