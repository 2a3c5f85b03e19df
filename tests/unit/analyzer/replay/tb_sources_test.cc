// Which SM gets which TB next.
#include "analyzer/replay/tb_sources.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone::replay {
namespace tb_sources_test {

constexpr uint32_t kNone = TbSource::kNone;

TbGroups Groups(std::vector<std::vector<uint32_t>> groups, bool steals) {
  return {.groups = std::move(groups), .steal_enable = steals};
}

TEST(InGroups, GivesAnSmTheNextGroupOnceItsOwnHasBegun) {
  const TbGroups groups = Groups({{5, 4}, {3}, {2, 1}, {0}}, false);
  InGroups source(groups, {}, {2, 2}, InGroups::kAll);
  EXPECT_EQ(source.tbs(), 6U);
  std::vector<uint32_t> first, second;
  for (int i = 0; i < 2; ++i) first.push_back(source.Next(0));
  for (int i = 0; i < 3; ++i) second.push_back(source.Next(1));
  EXPECT_EQ(first, (std::vector<uint32_t>{5, 4}));
  EXPECT_EQ(second, (std::vector<uint32_t>{3, 2, 1}));
  EXPECT_EQ(source.Next(1), 0U);
  EXPECT_EQ(source.Next(0), kNone);
}

// Of 7 that wait, 3.5 a queue, the thief takes 7 - 3 from the end; the donor's next TB does not
// wait.
TEST(InGroups, StealsFromTheEndOfTheLongestQueueWhatItHasAboveTheMean) {
  const TbGroups groups = Groups({{9}, {0, 1, 2, 3, 4, 5, 6, 7}}, true);
  InGroups source(groups, {}, {2, 2}, InGroups::kAll);
  EXPECT_EQ(source.Next(0), 9U);
  EXPECT_EQ(source.Next(0), 4U);
  EXPECT_EQ(source.Next(1), 0U);
  for (const uint32_t tb : {5U, 6U, 7U}) EXPECT_EQ(source.Next(0), tb);
  EXPECT_EQ(source.Next(0), 3U);  // of 1, 2 and 3, the first of which is next
  EXPECT_EQ(source.Next(0), 2U);
  EXPECT_EQ(source.Next(0), kNone);
  EXPECT_EQ(source.Next(1), 1U);
  EXPECT_EQ(source.Next(1), kNone);
}

TEST(InGroups, StealsNothingUnlessTheGroupsSaySoAndAllTbsAreLookedAt) {
  const std::vector<std::vector<uint32_t>> all = {{9}, {0, 1, 2, 3}};
  const TbGroups without = Groups(all, false), with = Groups(all, true);
  InGroups off(without, {}, {2, 2}, InGroups::kAll), sample(with, {}, {2, 2}, 3);
  for (InGroups* source : {&off, &sample}) {
    EXPECT_EQ(source->Next(0), 9U);
    EXPECT_EQ(source->Next(0), kNone);
  }
}

}  // namespace tb_sources_test
}  // namespace flagstone::replay
