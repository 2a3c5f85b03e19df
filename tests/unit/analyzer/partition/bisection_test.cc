// One bisection: exact sizes, small cuts, components kept whole.
#include "analyzer/partition/bisection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone::partition {
namespace bisection_test {

using graphs::Edge;
using graphs::MakeGraph;
using graphs::StencilGraph;
using testing::ElementsAre;

int64_t CountOnSide0(const std::vector<int32_t>& side) {
  return std::count(side.begin(), side.end(), 0);
}

// Smallest cut over all sides with `size` vertices, by trying them all.
int64_t SmallestCut(const PartGraph& graph, uint32_t size) {
  std::vector<int32_t> side(graph.Size(), 1);
  std::fill_n(side.begin(), size, 0);
  int64_t best = CutWeight(graph, side);
  while (std::next_permutation(side.begin(), side.end())) {
    best = std::min(best, CutWeight(graph, side));
  }
  return best;
}

TEST(Bisection, GrowingFindsTheSmallestCutOfSmallGraphs) {
  for (const uint32_t size : {1U, 4U, 6U, 8U}) {
    const PartGraph grid = MakePartGraph(StencilGraph(4, 4, 3, 1));
    const std::vector<int32_t> side = BisectByGrowing(grid, size);
    EXPECT_EQ(CountOnSide0(side), size);
    EXPECT_EQ(CutWeight(grid, side), SmallestCut(grid, size)) << size;
  }
}

TEST(Bisection, MetisAndGrowingGiveTheExactSize) {
  const PartGraph grid = MakePartGraph(StencilGraph(20, 20, 3, 1));
  for (const uint32_t size : {1U, 7U, 133U, 200U, 399U}) {
    EXPECT_EQ(CountOnSide0(BisectByMetis(grid, size, 1)), size);
    EXPECT_EQ(CountOnSide0(BisectByGrowing(grid, size)), size);
  }
}

TEST(Bisection, CutsAGridInHalfNearItsShortSide) {
  const PartGraph grid = MakePartGraph(StencilGraph(10, 30, 1, 0));
  EXPECT_LE(CutWeight(grid, Bisect(grid, 150, 1)), 15);  // straight: 10, along: 30
  const PartGraph small = MakePartGraph(StencilGraph(4, 12, 1, 0));
  EXPECT_EQ(CutWeight(small, Bisect(small, 24, 1)), 4);
}

TEST(Bisection, SwapsRepairABadCutWithoutChangingSizes) {
  const PartGraph grid = MakePartGraph(StencilGraph(8, 8, 1, 0));
  std::vector<int32_t> side(64);
  for (size_t i = 0; i < side.size(); ++i) side[i] = static_cast<int32_t>((i + i / 8) % 2);
  ASSERT_EQ(CutWeight(grid, side), 112);  // a chessboard: every edge
  RefineBySwaps(grid, side);
  EXPECT_EQ(CountOnSide0(side), 32);
  EXPECT_LT(CutWeight(grid, side), 40);
}

// Adds an edge of this weight between each two of `count` vertices from `first` on.
void AddClique(std::vector<Edge>& edges, uint32_t first, uint32_t count, uint64_t weight) {
  for (uint32_t a = first; a < first + count; ++a) {
    for (uint32_t b = a + 1; b < first + count; ++b) edges.push_back({a, b, weight});
  }
}

TEST(Bisection, SwapsGoOnForEightInARowThatGainNothing) {
  // Two cliques that are better off on each other's side, which shows with their last vertices.
  for (const uint32_t count : {2U, 8U, 9U}) {
    std::vector<Edge> edges = {{0, 1, 100}, {2, 3, 100}};
    AddClique(edges, 4, count, 1);
    AddClique(edges, 4 + count, count, 1);
    for (uint32_t i = 0; i < count; ++i) {
      edges.push_back({2, 4 + i, 1});
      edges.push_back({0, 4 + count + i, 1});
    }
    const PartGraph graph = MakePartGraph(MakeGraph(4 + 2 * count, edges));
    std::vector<int32_t> side = {0, 0, 1, 1};
    side.resize(4 + count, 0);
    side.resize(4 + 2 * count, 1);
    ASSERT_EQ(CutWeight(graph, side), 2 * count);
    RefineBySwaps(graph, side);
    EXPECT_EQ(CutWeight(graph, side), count <= 8 ? 0 : 2 * count) << count;
  }
}

TEST(Bisection, GrowsFromTheHighestIdToo) {
  // A clique of 16 and one of 12, which are wanted: grown from the lowest id it would be 12 of 16.
  // The weights of their vertices are alike, as growing goes to the lightest first.
  std::vector<Edge> edges = {{15, 16, 1}};
  AddClique(edges, 0, 16, 3);
  AddClique(edges, 16, 12, 4);
  const PartGraph graph = MakePartGraph(MakeGraph(28, edges));
  EXPECT_EQ(CutWeight(graph, BisectByGrowing(graph, 12)), 1);
}

TEST(Bisection, PacksWholeComponentsLargestFirst) {
  // Components {0, 1, 2}, {3, 4}, {5}, {6}: four vertices are the first and one single.
  const PartGraph graph = MakePartGraph(MakeGraph(7, {{0, 1, 1}, {1, 2, 1}, {3, 4, 1}}));
  EXPECT_THAT(Bisect(graph, 4, 1), ElementsAre(0, 0, 0, 1, 1, 0, 1));
}

TEST(Bisection, CutsOnlyOneComponentWhenNoneFits) {
  // Two paths of 4; five vertices need one whole path and the end of the other.
  const PartGraph graph = MakePartGraph(
      MakeGraph(8, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {4, 5, 1}, {5, 6, 1}, {6, 7, 1}}));
  const std::vector<int32_t> side = Bisect(graph, 5, 1);
  EXPECT_EQ(CountOnSide0(side), 5);
  EXPECT_EQ(CutWeight(graph, side), 1);
}

TEST(Bisection, PacksTheLargestComponentFirstWhateverTheOrderOfIds) {
  // Components {0}, {1, 2} and {3, 4, 5}.
  const PartGraph graph = MakePartGraph(MakeGraph(6, {{1, 2, 1}, {3, 4, 1}, {4, 5, 1}}));
  EXPECT_THAT(Bisect(graph, 3, 1), ElementsAre(1, 1, 1, 0, 0, 0));
  EXPECT_THAT(Bisect(graph, 5, 1), ElementsAre(1, 0, 0, 0, 0, 0));
}

TEST(Bisection, CutsTheSmallestOfTheComponentsThatDoNotFit) {
  // Paths of 5 and of 4.
  const PartGraph graph = MakePartGraph(
      MakeGraph(9, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {5, 6, 1}, {6, 7, 1}, {7, 8, 1}}));
  const std::vector<int32_t> side = Bisect(graph, 3, 1);
  EXPECT_EQ(CountOnSide0(side), 3);
  EXPECT_THAT(std::vector<int32_t>(side.begin(), side.begin() + 5), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_EQ(CutWeight(graph, side), 1);
}

TEST(Bisection, GrowsFromTheLowestIdWhereBothEndsCutAsLittle) {
  const PartGraph path = MakePartGraph(MakeGraph(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}));
  EXPECT_THAT(BisectByGrowing(path, 2), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(BisectByGrowing(path, 1), ElementsAre(0, 1, 1, 1));
}

}  // namespace bisection_test
}  // namespace flagstone::partition
