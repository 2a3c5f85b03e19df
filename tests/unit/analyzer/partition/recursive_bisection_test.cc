// Recursive bisection: group sizes and order on every kind of graph, and what it keeps.
#include "analyzer/partition/recursive_bisection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "analyzer/partition/part_graph.h"
#include "base/error.h"
#include "base/random.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace recursive_bisection_test {

using graphs::Edge;
using graphs::ExpandSets;
using graphs::MakeGraph;
using graphs::RandomGraph;
using graphs::StencilGraph;
using graphs::SyrkSharers;
using testing::ElementsAre;

LocalityGraph Clique(uint32_t tbs) {
  std::vector<Edge> edges;
  for (uint32_t a = 0; a < tbs; ++a) {
    for (uint32_t b = a + 1; b < tbs; ++b) edges.push_back({a, b, 1});
  }
  return MakeGraph(tbs, edges);
}

LocalityGraph Star(uint32_t tbs) {
  std::vector<Edge> edges;
  for (uint32_t tb = 1; tb < tbs; ++tb) edges.push_back({0, tb, 7});
  return MakeGraph(tbs, edges);
}

// Every promise about sizes that the header makes.
void ExpectExactSizes(const LocalityGraph& graph, const PartitionRequest& request) {
  const TbGroups groups = PartitionByRecursiveBisection(graph, request);
  const uint32_t tbs = graph.tb_count;
  SCOPED_TRACE(testing::Message() << tbs << " TBs, x " << request.tbs_per_sm << ", S "
                                  << request.sms << ", edges " << graph.EdgeCount());
  CheckCoversOnce(groups, tbs);
  const uint32_t leaves =
      std::max((tbs + request.tbs_per_sm - 1) / request.tbs_per_sm, std::min(tbs, request.sms));
  ASSERT_EQ(groups.groups.size(), leaves);
  EXPECT_TRUE(groups.steal_enable);
  for (const std::vector<uint32_t>& group : groups.groups) {
    EXPECT_LE(group.size(), request.tbs_per_sm);
    EXPECT_GE(group.size(), tbs / leaves);
    EXPECT_LE(group.size(), (tbs + leaves - 1) / leaves);
    EXPECT_EQ(group.front(), *std::min_element(group.begin(), group.end()));
  }
}

TEST(RecursiveBisection, GivesEachSideItsShareOfTheLargerGroups) {
  // Five TBs in three groups: the side of two groups gets one of the two larger ones. A pair and a
  // triangle part without a cut; with both larger groups on one side the pair would be torn.
  const LocalityGraph graph = MakeGraph(5, {{0, 1, 100}, {2, 3, 100}, {3, 4, 100}, {2, 4, 100}});
  PartitionRequest request;
  request.sms = 1;
  request.tbs_per_sm = 2;
  const TbGroups groups = PartitionByRecursiveBisection(graph, request);
  ASSERT_EQ(groups.groups.size(), 3U);
  EXPECT_THAT(groups.groups, testing::Contains(ElementsAre(0U, 1U)));
}

TEST(RecursiveBisection, GivesExactSizesOverAGridOfTbsOccupanciesAndSms) {
  for (const uint32_t tbs : {1U, 2U, 3U, 7U, 15U, 16U, 17U, 31U, 32U, 33U, 100U, 169U, 256U}) {
    const LocalityGraph graphs[] = {MakeGraph(tbs, {}), RandomGraph(tbs, tbs / 2, tbs),
                                    RandomGraph(tbs, tbs * 6, tbs), Star(tbs), Clique(tbs)};
    for (const LocalityGraph& graph : graphs) {
      for (const uint32_t per_sm : {1U, 2U, 3U, 6U, 8U, 32U}) {
        for (const uint32_t sms : {1U, 2U, 15U, 28U, 80U}) {
          ExpectExactSizes(graph, {.sms = sms, .tbs_per_sm = per_sm, .seed = 1});
        }
      }
    }
  }
}

TEST(RecursiveBisection, GivesExactSizesOnLargeGraphs) {
  // 464 TBs on 15 SMs of 8 is a case where METIS's own parts are far out of balance.
  ExpectExactSizes(StencilGraph(29, 16, 32, 4), {.sms = 15, .tbs_per_sm = 8});
  ExpectExactSizes(StencilGraph(43, 43, 32, 4), {.sms = 15, .tbs_per_sm = 6});
  ExpectExactSizes(StencilGraph(128, 128, 32, 4), {.sms = 80, .tbs_per_sm = 8});
  ExpectExactSizes(RandomGraph(4999, 3000, 1), {.sms = 28, .tbs_per_sm = 7});
  ExpectExactSizes(Star(3000), {.sms = 15, .tbs_per_sm = 8});
  ExpectExactSizes(Clique(400), {.sms = 15, .tbs_per_sm = 8});
}

