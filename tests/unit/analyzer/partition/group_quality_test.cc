// Figures of merit of TB groups.
#include <gtest/gtest.h>

#include "analyzer/partition/partitioners.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace group_quality_test {

using graphs::MakeGraph;

TEST(KeptWeight, IsTheShareOfWeightInsideGroups) {
  const LocalityGraph graph = MakeGraph(4, {{0, 1, 6}, {1, 2, 3}, {2, 3, 1}});
  EXPECT_DOUBLE_EQ(KeptWeight(graph, {{{0, 1}, {2, 3}}}), 0.7);
  EXPECT_DOUBLE_EQ(KeptWeight(graph, {{{0, 1, 2, 3}}}), 1);
  EXPECT_DOUBLE_EQ(KeptWeight(graph, {{{0}, {1}, {2}, {3}}}), 0);
}

TEST(KeptWeight, IsOneWithoutEdges) {
  EXPECT_DOUBLE_EQ(KeptWeight(MakeGraph(2, {}), {{{0}, {1}}}), 1);
}

TEST(KeptWeight, TakesWeightsWhoseSumOverflows64Bits) {
  const uint64_t huge = uint64_t{3} << 62;
  const LocalityGraph graph = MakeGraph(4, {{0, 1, huge}, {1, 2, huge}, {2, 3, huge}});
  EXPECT_NEAR(KeptWeight(graph, {{{0, 1}, {2, 3}}}), 2.0 / 3, 1e-12);
}

void AddSets(SharerSets& sharers,
             const std::vector<std::pair<std::vector<uint32_t>, uint64_t>>& sets) {
  for (const auto& [tbs, weight] : sets) sharers.Add(tbs, weight);
}

TEST(KeptWeight, IsTheSameFromSharerSetsAsFromTheirGraph) {
  SharerSets sharers;
  sharers.tb_count = 7;
  AddSets(sharers, {{{0}, 10}, {{0, 1, 5}, 4}, {{1, 2, 3}, 2}, {{0, 2, 4, 6}, 9}, {{5, 6}, 1}});
  for (const TbGroups& groups :
       {TbGroups{{{0, 1, 2}, {3, 4, 5, 6}}}, TbGroups{{{6, 5}, {0, 2, 4}, {1}, {3}}},
        TbGroups{{{0, 1, 2, 3, 4, 5, 6}}}}) {
    EXPECT_DOUBLE_EQ(KeptWeight(sharers, groups), KeptWeight(graphs::ExpandSets(sharers), groups));
  }
}

TEST(UnionRatio, CountsAUnitOncePerGroupThatReadsIt) {
  SharerSets sharers;
  sharers.tb_count = 4;
  AddSets(sharers, {{{0}, 10}, {{0, 1}, 4}, {{1, 2, 3}, 2}});
  // TBs read 10 + 8 + 6 = 24 units; groups {0, 1} and {2, 3} read 10 + 4 + 2 * 2 = 18.
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, {{{0, 1}, {2, 3}}}), 18.0 / 24);
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, {{{0}, {1}, {2}, {3}}}), 1);
}

TEST(UnionRatio, CountsWhatAllShareOncePerGroup) {
  SharerSets sharers;
  sharers.tb_count = 4;
  sharers.shared_by_all = 5;
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, {{{0, 1, 2}, {3}}}), 0.5);
  AddSets(sharers, {{{0, 1}, 10}});
  // TBs: 4 * 5 + 2 * 10 = 40; groups: 2 * 5 + 10 = 20.
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, {{{0, 1, 2}, {3}}}), 0.5);
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, {{{0, 2}, {1, 3}}}), 30.0 / 40);
}

TEST(UnionRatio, IsOneWhenNothingIsRead) {
  SharerSets sharers;
  sharers.tb_count = 2;
  EXPECT_DOUBLE_EQ(UnionRatio(sharers, {{{0, 1}}}), 1);
}

}  // namespace group_quality_test
}  // namespace flagstone
