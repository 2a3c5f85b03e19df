// Repair of part sizes: exact targets by the cheapest moves.
#include "analyzer/partition/size_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone::partition {
namespace size_repair_test {

using graphs::MakeGraph;
using graphs::StencilGraph;
using testing::ElementsAre;

TEST(SizeRepair, MovesTheVertexThatCostsLeast) {
  // Path 0-1-2-3-4-5; part 0 holds 0..3. Its end 3 moves: the heavy edge 3-4 is then whole.
  const PartGraph path =
      MakePartGraph(MakeGraph(6, {{0, 1, 4}, {1, 2, 4}, {2, 3, 1}, {3, 4, 2}, {4, 5, 4}}));
  std::vector<int32_t> where = {0, 0, 0, 0, 1, 1};
  RepairSizes(path, std::vector<uint32_t>{3, 3}, where);
  EXPECT_THAT(where, ElementsAre(0, 0, 0, 1, 1, 1));
}

TEST(SizeRepair, CountsTheEdgesThatAMoveWouldCut) {
  // 0 has the heavier edge into part 1 (3), but 8 to its own part; 2 has 2 there and 1 here.
  const PartGraph graph = MakePartGraph(MakeGraph(5, {{0, 1, 8}, {0, 3, 3}, {1, 2, 1}, {2, 4, 2}}));
  std::vector<int32_t> where = {0, 0, 0, 1, 1};
  RepairSizes(graph, std::vector<uint32_t>{2, 3}, where);
  EXPECT_THAT(where, ElementsAre(0, 0, 1, 1, 1));
}

TEST(SizeRepair, ValuesMovesAnewAfterEachMove) {
  // Moving 3 makes 2 the next cheapest, which alone would have cost more than 0.
  const PartGraph path =
      MakePartGraph(MakeGraph(6, {{0, 1, 5}, {1, 2, 1}, {2, 3, 9}, {3, 4, 9}, {4, 5, 9}}));
  std::vector<int32_t> where = {0, 0, 0, 0, 1, 1};
  RepairSizes(path, std::vector<uint32_t>{2, 4}, where);
  EXPECT_THAT(where, ElementsAre(0, 0, 1, 1, 1, 1));
}

TEST(SizeRepair, GivesTiesToTheLowestVertexAndPart) {
  const PartGraph loose = MakePartGraph(MakeGraph(5, {}));
  std::vector<int32_t> where(5, 0);
  RepairSizes(loose, std::vector<uint32_t>{2, 1, 2}, where);
  EXPECT_THAT(where, ElementsAre(1, 2, 2, 0, 0));
}

TEST(SizeRepair, FillsManyPartsFromOne) {
  const PartGraph grid = MakePartGraph(StencilGraph(16, 16, 1, 0));
  std::vector<int32_t> where(256, 3);
  const std::vector<uint32_t> targets(8, 32);
  RepairSizes(grid, targets, where);
  std::vector<uint32_t> size(8);
  for (const int32_t part : where) ++size[static_cast<size_t>(part)];
  EXPECT_EQ(size, targets);
}

TEST(SizeRepair, LeavesExactSizesAlone) {
  const PartGraph path = MakePartGraph(MakeGraph(4, {{0, 3, 9}, {1, 2, 9}}));
  std::vector<int32_t> where = {0, 1, 0, 1};
  RepairSizes(path, std::vector<uint32_t>{2, 2}, where);
  EXPECT_THAT(where, ElementsAre(0, 1, 0, 1));
}

TEST(SizeRepair, RejectsTargetsThatDoNotAddUp) {
  const PartGraph loose = MakePartGraph(MakeGraph(5, {}));
  std::vector<int32_t> where(5, 0);
  EXPECT_THROW(RepairSizes(loose, std::vector<uint32_t>{2, 2}, where), Error);
}

}  // namespace size_repair_test
}  // namespace flagstone::partition
