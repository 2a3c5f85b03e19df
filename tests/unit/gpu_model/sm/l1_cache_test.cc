#include "gpu_model/sm/l1_cache.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace l1_cache_test {

using Outcome = L1Cache::Outcome;

CacheConfig Small(uint32_t sector_bytes) {
  CacheConfig config;
  config.size_kib = 1;  // 8 lines
  config.ways = 8;      // one set
  config.sector_bytes = sector_bytes;
  config.mshrs = 3;
  config.mshr_merges = 2;
  config.miss_queue = 3;
  return config;
}

// Answers the oldest miss; returns the loads that were waiting for it alone.
std::vector<uint16_t> Answer(L1Cache* cache) {
  std::vector<uint16_t> done;
  const Packet packet = cache->miss_queue().front();
  cache->miss_queue().Pop();
  if (packet.kind == PacketKind::kRead) {
    cache->Fill(packet, [&](uint16_t load) { done.push_back(load); });
  }
  return done;
}

TEST(L1Cache, MissesThenHits) {
  L1Cache cache(Small(128));
  EXPECT_EQ(cache.Load(10, 0b0001, 1), Outcome::kPending);
  ASSERT_EQ(cache.miss_queue().size(), 1U);
  EXPECT_EQ(cache.miss_queue().front().sectors, kAllSectors);  // a line without sectors comes whole
  EXPECT_EQ(Answer(&cache), std::vector<uint16_t>{1});
  EXPECT_EQ(cache.mshrs_used(), 0U);
  EXPECT_EQ(cache.Load(10, 0b1000, 2), Outcome::kHit);
  EXPECT_EQ(cache.statistics().accesses, 2U);
  EXPECT_EQ(cache.statistics().hits, 1U);
  EXPECT_EQ(cache.statistics().misses, 1U);
}

TEST(L1Cache, MergesInAMissInFlightUntilTheMergesAreUsedUp) {
  L1Cache cache(Small(128));
  EXPECT_EQ(cache.Load(10, 1, 1), Outcome::kPending);
  EXPECT_EQ(cache.Load(10, 1, 2), Outcome::kPending);
  EXPECT_EQ(cache.Load(10, 1, 3), Outcome::kNoMerge);
  EXPECT_EQ(cache.miss_queue().size(), 1U);
  EXPECT_EQ(cache.statistics().mshr_hits, 1U);
  EXPECT_EQ(cache.statistics().accesses, 2U);  // a failed reservation is no access yet
  EXPECT_EQ(Answer(&cache), (std::vector<uint16_t>{1, 2}));
}

TEST(L1Cache, MergesSectorBySectorWhereAnMshrHoldsASector) {
  CacheConfig config = Small(32);
  config.mshr_unit = MshrUnit::kSector;
  L1Cache cache(config);
  EXPECT_EQ(cache.Load(10, 0b0001, 1), Outcome::kPending);
  EXPECT_EQ(cache.Load(10, 0b0001, 2), Outcome::kPending);
  EXPECT_EQ(cache.Load(10, 0b0001, 3), Outcome::kNoMerge);
  EXPECT_EQ(cache.Load(10, 0b0010, 4), Outcome::kPending);  // an MSHR of its own
  EXPECT_EQ(cache.mshrs_used(), 2U);
  EXPECT_EQ(cache.Load(11, 0b0011, 5), Outcome::kNoMshr);  // one is left
  EXPECT_EQ(cache.Load(11, 0b0001, 5), Outcome::kPending);
  EXPECT_EQ(cache.Load(10, 0b0100, 6), Outcome::kNoMshr);
  EXPECT_EQ(Answer(&cache), (std::vector<uint16_t>{1, 2}));
  EXPECT_EQ(cache.mshrs_used(), 2U);
  EXPECT_EQ(cache.Load(10, 0b0110, 6), Outcome::kPending);  // merges in one, takes the other
  EXPECT_EQ(cache.Load(10, 0b0010, 7), Outcome::kNoMerge);  // 4 and 6 wait for it
  EXPECT_EQ(Answer(&cache), std::vector<uint16_t>{4});
  EXPECT_EQ(Answer(&cache), std::vector<uint16_t>{5});
  EXPECT_EQ(Answer(&cache), std::vector<uint16_t>{6});
  EXPECT_EQ(cache.mshrs_used(), 0U);
}

