// The maximum-spanning-tree and k-way partitioners.
#include "analyzer/partition/partitioners.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace partitioners_test {

using graphs::Edge;
using graphs::ExpandSets;
using graphs::MakeGraph;
using graphs::MatmulSharers;
using graphs::StencilGraph;
using testing::ElementsAre;

TEST(Mst, CutsPrimOrderIntoAFullGroupPerSmAndThenSingles) {
  // Eight TBs, two SMs of two contexts: the shape of the paper's example in section 4.1.
  const LocalityGraph graph =
      MakeGraph(8, {{0, 4, 9}, {4, 1, 8}, {1, 5, 7}, {5, 2, 6}, {2, 3, 5}, {3, 7, 4}, {7, 6, 3}});
  const TbGroups groups = PartitionByMst(graph, {.sms = 2, .tbs_per_sm = 2});
  EXPECT_THAT(groups.groups, ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5), ElementsAre(2),
                                         ElementsAre(3), ElementsAre(7), ElementsAre(6)));
  EXPECT_FALSE(groups.steal_enable);
}

TEST(Mst, SpreadsASmallKernelOverTheSms) {
  const TbGroups groups = PartitionByMst(MakeGraph(10, {}), {.sms = 4, .tbs_per_sm = 8});
  EXPECT_THAT(groups.groups, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4, 5),
                                         ElementsAre(6, 7, 8), ElementsAre(9)));
  const TbGroups tiny = PartitionByMst(MakeGraph(3, {}), {.sms = 4, .tbs_per_sm = 8});
  EXPECT_THAT(tiny.groups, ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
  EXPECT_TRUE(PartitionByMst(MakeGraph(0, {}), {.sms = 4, .tbs_per_sm = 8}).groups.empty());
}

TEST(Mst, CoversEachTbOnceInGroupsThatFit) {
  const LocalityGraph graph = StencilGraph(43, 43, 32, 4);
  const TbGroups groups = PartitionByMst(graph, {.sms = 15, .tbs_per_sm = 6});
  CheckCoversOnce(groups, graph.tb_count);
  ASSERT_EQ(groups.groups.size(), 15U + 1849 - 15 * 6);
  for (size_t i = 0; i < groups.groups.size(); ++i) {
    EXPECT_EQ(groups.groups[i].size(), i < 15 ? 6U : 1U);
  }
}

TEST(Kway, GivesOneEvenPartPerSmOnEveryKindOfGraph) {
  for (const uint32_t width : {1U, 2U, 4U, 6U, 13U, 16U, 30U}) {
    const uint32_t tbs = width * width;
    std::vector<Edge> star;
    std::vector<Edge> pairs;
    for (uint32_t tb = 1; tb < tbs; ++tb) star.push_back({0, tb, 3});
    for (uint32_t tb = 1; tb < tbs; tb += 2) pairs.push_back({tb - 1, tb, 3});
    const LocalityGraph graphs[] = {StencilGraph(width, width, 32, 4), MakeGraph(tbs, {}),
                                    MakeGraph(tbs, star), MakeGraph(tbs, pairs),
                                    ExpandSets(MatmulSharers(width, 4096))};
    for (const LocalityGraph& graph : graphs) {
      for (const uint32_t sms : {1U, 2U, 3U, 15U, 80U}) {
        SCOPED_TRACE(testing::Message() << tbs << " TBs, " << sms << " SMs");
        const TbGroups groups = PartitionByKway(graph, {.sms = sms, .tbs_per_sm = 2});
        CheckCoversOnce(groups, tbs);
        const uint32_t parts = std::min(tbs, sms);
        ASSERT_EQ(groups.groups.size(), parts);
        for (size_t i = 0; i < parts; ++i) {
          EXPECT_GE(groups.groups[i].size(), tbs / parts);
          EXPECT_LE(groups.groups[i].size(), (tbs + parts - 1) / parts);
          if (i > 0) {
            EXPECT_LT(groups.groups[i - 1].front(), groups.groups[i].front());
          }
        }
      }
    }
  }
}

TEST(Kway, KeepsMostOfAGridsWeightAndEnablesStealing) {
  const LocalityGraph graph = StencilGraph(48, 48, 32, 4);
  const PartitionRequest request = {.sms = 16, .tbs_per_sm = 8};
  const TbGroups groups = PartitionByKway(graph, request);
  EXPECT_TRUE(groups.steal_enable);
  EXPECT_GT(KeptWeight(graph, groups), 0.88);  // 16 squares of 12 x 12 would keep 0.93
  EXPECT_EQ(groups, PartitionByKway(graph, request));
}

TEST(Kway, HasNoGroupsWithoutTbs) {
  EXPECT_TRUE(PartitionByKway(MakeGraph(0, {}), {.sms = 2, .tbs_per_sm = 2}).groups.empty());
}

}  // namespace partitioners_test
}  // namespace flagstone
