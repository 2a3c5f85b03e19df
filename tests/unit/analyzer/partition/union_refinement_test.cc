// The refinement's own promises: what it brings together, and that it begins and ends where it
// says.
#include "analyzer/partition/union_refinement.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "analyzer/partition/partitioners.h"
#include "base/random.h"
#include "tests/unit/analyzer/partition/graphs.h"

namespace flagstone::partition {
namespace union_refinement_test {

TEST(RefineUnion, BringsTheOnlyTwoTbsThatShareTogether) {
  SharerSets sharers;
  sharers.tb_count = 4;
  sharers.Add(std::vector<uint32_t>{0, 1}, 5);
  const TbGroups start = {{{0, 2}, {1, 3}}};
  const TbGroups refined = RefineUnion(sharers, start, 2, 1, 1000);
  CheckCoversOnce(refined, 4);
  EXPECT_EQ(UnionUnits(sharers, start), 10U);
  EXPECT_EQ(UnionUnits(sharers, refined), 5U);
}

TEST(RefineUnion, KeepsItsStartUnlessItReadsLess) {
  // Any two pairs of these four read the same.
  SharerSets sharers;
  sharers.tb_count = 4;
  sharers.Add(std::vector<uint32_t>{0, 1, 2, 3}, 7);
  const TbGroups start = {{{0, 1}, {2, 3}}};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(RefineUnion(sharers, start, 2, seed, 200), start) << seed;
  }
  const TbGroups together = {{{0, 1, 2, 3}}};
  EXPECT_EQ(RefineUnion(sharers, together, 4, 1, 200), together);
}

// Tiles of 2 x 2 read the least of a product's panels, of one unit each, and stay together in the
// end, where no exchange that costs even one unit is made.
TEST(RefineUnion, SettlesOnTheBestGroupsOfUnitsThatAreFew) {
  const SharerSets sharers = graphs::MatmulSharers(4, 1);
  TbGroups rows;
  for (uint32_t y = 0; y < 4; ++y) rows.groups.push_back({4 * y, 4 * y + 1, 4 * y + 2, 4 * y + 3});
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(UnionUnits(sharers, RefineUnion(sharers, rows, 4, seed, 20'000)), 16U) << seed;
  }
}

// Of so many groups and sets that counts do not fit into a plain table, and so many moves that the
// hash table fills up and is made anew.
TEST(RefineUnion, JoinsThousandsOfPairsThatWereTornApart) {
  constexpr uint32_t kPairs = 2100;
  SharerSets sharers;
  sharers.tb_count = 2 * kPairs;
  TbGroups start;
  start.groups.resize(kPairs);
  for (uint32_t pair = 0; pair < kPairs; ++pair) {
    sharers.Add(std::vector<uint32_t>{2 * pair, 2 * pair + 1}, 3);
    start.groups[pair].push_back(2 * pair);
    start.groups[(pair + 700) % kPairs].push_back(2 * pair + 1);
  }
  ASSERT_EQ(UnionUnits(sharers, start), 2 * 3 * uint64_t{kPairs});
  const TbGroups refined = RefineUnion(sharers, start, 2, 1, 400'000);
  CheckCoversOnce(refined, 2 * kPairs);
  for (const auto& group : refined.groups) EXPECT_EQ(group.size(), 2U);
  EXPECT_LT(UnionUnits(sharers, refined), 3 * uint64_t{kPairs} * 11 / 10);
}

// Sets of four of 64 TBs, in groups of four, and groups without TBs behind them: with enough of
// those, counts do not fit into a plain table, and the hash table fills up again and again.
TEST(RefineUnion, FindsTheSameWithCountsInAHashTable) {
  constexpr uint32_t kSets = 200;
  SplitMix64 random(5);
  SharerSets sharers;
  sharers.tb_count = 64;
  for (uint32_t s = 0; s < kSets; ++s) {
    std::set<uint32_t> set;
    while (set.size() < 4) set.insert(static_cast<uint32_t>(random.Below(64)));
    sharers.Add(std::vector<uint32_t>(set.begin(), set.end()), 1 + random.Below(9));
  }
  TbGroups start;
  start.groups.resize(16);
  for (uint32_t tb = 0; tb < 64; ++tb) start.groups[tb / 4].push_back(tb);
  const TbGroups expected = RefineUnion(sharers, start, 4, 1, 200'000);
  EXPECT_LT(UnionUnits(sharers, expected), UnionUnits(sharers, start));
  start.groups.resize((1 << 22) / kSets + 1);
  TbGroups found = RefineUnion(sharers, start, 4, 1, 200'000);
  found.groups.resize(16);
  EXPECT_EQ(found, expected);
}

}  // namespace union_refinement_test
}  // namespace flagstone::partition
