// Bisection into halves of halves, and what partitioners make of the smallest cases.
#include <gtest/gtest.h>

#include <vector>

#include "analyzer/partition/part_graph.h"
#include "analyzer/partition/partitioners.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace strict_bisection_test {

using graphs::MakeGraph;
using graphs::StencilGraph;

TEST(StrictBisection, HalvesNoMoreThanItMust) {
  // 32 groups of two are fewer TBs than an SM's three.
  const TbGroups groups =
      PartitionByStrictBisection(StencilGraph(8, 8, 1, 0), {.sms = 2, .tbs_per_sm = 3});
  ASSERT_EQ(groups.groups.size(), 32U);
  for (const auto& group : groups.groups) EXPECT_EQ(group.size(), 2U);
  const TbGroups whole =
      PartitionByStrictBisection(StencilGraph(7, 1, 1, 0), {.sms = 1, .tbs_per_sm = 8});
  EXPECT_EQ(whole.groups.size(), 1U);
}

TEST(Partitioners, LetOthersStealAlsoWhereThereIsNothing) {
  const LocalityGraph none = MakeGraph(0, {});
  const PartitionRequest request = {.sms = 2, .tbs_per_sm = 2};
  EXPECT_TRUE(PartitionByRecursiveBisection(none, request).steal_enable);
  EXPECT_TRUE(PartitionByStrictBisection(none, request).steal_enable);
  EXPECT_TRUE(PartitionByKway(none, request).steal_enable);
  EXPECT_TRUE(PartitionByHilbert({0, 1, 1}, request).steal_enable);
  EXPECT_TRUE(PartitionByTiles({0, 1, 1}, request).steal_enable);
  EXPECT_TRUE(PartitionByTraffic({0, 1, 1}, SharerSets(), request).steal_enable);
  EXPECT_TRUE(PartitionByTraffic({0, 1, 1}, SharerSets(), request).groups.empty());
}

TEST(PartGraph, GivesEdgesWithoutWeightTheLeastThereIs) {
  EXPECT_EQ(partition::MakePartGraph(MakeGraph(3, {{0, 1, 0}, {1, 2, 0}})).weight,
            (std::vector<int32_t>{1, 1, 1, 1}));
  EXPECT_EQ(partition::MakePartGraph(MakeGraph(3, {{0, 1, 0}, {1, 2, 4}})).weight,
            (std::vector<int32_t>{1, 1, 1, 1}));
}

TEST(PartGraph, ExtractsTheEdgesAmongTheVerticesInTheirOrder) {
  const partition::PartGraph path =
      partition::MakePartGraph(MakeGraph(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 5}}));
  const partition::PartGraph part = partition::Extract(path, std::vector<uint32_t>{3, 2, 0});
  EXPECT_EQ(part.tb, (std::vector<uint32_t>{3, 2, 0}));
  EXPECT_EQ(part.row_start, (std::vector<int32_t>{0, 1, 2, 2}));
  EXPECT_EQ(part.neighbour, (std::vector<int32_t>{1, 0}));
  EXPECT_EQ(part.weight, (std::vector<int32_t>{5, 5}));
}

}  // namespace strict_bisection_test
}  // namespace flagstone
