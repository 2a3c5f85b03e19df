#include "analyzer/locality/locality_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace flagstone {
namespace locality_graph_test {

struct Set {
  std::vector<uint32_t> tbs;
  uint64_t weight = 0;
};

SharerSets Sharers(uint32_t tbs, const std::vector<Set>& sets, uint64_t shared_by_all = 0) {
  SharerSets sharers;
  sharers.tb_count = tbs;
  sharers.shared_by_all = shared_by_all;
  sharers.total_references = shared_by_all;
  for (const Set& set : sets) {
    sharers.Add(set.tbs, set.weight);
    sharers.total_references += set.weight;
  }
  return sharers;
}

TEST(LocalityGraph, SumsTheUnitsThatTwoTbsShare) {
  const LocalityGraph graph =
      BuildGraph(Sharers(4, {{{0}, 9}, {{0, 1, 3}, 5}, {{0, 3}, 2}, {{1, 2}, 7}}));
  EXPECT_EQ(graph.row_start, (std::vector<uint64_t>{0, 2, 5, 6, 8}));
  EXPECT_EQ(graph.neighbour, (std::vector<uint32_t>{1, 3, 0, 2, 3, 1, 0, 1}));
  EXPECT_EQ(graph.weight, (std::vector<uint64_t>{5, 7, 5, 7, 5, 7, 7, 5}));
  EXPECT_EQ(graph.EdgeCount(), 4U);
}

TEST(LocalityGraph, KeepsUniversalDataAsOneNumber) {
  const SharerSets sharers = Sharers(3, {{{0, 2}, 4}}, 100);
  const LocalityGraph graph = BuildGraph(sharers);
  EXPECT_EQ(graph.EdgeCount(), 1U);
  EXPECT_EQ(graph.universal_weight, 100U);
  const LocalityStatistics statistics = Summarize(sharers);
  EXPECT_EQ(statistics.edges, 3U);
  EXPECT_EQ(statistics.shared_tbs, 3U);
  EXPECT_DOUBLE_EQ(statistics.sp_score, 1 - 6.0 / 9);
  EXPECT_EQ(statistics.total_references, 104U);
}

TEST(LocalityGraph, SummarizesAsInTable2) {
  const SharerSets sharers = Sharers(5, {{{0, 1}, 4}, {{1, 2}, 1}, {{3}, 8}});
  const LocalityStatistics statistics = Summarize(sharers);
  EXPECT_EQ(statistics.tbs, 5U);
  EXPECT_EQ(statistics.edges, 2U);
  EXPECT_EQ(statistics.shared_tbs, 3U);
  EXPECT_DOUBLE_EQ(statistics.sp_score, 1 - 4.0 / 25);
  EXPECT_DOUBLE_EQ(statistics.degree_of_sharing, 4.0 / 3 / 5);
}

TEST(LocalityGraph, OfOneTbHasNoEdges) {
  const SharerSets sharers = Sharers(1, {{{0}, 12}});
  const LocalityGraph graph = BuildGraph(sharers);
  EXPECT_EQ(graph.EdgeCount(), 0U);
  EXPECT_EQ(graph.row_start, (std::vector<uint64_t>{0, 0}));
  const LocalityStatistics statistics = Summarize(sharers);
  EXPECT_EQ(statistics.shared_tbs, 0U);
  EXPECT_DOUBLE_EQ(statistics.sp_score, 1);
}

TEST(LocalityGraph, RefusesMorePairsThanFit) {
  std::vector<uint32_t> most(40000);
  for (uint32_t tb = 0; tb < most.size(); ++tb) most[tb] = tb;
  try {
    BuildGraph(Sharers(50000, {{most, 1}}));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), testing::HasSubstr("50000 TBs would join more than"));
  }
  EXPECT_FALSE(Summarize(Sharers(50000, {{most, 1}})).counted);
}

}  // namespace locality_graph_test
}  // namespace flagstone