TEST(RecursiveBisection, FillsEachLeafWhenTheTbsAreAMultipleOfTheOccupancy) {
  const TbGroups groups =
      PartitionByRecursiveBisection(StencilGraph(24, 24, 1, 0), {.sms = 4, .tbs_per_sm = 6});
  ASSERT_EQ(groups.groups.size(), 96U);
  for (const auto& group : groups.groups) EXPECT_EQ(group.size(), 6U);
}

TEST(RecursiveBisection, GivesEachSmAsManyLeavesWhereTheGridAllows) {
  const auto leaves = [](uint32_t tbs, uint32_t sms, uint32_t tbs_per_sm) {
    const PartitionRequest request = {
        .sms = sms, .tbs_per_sm = tbs_per_sm, .leaves = LeafCounts::kEven};
    return partition::LeafCount(tbs, request);
  };
  EXPECT_EQ(leaves(1849, 80, 7), 320U);  // of 265 that fit
  EXPECT_EQ(leaves(100, 10, 5), 20U);
  EXPECT_EQ(leaves(101, 10, 5), 30U);
  EXPECT_EQ(leaves(25, 10, 2), 20U);
  EXPECT_EQ(leaves(19, 10, 1), 19U);  // one TB each: 20 there cannot be
  EXPECT_EQ(leaves(7, 10, 2), 7U);
  EXPECT_EQ(leaves(0, 10, 2), 0U);
}

TEST(RecursiveBisection, HandsLeavesOutByTheirLowestTbsWhereAsked) {
  const LocalityGraph graph = StencilGraph(16, 16, 9, 1);
  PartitionRequest request = {.sms = 4, .tbs_per_sm = 8};
  const TbGroups in_tree = PartitionByRecursiveBisection(graph, request);
  request.order = LeafOrder::kIds;
  const TbGroups by_ids = PartitionByRecursiveBisection(graph, request);
  const auto lowest = [](const std::vector<uint32_t>& group) {
    return *std::min_element(group.begin(), group.end());
  };
  const auto ascends = [&lowest](const TbGroups& groups) {
    return std::is_sorted(
        groups.groups.begin(), groups.groups.end(),
        [&lowest](const auto& a, const auto& b) { return lowest(a) < lowest(b); });
  };
  EXPECT_FALSE(ascends(in_tree));
  EXPECT_TRUE(ascends(by_ids));
  EXPECT_TRUE(std::is_permutation(in_tree.groups.begin(), in_tree.groups.end(),
                                  by_ids.groups.begin(), by_ids.groups.end()));
}

TEST(RecursiveBisection, HasNoGroupsWithoutTbs) {
  EXPECT_TRUE(
      PartitionByRecursiveBisection(MakeGraph(0, {}), {.sms = 2, .tbs_per_sm = 2}).groups.empty());
}

TEST(RecursiveBisection, RejectsARequestWithoutSmsOrOccupancy) {
  EXPECT_THROW(PartitionByRecursiveBisection(MakeGraph(4, {}), {.sms = 0, .tbs_per_sm = 2}), Error);
  EXPECT_THROW(PartitionByRecursiveBisection(MakeGraph(4, {}), {.sms = 2, .tbs_per_sm = 0}), Error);
}

TEST(StrictBisection, HalvesUntilAGroupHoldsFewerTbsThanAnSm) {
  for (const uint32_t tbs : {1U, 2U, 7U, 64U, 100U, 256U}) {
    const LocalityGraph graph = RandomGraph(tbs, tbs * 3, tbs);
    for (const uint32_t per_sm : {1U, 2U, 3U, 8U, 32U}) {
      const TbGroups groups = PartitionByStrictBisection(graph, {.sms = 2, .tbs_per_sm = per_sm});
      CheckCoversOnce(groups, tbs);
      for (const auto& group : groups.groups) EXPECT_LT(group.size(), std::max(per_sm, 2U));
    }
  }
  const TbGroups groups =
      PartitionByStrictBisection(StencilGraph(16, 16, 1, 0), {.sms = 15, .tbs_per_sm = 8});
  ASSERT_EQ(groups.groups.size(), 64U);  // not 32: 8 is not fewer than 8
  for (const auto& group : groups.groups) EXPECT_EQ(group.size(), 4U);
}

