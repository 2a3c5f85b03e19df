// TBs that share at one time, and TBs that share at different ones.
#include "analyzer/replay/timed_sharers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <span>
#include <vector>

namespace flagstone {
namespace timed_sharers_test {

using testing::ElementsAre;
using testing::Pair;

// TB t loads the first sector of line loads[t][s] in step s.
SharerSets Find(const std::vector<std::vector<uint32_t>>& loads, uint64_t window_bytes) {
  return FindTimedSharers(
      static_cast<uint32_t>(loads.size()),
      [&](uint32_t tb) {
        std::vector<LoadedLine> lines;
        for (const uint32_t line : loads[tb]) lines.push_back({line, 1});
        return lines;
      },
      window_bytes);
}

// The weight of each set of several TBs.
std::map<std::vector<uint32_t>, uint64_t> SharedIn(const SharerSets& sharers) {
  std::map<std::vector<uint32_t>, uint64_t> shared;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
    if (tbs.size() > 1) shared[{tbs.begin(), tbs.end()}] += weight;
  });
  return shared;
}

// TB 1 loads TB 0's first sector when TB 0 does, TB 2 its last one three steps before it, TB 3 its
// second one a step before it.
const std::vector<std::vector<uint32_t>> kLoads = {
    {0, 1, 2, 3}, {0, 4, 5, 6}, {3, 7, 8, 9}, {1, 10, 11, 12}};

TEST(TimedSharers, CountADatumOnlyWhereItsUsesFallCloseEnough) {
  const SharerSets sharers = Find(kLoads, 2 * 32);
  EXPECT_THAT(SharedIn(sharers),
              ElementsAre(Pair(ElementsAre(0, 1), 2), Pair(ElementsAre(0, 3), 1)));
  // Of the 16 loads each stands in a window of each row.
  EXPECT_EQ(sharers.total_references, 32U - 3U);
}

TEST(TimedSharers, ArePlainOnesOfTbsThatLoadLessThanAWindow) {
  const SharerSets sharers = Find(kLoads, 4 * 32);
  EXPECT_THAT(SharedIn(sharers), ElementsAre(Pair(ElementsAre(0, 1), 1), Pair(ElementsAre(0, 2), 1),
                                             Pair(ElementsAre(0, 3), 1)));
  EXPECT_EQ(sharers.total_references, 13U);
}

TEST(TimedSharers, CountWhatAllTbsShareByItself) {
  const SharerSets sharers = Find({{0, 1}, {0, 2}, {0, 3}}, 1024);
  EXPECT_EQ(sharers.shared_by_all, 1U);
  EXPECT_TRUE(SharedIn(sharers).empty());
}

}  // namespace timed_sharers_test
}  // namespace flagstone
