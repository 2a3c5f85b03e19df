// The references of the graph and sparse matrix workloads, on graphs small enough to do by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/workloads/literal_case.h"

namespace flagstone {
namespace graph_references_test {

using Ints = std::vector<int32_t>;
using Floats = std::vector<float>;

// 0 - 1, 0 - 2, 1 - 3, 2 - 3, 3 - 4; 5 - 6; 7 alone.
LiteralCase Graph(const std::string& reference) {
  LiteralCase graph(reference);
  graph.Buffer<int32_t>("starts", {0, 2, 4, 6, 9, 10, 11, 12, 12});
  graph.Buffer<int32_t>("targets", {1, 2, 0, 3, 0, 3, 1, 2, 4, 3, 6, 5});
  return graph;
}

TEST(GraphReferences, BfsCountsEdgesFromTheSourceAndMarksWhatItReaches) {
  LiteralCase graph = Graph("bfs");
  graph.Buffer<int32_t>("nodes", {0, 2, 2, 2, 4, 2, 6, 3, 9, 1, 10, 1, 11, 1, 12, 0})
      .Buffer<uint8_t>("frontier", {0, 1, 0, 0, 0, 0, 0, 0})
      .Buffer<uint8_t>("found", std::vector<uint8_t>(8, 0))
      .Buffer<uint8_t>("visited", {0, 1, 0, 0, 0, 0, 0, 0})
      .Buffer<int32_t>("cost", {-1, 0, -1, -1, -1, -1, -1, -1})
      .Launch("'nodes', 'targets', 'frontier', 'found', 'visited', 'cost', { s32 = 8 }");
  EXPECT_EQ(graph.Result<int32_t>("cost"), (Ints{1, 0, 2, 1, 2, -1, -1, -1}));
  EXPECT_EQ(graph.Result<uint8_t>("visited"), (std::vector<uint8_t>{1, 1, 1, 1, 1, 0, 0, 0}));
}

TEST(GraphReferences, BfsRelaxCountsEdgesFromTheSource) {
  LiteralCase graph = Graph("bfs_relax");
  graph.Buffer<int32_t>("distance", Ints(8, -1))
      .Launch("'distance', 'targets', 'starts', { s32 = 4 }, { s32 = 8 }")
      .Launch("'starts', 'targets', 'distance'");
  constexpr int32_t kFar = 1 << 30;
  EXPECT_EQ(graph.Result<int32_t>("distance"), (Ints{3, 2, 2, 1, 0, kFar, kFar, kFar}));
}

TEST(GraphReferences, ConnectedComponentsTakeTheirLowestNode) {
  LiteralCase graph = Graph("connected_components");
  graph.Buffer<int32_t>("label", {0, 1, 2, 3, 4, 5, 6, 7})
      .Launch("'starts', 'targets', 'label', 'label', 'label', { s32 = 8 }");
  EXPECT_EQ(graph.Result<int32_t>("label"), (Ints{0, 0, 0, 0, 0, 5, 5, 7}));
}

TEST(GraphReferences, SsspFindsTheDetourThatIsShorter) {
  // 0 -> 1 costs 9, 0 -> 2 costs 2, 2 -> 1 costs 3, 1 -> 3 costs 1; 4 is out of reach.
  LiteralCase graph("sssp");
  graph.Buffer<int32_t>("starts", {0, 2, 3, 4, 4, 4})
      .Buffer<int32_t>("columns", {1, 2, 3, 1})
      .Buffer<int32_t>("weights", {9, 2, 1, 3})
      .Buffer<int32_t>("distance", Ints(5, 7))
      .Launch("'distance', { s32 = 0 }, { s32 = 5 }")
      .Launch("'starts', 'columns', 'weights', 'distance'");
  EXPECT_EQ(graph.Result<int32_t>("distance"), (Ints{0, 5, 2, 6, 100'000'000}));
}

TEST(GraphReferences, PagerankHandsEachPagesRankToThoseItLinksTo) {
  // A star: 0 - 1, 0 - 2. One round from 1/3 each with damping 1/2:
  // 0 gets 1/6 + (1/3 + 1/3) / 2 = 1/2; 1 and 2 get 1/6 + (1/3 / 2) / 2 = 1/4.
  LiteralCase graph("pagerank");
  graph.Buffer<int32_t>("starts", {0, 2, 3, 4})
      .Buffer<int32_t>("targets", {1, 2, 0, 0})
      .Buffer<float>("rank", Floats(3, 0))
      .Launch("'rank', { s32 = 3 }")
      .Launch("'starts', 'targets'")
      .Launch("'starts'")
      .Launch("'rank', 'rank', { f32 = 0.5 }, { s32 = 3 }");
  EXPECT_EQ(graph.Result<float>("rank"), (Floats{0.5F, 0.25F, 0.25F}));
}

TEST(GraphReferences, SpmvJdsAddsTheDiagonalsAndPutsTheRowsBack) {
  // Position 0 is row 1: 2 * x[0] + 5 * x[2]; position 1 is row 0: 3 * x[1]; row 2 is empty.
  Ints columns(64, 0);
  Floats values(64, 0);
  values[0] = 2;
  columns[1] = 1;
  values[1] = 3;
  columns[32] = 2;
  values[32] = 5;
  LiteralCase matrix("spmv_jds");
  matrix.Buffer<int32_t>("columns", columns)
      .Buffer<float>("values", values)
      .Buffer<int32_t>("permutation", {1, 0, 2})
      .Buffer<float>("x", {10, 100, 1000})
      .Buffer<float>("y", {7, 7, 7})
      .Symbol<int32_t>("diagonal_start", {0, 32, 64})
      .Launch("'columns', 'values', 'permutation', 'x', 'y', { s32 = 3 }");
  EXPECT_EQ(matrix.Result<float>("y"), (Floats{300, 5020, 0}));
}

TEST(GraphReferences, RefuseIndicesOutsideOfTheGraph) {
  LiteralCase graph("connected_components");
  graph.Buffer<int32_t>("starts", {0, 1})
      .Buffer<int32_t>("targets", {1})
      .Buffer<int32_t>("label", {0})
      .Launch("'starts', 'targets', 'label', 'label', 'label', { s32 = 1 }");
  EXPECT_EQ(graph.Refusal(),
            "reference 'connected_components': neighbour is 1: expected 0 or more, below 1");
  LiteralCase backwards("spmv");
  backwards.Buffer<int32_t>("starts", {0, -1})
      .Buffer<int32_t>("columns", {0})
      .Buffer<float>("values", {0})
      .Buffer<float>("x", {0})
      .Buffer<float>("y", {0})
      .Launch("'starts', 'columns', 'values', 'x', 'y', { s32 = 1 }");
  EXPECT_EQ(backwards.Refusal(), "reference 'spmv': row start is -1: expected 0 or more, below 2");
}

}  // namespace graph_references_test
}  // namespace flagstone
