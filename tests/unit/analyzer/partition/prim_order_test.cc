// Prim's insertion order on graphs small enough to follow by hand, and against a plain search.
#include "analyzer/partition/prim_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/partition/partitioners.h"
#include "base/random.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace prim_order_test {

using graphs::Edge;
using graphs::MakeGraph;
using testing::ElementsAre;

TEST(PrimOrder, FollowsTheHeaviestEdgeToTheTreeNotToTheLastTb) {
  // From 0: 2 (weight 5). Then 1 by 0-1 (4), not 3 by 2-3 (3). Then 3.
  const LocalityGraph graph = MakeGraph(4, {{0, 1, 4}, {0, 2, 5}, {2, 3, 3}, {1, 3, 1}});
  EXPECT_THAT(PrimOrder(graph, {0, 1, 2, 3}), ElementsAre(0, 2, 1, 3));
}

TEST(PrimOrder, GivesTiesToTheLowestId) {
  const LocalityGraph graph = MakeGraph(4, {{0, 3, 2}, {0, 1, 2}, {0, 2, 2}});
  EXPECT_THAT(PrimOrder(graph, {3, 2, 1, 0}), ElementsAre(0, 1, 2, 3));
}

TEST(PrimOrder, TakesALaterHeavierEdgeToAWaitingTb) {
  // 3 waits with weight 1 from 0; once 2 is in, 2-3 (9) beats 0-1 (4).
  const LocalityGraph graph = MakeGraph(4, {{0, 3, 1}, {0, 2, 5}, {0, 1, 4}, {2, 3, 9}});
  EXPECT_THAT(PrimOrder(graph, {0, 1, 2, 3}), ElementsAre(0, 2, 3, 1));
}

TEST(PrimOrder, StartsEachNewComponentAtItsLowestId) {
  const LocalityGraph graph = MakeGraph(7, {{0, 5, 1}, {2, 6, 3}, {6, 1, 3}});
  EXPECT_THAT(PrimOrder(graph, {0, 1, 2, 3, 4, 5, 6}), ElementsAre(0, 5, 1, 6, 2, 3, 4));
}

TEST(PrimOrder, CountsNoEdgeToATbOutsideTheMembers) {
  // 1 and 4 are joined only through 0.
  const LocalityGraph graph = MakeGraph(5, {{1, 0, 9}, {0, 4, 9}, {1, 3, 1}});
  EXPECT_THAT(PrimOrder(graph, {4, 1, 3, 2}), ElementsAre(1, 3, 2, 4));
}

TEST(PrimOrder, TakesNoneAndOne) {
  const LocalityGraph graph = MakeGraph(3, {{0, 1, 1}});
  EXPECT_THAT(PrimOrder(graph, {}), ElementsAre());
  EXPECT_THAT(PrimOrder(graph, {2}), ElementsAre(2));
}

// The definition, literally: V times the best of all waiting TBs.
std::vector<uint32_t> PlainPrim(const std::vector<std::vector<uint64_t>>& weight) {
  const size_t tbs = weight.size();
  std::vector<uint64_t> best(tbs, 0);
  std::vector<bool> inserted(tbs, false);
  std::vector<uint32_t> order;
  while (order.size() < tbs) {
    size_t next = tbs;
    for (size_t tb = 0; tb < tbs; ++tb) {
      if (!inserted[tb] && (next == tbs || best[tb] > best[next])) next = tb;
    }
    inserted[next] = true;
    order.push_back(static_cast<uint32_t>(next));
    for (size_t tb = 0; tb < tbs; ++tb) best[tb] = std::max(best[tb], weight[next][tb]);
  }
  return order;
}

TEST(PrimOrder, AgreesWithAPlainSearchOnRandomGraphs) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SplitMix64 random(seed);
    const auto tbs = static_cast<uint32_t>(2 + random.Below(40));
    std::vector<std::vector<uint64_t>> weight(tbs, std::vector<uint64_t>(tbs));
    std::vector<Edge> edges;
    for (uint32_t a = 0; a < tbs; ++a) {
      for (uint32_t b = a + 1; b < tbs; ++b) {
        if (random.Below(4) != 0) continue;
        weight[a][b] = weight[b][a] = 1 + random.Below(5);  // few values: many ties
        edges.push_back({a, b, weight[a][b]});
      }
    }
    std::vector<uint32_t> members(tbs);
    for (uint32_t tb = 0; tb < tbs; ++tb) members[tb] = tb;
    EXPECT_EQ(PrimOrder(MakeGraph(tbs, edges), members), PlainPrim(weight)) << seed;
  }
}

TEST(PrimSorter, SortsOneGroupAfterAnother) {
  const LocalityGraph graph = MakeGraph(6, {{0, 2, 1}, {2, 1, 1}, {1, 4, 9}, {4, 5, 1}, {3, 5, 2}});
  partition::PrimSorter sorter(graph);
  std::vector<uint32_t> first = {0, 1, 2};
  std::vector<uint32_t> second = {3, 4, 5};
  sorter.Sort(first);
  sorter.Sort(second);
  EXPECT_THAT(first, ElementsAre(0, 2, 1));
  EXPECT_THAT(second, ElementsAre(3, 5, 4));
}

}  // namespace prim_order_test
}  // namespace flagstone
