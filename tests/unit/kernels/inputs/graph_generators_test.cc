#include "kernels/inputs/graph_generators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace flagstone {
namespace graph_generators_test {

std::vector<uint32_t> Neighbours(const SparseMatrix& graph, uint64_t node) {
  return {graph.column.begin() + static_cast<std::ptrdiff_t>(graph.starts[node]),
          graph.column.begin() + static_cast<std::ptrdiff_t>(graph.starts[node + 1])};
}

// Every row ascends, every end is a node, no edge leads back to its own node.
void ExpectSimpleRows(const SparseMatrix& graph) {
  ASSERT_EQ(graph.starts.back(), graph.Elements());
  for (uint64_t node = 0; node < graph.Rows(); ++node) {
    const auto row = Neighbours(graph, node);
    EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
    for (const uint32_t other : row) {
      ASSERT_LT(other, graph.Rows());
      ASSERT_NE(other, node);
    }
  }
}

void ExpectEdgesBothWays(const SparseMatrix& graph) {
  std::map<std::pair<uint64_t, uint64_t>, int> balance;
  for (uint64_t node = 0; node < graph.Rows(); ++node) {
    for (const uint32_t other : Neighbours(graph, node)) {
      balance[std::minmax<uint64_t>(node, other)] += node < other ? 1 : -1;
    }
  }
  for (const auto& [edge, count] : balance) {
    ASSERT_EQ(count, 0) << edge.first << " - " << edge.second;
  }
}

TEST(Rmat, HasTheEdgesThatWereAskedForAlsoWhereNodesAreNoPowerOfTwo) {
  for (const uint64_t nodes : {2U, 3U, 5U, 64U, 65U, 1000U}) {
    const SparseMatrix graph = GenerateRmat({.nodes = nodes, .edge_factor = 7, .seed = 3});
    EXPECT_EQ(graph.Rows(), nodes);
    EXPECT_EQ(graph.columns, nodes);
    EXPECT_EQ(graph.Elements(), nodes * 7);
    ExpectSimpleRows(graph);
  }
}

TEST(Rmat, PutsTheSharesOfEdgesIntoTheQuadrantsOfTheMatrix) {
  const uint64_t nodes = 1 << 12;
  const SparseMatrix graph =
      GenerateRmat({.nodes = nodes, .edge_factor = 16, .a = 0.5, .b = 0.2, .c = 0.1, .seed = 5});
  double share[2][2] = {};
  for (uint64_t node = 0; node < nodes; ++node) {
    for (const uint32_t other : Neighbours(graph, node)) {
      share[node >= nodes / 2][other >= nodes / 2] += 1 / static_cast<double>(graph.Elements());
    }
  }
  EXPECT_NEAR(share[0][0], 0.5, 0.01);
  EXPECT_NEAR(share[0][1], 0.2, 0.01);
  EXPECT_NEAR(share[1][0], 0.1, 0.01);
  EXPECT_NEAR(share[1][1], 0.2, 0.01);
}

TEST(Rmat, HasAFewNodesWithVeryManyEdges) {
  const SparseMatrix graph = GenerateRmat({.nodes = 1 << 14, .edge_factor = 8});
  uint64_t longest = 0;
  uint64_t empty = 0;
  for (uint64_t node = 0; node < graph.Rows(); ++node) {
    longest = std::max(longest, graph.Length(node));
    empty += graph.Length(node) == 0 ? 1U : 0U;
  }
  EXPECT_GT(longest, 50U * 8);
  EXPECT_GT(empty, graph.Rows() / 10);
}

TEST(Rmat, HasEachEdgeBothWaysWhereItIsSymmetric) {
  const SparseMatrix graph = GenerateRmat({.nodes = 500, .edge_factor = 6, .symmetric = true});
  EXPECT_EQ(graph.Elements(), 2U * 500 * 6);
  ExpectSimpleRows(graph);
  ExpectEdgesBothWays(graph);
}

TEST(UniformGraph, GivesEachNodeItsDegreeAndAllOthersTheSameChance) {
  const uint64_t nodes = 100;
  const SparseMatrix graph = GenerateUniformGraph({.nodes = nodes, .degree = 1000, .seed = 9});
  ExpectSimpleRows(graph);
  std::vector<uint64_t> incoming(nodes, 0);
  for (uint64_t node = 0; node < nodes; ++node) {
    EXPECT_EQ(graph.Length(node), 1000U);
    for (const uint32_t other : Neighbours(graph, node)) ++incoming[other];
  }
  // About 1000 each, with a standard deviation of 32.
  for (const uint64_t count : incoming) EXPECT_NEAR(static_cast<double>(count), 1000, 160);
}

TEST(UniformGraph, HasEachEdgeBothWaysWhereItIsSymmetric) {
  const SparseMatrix graph = GenerateUniformGraph({.nodes = 300, .degree = 3, .symmetric = true});
  EXPECT_EQ(graph.Elements(), 2U * 300 * 3);
  ExpectSimpleRows(graph);
  ExpectEdgesBothWays(graph);
}

TEST(Mesh2d, JoinsEachNodeWithItsNeighboursAboveLeftRightAndBelow) {
  const SparseMatrix mesh = GenerateMesh2d({.width = 3, .height = 2});
  // 0 1 2
  // 3 4 5
  EXPECT_EQ(mesh.Rows(), 6U);
  EXPECT_EQ(Neighbours(mesh, 0), (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(Neighbours(mesh, 1), (std::vector<uint32_t>{0, 2, 4}));
  EXPECT_EQ(Neighbours(mesh, 2), (std::vector<uint32_t>{1, 5}));
  EXPECT_EQ(Neighbours(mesh, 4), (std::vector<uint32_t>{1, 3, 5}));
  EXPECT_EQ(Mesh2dShape({.width = 3, .height = 2}).Edges(), mesh.Elements());
}

TEST(Mesh2d, MayBeALineOrASingleNode) {
  EXPECT_EQ(GenerateMesh2d({.width = 1, .height = 1}).Elements(), 0U);
  EXPECT_EQ(GenerateMesh2d({.width = 4, .height = 1}).column,
            (std::vector<uint32_t>{1, 0, 2, 1, 3, 2}));
  EXPECT_EQ(GenerateMesh2d({.width = 1, .height = 3}).column, (std::vector<uint32_t>{1, 0, 2, 1}));
}

TEST(GraphGenerators, FollowTheSeed) {
  const auto rmat = [](uint64_t seed) {
    return GenerateRmat({.nodes = 100, .edge_factor = 4, .seed = seed}).column;
  };
  const auto uniform = [](uint64_t seed) {
    return GenerateUniformGraph({.nodes = 100, .degree = 4, .seed = seed}).column;
  };
  EXPECT_EQ(rmat(1), rmat(1));
  EXPECT_NE(rmat(1), rmat(2));
  EXPECT_EQ(uniform(1), uniform(1));
  EXPECT_NE(uniform(1), uniform(2));
}

}  // namespace graph_generators_test
}  // namespace flagstone
