// Groups by the union of what they read: the refinement and what it gains over pair weights.
#include <gtest/gtest.h>

#include "analyzer/partition/partitioners.h"
#include "analyzer/partition/union_refinement.h"
#include "base/random.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone {
namespace traffic_test {

using graphs::MatmulSharers;
using graphs::SyrkSharers;
using partition::RefineUnion;
using partition::UnionUnits;

SharerSets RandomSharers(uint32_t tbs, uint32_t sets, uint64_t seed) {
  SplitMix64 random(seed);
  SharerSets sharers;
  sharers.tb_count = tbs;
  for (uint32_t s = 0; s < sets; ++s) {
    std::vector<uint32_t> set;
    for (uint32_t tb = 0; tb < tbs; ++tb) {
      if (random.Below(tbs) < 4) set.push_back(tb);
    }
    if (!set.empty()) sharers.Add(set, 1 + random.Below(50));
  }
  return sharers;
}

TEST(UnionUnits, AreTheNumeratorOfTheUnionRatio) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    const SharerSets sharers = RandomSharers(30, 60, seed);
    uint64_t read_by_tbs = 0;
    sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
      read_by_tbs += tbs.size() * weight;
    });
    const TbGroups groups = PartitionByHilbert({30, 1, 1}, {.sms = 3, .tbs_per_sm = 4});
    EXPECT_DOUBLE_EQ(UnionRatio(sharers, groups), static_cast<double>(UnionUnits(sharers, groups)) /
                                                      static_cast<double>(read_by_tbs));
  }
}

TEST(RefineUnion, NeverReadsMoreAndKeepsCapacityAndEveryTb) {
  for (uint64_t seed = 1; seed < 40; ++seed) {
    const uint32_t tbs = 5 + static_cast<uint32_t>(seed) * 3;
    const SharerSets sharers = RandomSharers(tbs, 2 * tbs, seed);
    const TbGroups start = PartitionByHilbert({tbs, 1, 1}, {.sms = 4, .tbs_per_sm = 6});
    for (const uint64_t work : {uint64_t{0}, uint64_t{300}, uint64_t{100000}}) {
      const TbGroups refined = RefineUnion(sharers, start, 6, seed, work);
      CheckCoversOnce(refined, tbs);
      EXPECT_EQ(refined.groups.size(), start.groups.size());
      for (const auto& group : refined.groups) {
        EXPECT_FALSE(group.empty());
        EXPECT_LE(group.size(), 6U);
      }
      EXPECT_LE(UnionUnits(sharers, refined), UnionUnits(sharers, start));
    }
  }
}

TEST(RefineUnion, FindsGroupsThatWereTornApart) {
  // Eight sets of four TBs each; the start has one TB of each set in each group.
  SharerSets sharers;
  sharers.tb_count = 32;
  TbGroups start;
  start.groups.resize(8);
  for (uint32_t s = 0; s < 8; ++s) {
    std::vector<uint32_t> set;
    for (uint32_t i = 0; i < 4; ++i) {
      set.push_back(4 * s + i);
      start.groups[(s + 2 * i) % 8].push_back(4 * s + i);
    }
    sharers.Add(set, 10);
  }
  ASSERT_EQ(UnionUnits(sharers, start), 320U);
  EXPECT_EQ(UnionUnits(sharers, RefineUnion(sharers, start, 4, 1, 200000)), 80U);
}

// PAVER's syrk in 16 x 16 TBs: pair weights leave 0.30 of the footprint with 8 TBs at once.
TEST(Traffic, LeavesLessOfSyrksFootprintThanBisection) {
  const SharerSets sharers = SyrkSharers(16, 4096);
  const PartitionRequest eight = {.sms = 15, .tbs_per_sm = 8};
  const TbGroups bisected = PartitionByRecursiveBisection(graphs::ExpandSets(sharers), eight);
  EXPECT_GT(UnionRatio(sharers, bisected), 0.28);
  EXPECT_LE(UnionRatio(sharers, PartitionByTraffic({16, 16, 1}, sharers, eight)), 0.25);
  const PartitionRequest thirty_two = {.sms = 8, .tbs_per_sm = 32};
  EXPECT_LE(UnionRatio(sharers, PartitionByTraffic({16, 16, 1}, sharers, thirty_two)), 0.135);
}

TEST(Traffic, IsNeverWorseThanItsStarts) {
  for (const uint32_t tiles : {1U, 2U, 3U, 6U, 11U}) {
    for (const SharerSets& sharers : {SyrkSharers(tiles, 64), MatmulSharers(tiles, 64),
                                      RandomSharers(tiles * tiles, 100, tiles)}) {
      const PartitionRequest request = {.sms = 4, .tbs_per_sm = 5, .seed = 9};
      const Dim3 grid = {tiles, tiles, 1};
      const TbGroups groups = PartitionByTraffic(grid, sharers, request);
      CheckCoversOnce(groups, sharers.tb_count);
      EXPECT_TRUE(groups.steal_enable);
      EXPECT_EQ(groups, PartitionByTraffic(grid, sharers, request));
      const uint64_t units = UnionUnits(sharers, groups);
      EXPECT_LE(units, UnionUnits(sharers, PartitionByTiles(grid, request)));
      EXPECT_LE(units, UnionUnits(sharers, PartitionByHilbert(grid, request)));
      EXPECT_LE(units, UnionUnits(sharers, PartitionByRecursiveBisection(
                                               graphs::ExpandSets(sharers), request)));
      for (const auto& group : groups.groups) EXPECT_LE(group.size(), 5U);
    }
  }
}

}  // namespace traffic_test
}  // namespace flagstone
