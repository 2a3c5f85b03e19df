#include "gpu_model/memory/miss_classes.h"

#include <gtest/gtest.h>

#include "gpu_model/sm/l1_cache.h"

namespace flagstone {
namespace miss_classes_test {

TEST(MissClasses, TheFirstLoadOfASectorIsCold) {
  MissClasses classes(2);
  classes.Load(1, 0b0011, 0b0011);
  classes.Load(1, 0b0110, 0b0100);  // one sector is there
  EXPECT_EQ(classes.counts().cold, 3U);
  EXPECT_EQ(classes.counts().capacity + classes.counts().conflict, 0U);
}

TEST(MissClasses, CapacityIfAFullyAssociativeCacheWouldMissTooElseConflict) {
  MissClasses classes(2);
  for (const LineNumber line : {1U, 2U}) classes.Load(line, 1, 1);
  classes.Load(1, 1, 0);  // a hit: line 2 is now the oldest
  classes.Load(3, 1, 1);  // cold, takes the place of 2
  classes.Load(1, 1, 1);  // would still be there
  EXPECT_EQ(classes.counts().conflict, 1U);
  EXPECT_EQ(classes.counts().capacity, 0U);
  classes.Load(2, 1, 1);  // would not
  EXPECT_EQ(classes.counts().conflict, 1U);
  EXPECT_EQ(classes.counts().capacity, 1U);
  EXPECT_EQ(classes.counts().cold, 3U);
}

TEST(MissClasses, WhatAStoreEvictedIsAClassOfItsOwn) {
  MissClasses classes(2);
  classes.Load(1, 0b01, 0b01);
  classes.Evict(1);
  classes.Evict(7);  // never loaded
  classes.Load(1, 0b11, 0b11);
  EXPECT_EQ(classes.counts().written, 1U);
  EXPECT_EQ(classes.counts().cold, 2U);
  classes.Load(1, 0b01, 0b01);  // loaded again since
  EXPECT_EQ(classes.counts().written, 1U);
  EXPECT_EQ(classes.counts().conflict, 1U);
}

// Eight sets of one way: line 8 takes the place of line 0, which all eight lines would not have
// lost. Then a store.
TEST(MissClasses, AnL1CountsEachLoadMissOnce) {
  CacheConfig config;
  config.size_kib = 1;
  config.ways = 1;
  config.sector_bytes = config.line_bytes = 128;
  L1Cache cache(config);
  cache.ClassifyMisses();
  const auto load = [&](LineNumber line) {
    cache.Load(line, 0b0001, 0);
    while (!cache.miss_queue().empty()) {
      const Packet packet = cache.miss_queue().front();
      cache.miss_queue().Pop();
      if (packet.kind == PacketKind::kRead) cache.Fill(packet, [](uint16_t) {});
    }
  };
  load(0);
  load(0);
  LineNumber rival = 1;
  TagArray sets(1024, 1);
  while (sets.SetOf(rival) != sets.SetOf(0)) ++rival;
  load(rival);
  load(0);  // conflict
  cache.Store(0, 0b0001, 0);
  load(0);  // written
  const L1Statistics& s = cache.statistics();
  EXPECT_EQ(s.classes.cold, 2U);
  EXPECT_EQ(s.classes.conflict, 1U);
  EXPECT_EQ(s.classes.written, 1U);
  EXPECT_EQ(s.classes.capacity, 0U);
  EXPECT_EQ(s.misses - s.stores, 4U);
}

TEST(MissClasses, AreNotCountedUnlessAskedFor) {
  CacheConfig config;
  config.size_kib = 1;
  L1Cache cache(config);
  cache.Load(0, 1, 0);
  EXPECT_EQ(cache.statistics().classes.cold, 0U);
  EXPECT_EQ(cache.statistics().misses, 1U);
}

}  // namespace miss_classes_test
}  // namespace flagstone
