#include "gpu_model/sm/victim_tags.h"

#include <gtest/gtest.h>

#include "gpu_model/sm/l1_cache.h"

namespace flagstone {
namespace victim_tags_test {

WarpSchedulerConfig TwoTagsInOneSet() {
  WarpSchedulerConfig config;
  config.ccws_victim_tags = config.ccws_victim_ways = 2;
  return config;
}

TEST(VictimTags, TellWhenAWarpMissesOnALineThatItBroughtAndLost) {
  VictimTags tags(TwoTagsInOneSet(), 4);
  tags.SetRequester(5);
  tags.Miss(100, 0);
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);
  tags.SetRequester(6);
  tags.Replaced(100, 0);
  tags.Miss(200, 0);
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);
  tags.Miss(100, 1);  // it was not warp 6 that lost it
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);
  tags.SetRequester(5);
  tags.Miss(100, 2);
  EXPECT_EQ(tags.TakeLost(), 5U);
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);  // told once
  tags.Miss(100, 3);
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);  // taken out by the hit
}

TEST(VictimTags, TheOldestTagOfASetMakesRoom) {
  VictimTags tags(TwoTagsInOneSet(), 4);
  tags.SetRequester(1);
  for (const LineNumber line : {10U, 11U, 12U}) {
    tags.Miss(line, 0);
    tags.Replaced(line, 0);
  }
  tags.Miss(10, 1);
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);
  tags.Miss(11, 1);
  EXPECT_EQ(tags.TakeLost(), 1U);
}

TEST(VictimTags, TheOldestTagIsTakenOutByItsHit) {
  VictimTags tags(TwoTagsInOneSet(), 4);
  tags.SetRequester(1);
  for (const LineNumber line : {10U, 11U}) {
    tags.Miss(line, 0);
    tags.Replaced(line, 0);
  }
  tags.Miss(10, 1);
  EXPECT_EQ(tags.TakeLost(), 1U);
  tags.Miss(10, 1);
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);
  tags.Miss(11, 1);
  EXPECT_EQ(tags.TakeLost(), 1U);
}

TEST(VictimTags, TheL1FeedsThem) {
  CacheConfig config;
  config.size_kib = 1;  // one set
  config.ways = 8;
  config.line_bytes = config.sector_bytes = 128;
  L1Cache l1(config);
  VictimTags tags({}, 8);
  l1.Connect(&tags);
  const auto load = [&](LineNumber line) {
    ASSERT_EQ(l1.Load(line, 1, 0), L1Cache::Outcome::kPending);
    l1.Fill(l1.miss_queue().front(), [](uint16_t) {});
    l1.miss_queue().Pop();
  };
  tags.SetRequester(3);
  load(0);
  tags.SetRequester(4);
  for (LineNumber line = 1; line <= 8; ++line) load(line);  // the last one takes line 0's way
  EXPECT_EQ(tags.TakeLost(), kMaxWarps);
  tags.SetRequester(3);
  load(0);
  EXPECT_EQ(tags.TakeLost(), 3U);
}

}  // namespace victim_tags_test
}  // namespace flagstone
