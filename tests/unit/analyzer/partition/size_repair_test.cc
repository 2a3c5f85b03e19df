// Repair of part sizes: exact targets by the cheapest moves.
#include "analyzer/partition/size_repair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/random.h"
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

// The move that costs least, found by trying each, until the sizes are right.
void RepairByTrial(const PartGraph& graph, const std::vector<uint32_t>& targets,
                   std::vector<int32_t>& where) {
  while (true) {
    std::vector<uint32_t> size(targets.size());
    for (const int32_t part : where) ++size[static_cast<size_t>(part)];
    if (size == targets) return;
    int64_t best = std::numeric_limits<int64_t>::min();
    uint32_t best_vertex = 0;
    int32_t best_part = 0;
    for (uint32_t vertex = 0; vertex < graph.Size(); ++vertex) {
      const auto own = static_cast<size_t>(where[vertex]);
      if (size[own] <= targets[own]) continue;
      for (int32_t part = 0; part < static_cast<int32_t>(targets.size()); ++part) {
        if (size[static_cast<size_t>(part)] >= targets[static_cast<size_t>(part)]) continue;
        int64_t gain = 0;
        for (size_t i = 0; i < graph.Neighbours(vertex).size(); ++i) {
          const int32_t of = where[static_cast<size_t>(graph.Neighbours(vertex)[i])];
          gain += of == part ? graph.Weights(vertex)[i] : 0;
          gain -= of == where[vertex] ? graph.Weights(vertex)[i] : 0;
        }
        if (gain <= best) continue;
        best = gain;
        best_vertex = vertex;
        best_part = part;
      }
    }
    where[best_vertex] = best_part;
  }
}

// With more neighbours than parts, and with fewer.
TEST(SizeRepair, TakesTheCheapestMoveOfAllInDenseGraphsAsInSparseOnes) {
  for (const uint64_t chance : {10U, 85U}) {
    SplitMix64 random(chance);
    std::vector<graphs::Edge> edges;
    for (uint32_t a = 0; a < 40; ++a) {
      for (uint32_t b = a + 1; b < 40; ++b) {
        if (random.Below(100) < chance) edges.push_back({a, b, 1 + random.Below(9)});
      }
    }
    const PartGraph graph = MakePartGraph(MakeGraph(40, edges));
    std::vector<int32_t> where(40);
    for (int32_t& part : where) part = static_cast<int32_t>(random.Below(3));
    std::vector<int32_t> expected = where;
    const std::vector<uint32_t> targets = {5, 10, 5, 12, 8};
    RepairSizes(graph, targets, where);
    RepairByTrial(graph, targets, expected);
    EXPECT_EQ(where, expected) << chance;
  }
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