TEST(L1Cache, FailsByReasonAndSucceedsLater) {
  CacheConfig config = Small(128);
  config.miss_queue = 8;
  L1Cache cache(config);
  for (LineNumber line = 0; line < 3; ++line) cache.Load(line, 1, 0);
  EXPECT_EQ(cache.Load(3, 1, 0), Outcome::kNoMshr);
  Answer(&cache);
  EXPECT_EQ(cache.Load(3, 1, 0), Outcome::kPending);

  L1Cache queue(Small(128));
  queue.Store(100, 1, 0);
  queue.Store(101, 1, 0);
  queue.Store(102, 1, 0);
  EXPECT_FALSE(queue.Store(103, 1, 0));
  EXPECT_EQ(queue.Load(3, 1, 0), Outcome::kMissQueueFull);

  config.size_kib = 1;
  config.ways = 2;
  config.mshrs = 8;
  L1Cache ways(config);  // 4 sets of 2 ways
  const TagArray tags(1024, 2);
  Outcome outcome = Outcome::kPending;
  uint32_t in_set = 0;
  for (LineNumber line = 0; in_set < 3; ++line) {
    if (tags.SetOf(line) != 0) continue;
    outcome = ways.Load(line, 1, 0);
    EXPECT_EQ(outcome == Outcome::kPending, ++in_set < 3);
  }
  EXPECT_EQ(outcome, Outcome::kNoWay);
}

TEST(L1Cache, ReplacesTheLeastRecentlyUsedLine) {
  L1Cache cache(Small(128));
  for (LineNumber line = 0; line < 8; ++line) {
    cache.Load(line, 1, 0);
    Answer(&cache);
  }
  EXPECT_EQ(cache.Load(0, 1, 0), Outcome::kHit);
  cache.Load(8, 1, 0);  // takes the place of line 1
  Answer(&cache);
  EXPECT_EQ(cache.Load(0, 1, 0), Outcome::kHit);
  EXPECT_EQ(cache.Load(1, 1, 0), Outcome::kPending);
}

TEST(L1Cache, AStoreGoesThroughAndEvicts) {
  L1Cache cache(Small(128));
  cache.Load(10, 1, 0);
  Answer(&cache);
  EXPECT_TRUE(cache.Store(10, 0b0010, 7));
  EXPECT_EQ(cache.miss_queue().front().kind, PacketKind::kWrite);
  EXPECT_EQ(cache.miss_queue().front().tag, 7);
  Answer(&cache);
  EXPECT_EQ(cache.Load(10, 1, 0), Outcome::kPending);
  // Written while in flight: gone when it has come.
  EXPECT_TRUE(cache.Store(10, 1, 0));
  Answer(&cache);
  EXPECT_EQ(cache.mshrs_used(), 0U);
  Answer(&cache);
  EXPECT_EQ(cache.Load(10, 1, 0), Outcome::kPending);
}

TEST(L1Cache, AWriteThroughCacheKeepsTheLine) {
  CacheConfig config = Small(32);
  config.write_policy = WritePolicy::kWriteThrough;
  L1Cache cache(config);
  cache.Load(10, 1, 0);
  Answer(&cache);
  EXPECT_TRUE(cache.Store(10, 1, 0));
  EXPECT_EQ(cache.Load(10, 1, 0), Outcome::kHit);
  EXPECT_TRUE(cache.Atomic(10, 1, 0));
  EXPECT_EQ(cache.Load(10, 1, 0), Outcome::kPending);  // an atomic evicts under every policy
}