TEST(RecursiveBisection, CutsATwoByTwoTreeLeftToRight) {
  // Four pairs; pairs {0, 5} and {2, 7} belong together, as do {1, 4} and {3, 6}.
  const LocalityGraph graph =
      MakeGraph(8, {{0, 5, 9}, {2, 7, 9}, {1, 4, 9}, {3, 6, 9}, {5, 2, 3}, {4, 3, 3}, {7, 1, 1}});
  const TbGroups groups = PartitionByRecursiveBisection(graph, {.sms = 4, .tbs_per_sm = 2});
  EXPECT_THAT(groups.groups, ElementsAre(ElementsAre(0, 5), ElementsAre(2, 7), ElementsAre(1, 4),
                                         ElementsAre(3, 6)));
}

TEST(RecursiveBisection, PutsTheSiblingWithTheLowestTbFirst) {
  const LocalityGraph graph = StencilGraph(20, 20, 32, 4);
  for (uint64_t seed = 0; seed < 20; ++seed) {  // METIS numbers its two sides either way
    const TbGroups groups =
        PartitionByRecursiveBisection(graph, {.sms = 4, .tbs_per_sm = 100, .seed = seed});
    ASSERT_EQ(groups.groups.size(), 4U);
    EXPECT_EQ(groups.groups[0].front(), 0U);
    EXPECT_LT(groups.groups[0].front(), groups.groups[1].front());
    EXPECT_LT(groups.groups[2].front(), groups.groups[3].front());
  }
}

TEST(RecursiveBisection, CutsAGraphWithoutEdgesIntoContiguousIds) {
  const TbGroups groups =
      PartitionByRecursiveBisection(MakeGraph(10, {}), {.sms = 3, .tbs_per_sm = 4});
  EXPECT_THAT(groups.groups,
              ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6), ElementsAre(7, 8, 9)));
}

TEST(RecursiveBisection, KeepsComponentsWholeWhenTheyFit) {
  // 40 cliques of 6 with interleaved ids: tb % 40 names the clique.
  std::vector<Edge> edges;
  for (uint32_t a = 0; a < 240; ++a) {
    for (uint32_t b = a + 40; b < 240; b += 40) edges.push_back({a, b, 5});
  }
  const LocalityGraph graph = MakeGraph(240, edges);
  const TbGroups groups = PartitionByRecursiveBisection(graph, {.sms = 15, .tbs_per_sm = 6});
  EXPECT_EQ(groups.groups.size(), 40U);
  EXPECT_DOUBLE_EQ(KeptWeight(graph, groups), 1);
}

TEST(RecursiveBisection, KeepsMuchMoreThanContiguousIdsOnAGrid) {
  const LocalityGraph graph = StencilGraph(48, 48, 32, 4);
  const PartitionRequest request = {.sms = 15, .tbs_per_sm = 16};
  const TbGroups bisected = PartitionByRecursiveBisection(graph, request);
  const TbGroups contiguous = PartitionByRecursiveBisection(MakeGraph(graph.tb_count, {}), request);
  ASSERT_EQ(contiguous.groups[1].front(), 16U);
  // Rows of 16 keep 0.42 of the weight; tiles of 4 x 4 would keep 0.69.
  EXPECT_NEAR(KeptWeight(graph, contiguous), 0.42, 0.02);
  EXPECT_GT(KeptWeight(graph, bisected), 0.65);
}

TEST(RecursiveBisection, LeavesAThirdOfSyrksFootprint) {
  const SharerSets sharers = SyrkSharers(16, 4096);
  const PartitionRequest request = {.sms = 15, .tbs_per_sm = 8};
  const TbGroups bisected = PartitionByRecursiveBisection(ExpandSets(sharers), request);
  const TbGroups contiguous = PartitionByRecursiveBisection(MakeGraph(256, {}), request);
  EXPECT_LT(UnionRatio(sharers, bisected), 0.34);
  EXPECT_GT(UnionRatio(sharers, contiguous), 0.5);
}

TEST(RecursiveBisection, GivesTheSameGroupsForTheSameSeed) {
  const LocalityGraph graph = StencilGraph(40, 40, 32, 4);
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
    const PartitionRequest request = {.sms = 15, .tbs_per_sm = 8, .seed = seed};
    const TbGroups first = PartitionByRecursiveBisection(graph, request);
    EXPECT_EQ(first, PartitionByRecursiveBisection(graph, request));
    CheckCoversOnce(first, graph.tb_count);
  }
  EXPECT_NE(PartitionByRecursiveBisection(graph, {.sms = 15, .tbs_per_sm = 8, .seed = 1}),
            PartitionByRecursiveBisection(graph, {.sms = 15, .tbs_per_sm = 8, .seed = 2}));
}

