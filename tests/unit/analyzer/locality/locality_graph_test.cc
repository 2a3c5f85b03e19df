#include "analyzer/locality/locality_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

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

TEST(LocalityGraph, OfNoOrOneTbSharesNothingWhateverAllRead) {
  const LocalityStatistics none = Summarize(Sharers(0, {}));
  EXPECT_EQ(none.tbs, 0U);
  EXPECT_EQ(none.edges, 0U);
  EXPECT_EQ(none.sp_score, 1);
  EXPECT_TRUE(none.counted);
  const LocalityStatistics one = Summarize(Sharers(1, {}, 5));
  EXPECT_EQ(one.tbs, 1U);
  EXPECT_EQ(one.shared_tbs, 0U);
  EXPECT_EQ(one.sp_score, 1);
  EXPECT_EQ(one.degree_of_sharing, 0);
  EXPECT_EQ(one.total_references, 5U);
}

// Five units that all four TBs read, ten that one reads, and eight that each of two pairs reads.
SharerSets OfSeveralWarps() {
  SharerSets sharers = Sharers(4, {{{0}, 10}, {{0, 1}, 8}}, 5);
  sharers.shared_by_all_several_warps = 2;
  sharers.families[0].several_warps = 4;
  sharers.families[1].several_warps = 3;
  sharers.families[1].count = {2, 1, 1};
  sharers.families[1].step = {2, 0, 0};
  return sharers;
}

TEST(DataDistribution, CountsEachDatumOnceOrByTheTbsThatReadIt) {
  const DataDistribution data = Distribute(OfSeveralWarps());
  EXPECT_EQ(data.unshared, 6U);
  EXPECT_EQ(data.intra_tb, 4U);
  EXPECT_EQ(data.inter_tb, 3U + 2 * 5);
  EXPECT_EQ(data.both, 2U + 2 * 3);
  const DataDistribution reads = DistributeReads(OfSeveralWarps());
  EXPECT_EQ(reads.unshared, 6U);
  EXPECT_EQ(reads.intra_tb, 4U);
  EXPECT_EQ(reads.inter_tb, 4 * 3U + 2 * 2 * 5);
  EXPECT_EQ(reads.both, 4 * 2U + 2 * 2 * 3);
}

TEST(SharerSets, CountThePairsOfEachSetAndOfThoseLikeIt) {
  SharerSets sharers = Sharers(40, {{{0}, 1}, {{0, 1}, 1}, {{0, 1, 2, 3}, 1}});
  EXPECT_EQ(sharers.PairCount(), 0U + 1 + 6);
  sharers.families[2].count = {3, 1, 2};
  EXPECT_EQ(sharers.PairCount(), 1U + 6 * 6);
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

// Four elements one by one, or as a vector: the same bytes, the same graph.
TEST(LocalityGraph, InBytesDoesNotHangOnHowWideAccessesAre) {
  const auto analyse = [](const std::string& loads, Granularity granularity) {
    const KernelUnderAnalysis kernel(
        "  shr.u32 %r9, %r4, 1;\n  mad.lo.s32 %r10, %r9, 32, %r3;\n"
        "  mul.wide.s32 %rd10, %r10, 16;\n  add.s64 %rd11, %rd1, %rd10;\n" +
            loads + "  ret;\n",
        {6, 1, 1}, {32, 1, 1});
    return BuildGraph(FindSharers(kernel.Analyze(), kernel.launch(), granularity));
  };
  const std::string wide = "  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd11];\n";
  std::string narrow;
  for (int i = 0; i < 4; ++i) {
    narrow += "  ld.global.f32 %f1, [%rd11+" + std::to_string(4 * i) + "];\n";
  }
  const LocalityGraph graph = analyse(wide, Granularity::kByte);
  EXPECT_EQ(graph.weight, analyse(narrow, Granularity::kByte).weight);
  EXPECT_EQ(graph.weight, std::vector<uint64_t>(6, 512));
  EXPECT_EQ(analyse(wide, Granularity::kElement).weight, std::vector<uint64_t>(6, 32));
  EXPECT_EQ(analyse(narrow, Granularity::kElement).weight, std::vector<uint64_t>(6, 128));
}

TEST(LocalityStatistics, LeavesOutWhatAllReadWhereItIsAsked) {
  SharerSets sharers = Sharers(3, {{{0, 2}, 7}});
  sharers.shared_by_all = 5;
  EXPECT_EQ(Summarize(sharers).edges, 3U);
  EXPECT_EQ(Summarize(sharers, Universal::kLeftOut).edges, 1U);
  EXPECT_EQ(Summarize(sharers, Universal::kLeftOut).shared_tbs, 2U);
}

}  // namespace locality_graph_test
}  // namespace flagstone