TEST(L1Cache, ASectoredLineFetchesOnlyWhatIsMissing) {
  L1Cache cache(Small(32));
  cache.Load(10, 0b0011, 1);
  EXPECT_EQ(cache.miss_queue().front().sectors, 0b0011);
  EXPECT_EQ(cache.Load(10, 0b0110, 2), Outcome::kPending);
  EXPECT_EQ(cache.miss_queue()[1].sectors, 0b0100);
  EXPECT_EQ(Answer(&cache), std::vector<uint16_t>{1});
  EXPECT_EQ(cache.mshrs_used(), 1U);
  EXPECT_EQ(Answer(&cache), std::vector<uint16_t>{2});
  EXPECT_EQ(cache.mshrs_used(), 0U);
  EXPECT_EQ(cache.Load(10, 0b0111, 3), Outcome::kHit);
  EXPECT_EQ(cache.statistics().accesses, 7U);
  EXPECT_EQ(cache.statistics().misses, 3U);
  EXPECT_EQ(cache.statistics().mshr_hits, 1U);
  EXPECT_EQ(cache.statistics().hits, 3U);
}

TEST(L1Cache, AWriteAllocatingCacheBringsTheWrittenSectorsIn) {
  CacheConfig config = Small(32);
  config.write_policy = WritePolicy::kWriteThroughAllocate;
  L1Cache cache(config);
  EXPECT_TRUE(cache.Store(10, 0b0011, 0));
  EXPECT_EQ(cache.miss_queue().front().kind, PacketKind::kWrite);
  Answer(&cache);
  EXPECT_EQ(cache.Load(10, 0b0011, 1), Outcome::kHit);
  EXPECT_EQ(cache.Load(10, 0b0111, 1), Outcome::kPending);
  EXPECT_EQ(cache.miss_queue().front().sectors, 0b0100);
}

TEST(L1Cache, ABypassLeavesTheTagsAlone) {
  L1Cache cache(Small(32));
  EXPECT_TRUE(cache.Bypass(PacketKind::kUncachedRead, 10, 0b0011, 9));
  EXPECT_EQ(cache.miss_queue().front().tag, 9);
  Answer(&cache);
  EXPECT_EQ(cache.statistics().bypassed, 2U);
  EXPECT_EQ(cache.statistics().accesses, 0U);
  EXPECT_EQ(cache.Load(10, 0b0011, 1), Outcome::kPending);
  EXPECT_TRUE(cache.Bypass(PacketKind::kWrite, 11, 1, 0));
  EXPECT_TRUE(cache.Bypass(PacketKind::kWrite, 12, 1, 0));
  EXPECT_FALSE(cache.Bypass(PacketKind::kWrite, 13, 1, 0));  // the miss queue is full
}

TEST(L1Cache, CountsAccessesByTypeAndWaitsByReason) {
  L1Cache cache(Small(128));
  cache.Load(1, 1, 0);
  cache.Store(2, 1, 0);
  cache.Atomic(3, 1, 0);
  EXPECT_EQ(cache.statistics().loads, 1U);
  EXPECT_EQ(cache.statistics().stores, 1U);
  EXPECT_EQ(cache.statistics().atomics, 1U);
  EXPECT_EQ(cache.statistics().accesses, 3U);
  EXPECT_EQ(cache.statistics().misses, 3U);
  cache.CountFail(Outcome::kNoMshr, 1);
  cache.CountFail(Outcome::kNoMerge, 2);
  cache.CountFail(Outcome::kNoWay, 4);
  cache.CountFail(Outcome::kMissQueueFull, 8);
  cache.CountFail(Outcome::kNoLoadSlot, 16);
  const L1Fails& fails = cache.statistics().fails;
  EXPECT_EQ(fails.mshr, 1U);
  EXPECT_EQ(fails.merge, 2U);
  EXPECT_EQ(fails.way, 4U);
  EXPECT_EQ(fails.queue, 8U);
  EXPECT_EQ(fails.load_slot, 16U);
  EXPECT_EQ(cache.statistics().reservation_fails, 31U);
}

}  // namespace l1_cache_test
}  // namespace flagstone