TEST(RecursiveBisection, GivesTheSameGroupsFromThreadsAtOnce) {
  const LocalityGraph graph = StencilGraph(60, 60, 32, 4);
  const PartitionRequest request = {.sms = 15, .tbs_per_sm = 8};
  const TbGroups expected = PartitionByRecursiveBisection(graph, request);
  TbGroups results[4];
  {
    std::vector<std::jthread> threads;
    for (TbGroups& result : results) {
      threads.emplace_back([&] { result = PartitionByRecursiveBisection(graph, request); });
    }
  }
  for (const TbGroups& result : results) EXPECT_EQ(result, expected);
}

TEST(RecursiveBisection, IgnoresACommonFactorAndTheUniversalWeight) {
  LocalityGraph graph = StencilGraph(40, 40, 32, 4);
  const PartitionRequest request = {.sms = 15, .tbs_per_sm = 8};
  const TbGroups expected = PartitionByRecursiveBisection(graph, request);
  graph.universal_weight = 123456;
  for (uint64_t& weight : graph.weight) weight *= 1'000'000'007;
  EXPECT_EQ(PartitionByRecursiveBisection(graph, request), expected);
}

TEST(RecursiveBisection, TakesWeightsBeyond32BitsAndAClique) {
  // A clique of 256 with weights of 2^20 crashes METIS, whose sums have 32 bits.
  LocalityGraph graph = Clique(256);
  for (uint64_t& weight : graph.weight) weight = 1 << 20;
  ExpectExactSizes(graph, {.sms = 15, .tbs_per_sm = 8});
  // Coprime weights up to 2^50, heavier within blocks of 8: the blocks must still show.
  SplitMix64 random(5);
  std::vector<Edge> edges;
  for (uint32_t a = 0; a < 256; ++a) {
    for (uint32_t b = a + 1; b < 256; ++b) {
      const bool together = a % 32 == b % 32;
      edges.push_back(
          {a, b, (together ? uint64_t{1} << 50 : uint64_t{1} << 30) + random.Below(99)});
    }
  }
  graph = MakeGraph(256, edges);
  const TbGroups groups = PartitionByRecursiveBisection(graph, {.sms = 15, .tbs_per_sm = 8});
  ASSERT_EQ(groups.groups.size(), 32U);
  for (const std::vector<uint32_t>& group : groups.groups) {
    for (const uint32_t tb : group) EXPECT_EQ(tb % 32, group.front() % 32);
  }
}

TEST(PartGraph, ScalesWeightsIntoMetissRangeAndKeepsTheirRatios) {
  const LocalityGraph small = MakeGraph(3, {{0, 1, 12}, {1, 2, 18}});
  EXPECT_THAT(partition::MakePartGraph(small).weight, ElementsAre(2, 2, 3, 3));
  const LocalityGraph large =
      MakeGraph(3, {{0, 1, uint64_t{1} << 60}, {1, 2, (uint64_t{1} << 61) + 1}});
  const std::vector<int32_t> weight = partition::MakePartGraph(large).weight;
  EXPECT_NEAR(static_cast<double>(weight[3]) / weight[0], 2, 1e-6);
  int64_t sum = 0;
  for (const int32_t w : weight) sum += w;
  EXPECT_LE(sum, (int64_t{1} << 30) + 4);
  EXPECT_GT(sum, int64_t{1} << 29);
}

TEST(PartGraph, LeavesWeightsAsTheyAreThatSumUpToJustAsMuchAsMetisTakes) {
  const uint64_t most = (uint64_t{1} << 29) - 1;
  EXPECT_THAT(partition::MakePartGraph(MakeGraph(3, {{0, 1, 1}, {1, 2, most}})).weight,
              ElementsAre(1, 1, most, most));
}

TEST(PartGraph, SplitsIntoTheTwoInducedSubgraphs) {
  const partition::PartGraph whole = partition::MakePartGraph(
      MakeGraph(5, {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {3, 4, 4}, {0, 4, 5}, {1, 4, 6}}));
  const std::vector<int32_t> side = {1, 0, 0, 1, 0};
  const auto [first, second] = partition::Split(whole, side);
  EXPECT_THAT(first.tb, ElementsAre(1, 2, 4));
  EXPECT_THAT(first.row_start, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(first.neighbour, ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(first.weight, ElementsAre(2, 6, 2, 6));
  EXPECT_THAT(second.tb, ElementsAre(0, 3));
  EXPECT_FALSE(second.HasEdges());
}

}  // namespace recursive_bisection_test
}  // namespace flagstone
