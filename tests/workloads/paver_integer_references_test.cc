// The CPU references of those of PAVER's benchmarks that work on integers, each on a case worked
// out by hand or published.
#include <gtest/gtest.h>

#include <vector>

#include "launch/btree.h"
#include "tests/workloads/literal_case.h"

namespace flagstone {
namespace {

using Ints = std::vector<int32_t>;
using Words = std::vector<uint32_t>;

TEST(PaverIntegerReferences, Dwt53SplitsComponentsAndTransformsRowsThenColumns) {
  // Red is 1 3 2 5 in three equal rows, each of which becomes: details 3 - (1 + 2) / 2 = 2 and,
  // with 2 again beyond the edge, 5 - 2 = 3; smooth 1 + (2 + 2 + 2) / 4 = 2 and 2 + (2 + 3 + 2) / 4
  // = 3. Columns are constant: their details are 0.
  std::vector<uint8_t> image;
  for (int row = 0; row < 3; ++row) {
    for (const uint8_t red : std::vector<uint8_t>{129, 131, 130, 133}) {
      image.insert(image.end(), {red, 0, 255});
    }
  }
  LiteralCase dwt("dwt53");
  dwt.Buffer<uint8_t>("image", image);
  for (const char* name : {"red", "green", "blue", "bands"}) dwt.Buffer<int32_t>(name, Ints(12));
  dwt.Launch("'image', 'red', 'green', 'blue', {s32=12}")
      .Launch("'red', 'bands', {s32=4}, {s32=3}, {s32=1}");
  EXPECT_EQ(dwt.Result<int32_t>("red"), (Ints{1, 3, 2, 5, 1, 3, 2, 5, 1, 3, 2, 5}));
  EXPECT_EQ(dwt.Result<int32_t>("green"), Ints(12, -128));
  EXPECT_EQ(dwt.Result<int32_t>("blue"), Ints(12, 127));
  EXPECT_EQ(dwt.Result<int32_t>("bands"), (Ints{2, 3, 2, 3, 2, 3, 2, 3, 0, 0, 0, 0}));
}

TEST(PaverIntegerReferences, Dwt53RoundsDownBelowZero) {
  // Rows are constant, columns -2 -5 -3: the detail is -5 - floor(-5 / 2) = -2, the smooth samples
  // -2 + floor((-2 - 2 + 2) / 4) = -3 and -3 - 1 = -4.
  LiteralCase dwt("dwt53");
  dwt.Buffer<uint8_t>("image", std::vector<uint8_t>(27, 128));
  for (const char* name : {"red", "green", "blue", "bands"}) dwt.Buffer<int32_t>(name, Ints(9));
  dwt.Buffer<int32_t>("plane", {-2, -2, -2, -5, -5, -5, -3, -3, -3});
  dwt.Launch("'image', 'red', 'green', 'blue', {s32=9}")
      .Launch("'plane', 'bands', {s32=3}, {s32=3}, {s32=1}");
  EXPECT_EQ(dwt.Result<int32_t>("bands"), (Ints{-3, -3, 0, -4, -4, 0, -2, -2, 0}));
}

TEST(PaverIntegerReferences, MergesortKeepsEqualKeysInOrder) {
  LiteralCase sort("mergesort");
  sort.Buffer<uint32_t>("keys", {2, 5, 1, 2})
      .Buffer<uint32_t>("values", {0, 1, 2, 3})
      .Buffer<uint32_t>("sorted", Words(4))
      .Buffer<uint32_t>("sorted_values", Words(4));
  sort.Launch("'keys','values','sorted','sorted_values','keys','keys',{s32=1}", "1",
              "merge_intervals");
  EXPECT_EQ(sort.Result<uint32_t>("sorted"), (Words{2, 5, 1, 2})) << "runs of one: pairs only";
  sort.Launch("'keys','values','sorted','sorted_values','keys','keys',{s32=2}", "1",
              "merge_intervals");
  EXPECT_EQ(sort.Result<uint32_t>("sorted"), (Words{1, 2, 2, 5}));
  EXPECT_EQ(sort.Result<uint32_t>("sorted_values"), (Words{2, 0, 3, 1}));
  sort.Launch("'sorted','values','keys','values'", "1", "sort_tiles");
  EXPECT_EQ(sort.Result<uint32_t>("keys"), (Words{1, 2, 2, 5}));
}

TEST(PaverIntegerReferences, BtreeLookUpsGiveRecordsOnlyForKeysThatAreThere) {
  const Ints nodes = BtreeNodes({.keys = 5, .order = 256, .per_node = 2});
  LiteralCase find("btree_findk");
  find.Buffer<int32_t>("nodes", nodes)
      .Buffer<int32_t>("records", {10, 11, 12, 13, 14})
      .Buffer<int32_t>("walk", Ints(3))
      .Buffer<int32_t>("wanted", {3, 5, 0})
      .Buffer<int32_t>("answer", {-1, -1, -1})
      .Launch("{s32=2}, 'nodes', {s32=6}, 'records', 'walk', 'walk', 'wanted', 'answer'");
  EXPECT_EQ(find.Result<int32_t>("answer"), (Ints{13, -1, 10}));

  LiteralCase range("btree_findrangek");
  range.Buffer<int32_t>("nodes", nodes)
      .Buffer<int32_t>("walk", Ints(2))
      .Buffer<int32_t>("first", {1, 2})
      .Buffer<int32_t>("last", {3, 9})
      .Buffer<int32_t>("record", {-1, -1})
      .Buffer<int32_t>("length", {-1, -1})
      .Launch(
          "{s32=2}, 'nodes', {s32=6}, 'walk', 'walk', 'walk', 'walk', 'first', 'last', "
          "'record', 'length'");
  EXPECT_EQ(range.Result<int32_t>("record"), (Ints{1, 2}));
  EXPECT_EQ(range.Result<int32_t>("length"), (Ints{3, -1}));
}

}  // namespace
}  // namespace flagstone
