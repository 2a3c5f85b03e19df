#include "gpu_model/memory/l2_slice.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "base/random.h"
#include "tests/unit/gpu_model/memory/l2_slice_fixture.h"
#include "tests/unit/gpu_model/memory/sleeping_core.h"

namespace flagstone {
namespace l2_slice_test {

TEST_F(L2SliceTest, AHitIsAnsweredAfterThePipelineLatency) {
  slice_.Warm(map_.Slice(3).local);
  Ask(3, 0b0011, 9);
  RunUntil(20);
  EXPECT_TRUE(replies_.packets.empty());
  RunUntil(21);
  ASSERT_EQ(replies_.packets.size(), 1U);
  EXPECT_EQ(replies_.packets[0].second.tag, 9);
  EXPECT_EQ(slice_.statistics().accesses, 2U);
  EXPECT_EQ(slice_.statistics().hits, 2U);
  EXPECT_TRUE(slice_.Drained());
}

TEST_F(L2SliceTest, AMissFetchesTheMissingSectorsAndThenAnswers) {
  Ask(3, 0b0110);
  RunUntil(100);
  ASSERT_EQ(dram_.requests.size(), 1U);
  EXPECT_EQ(dram_.requests[0].second.sectors, 0b0110);
  EXPECT_FALSE(dram_.requests[0].second.write);
  EXPECT_TRUE(replies_.packets.empty());
  EXPECT_FALSE(slice_.Drained());
  slice_.DramReply(dram_.requests[0].second.tag, 0b0110);
  RunUntil(110);
  EXPECT_EQ(replies_.packets.size(), 1U);
  EXPECT_EQ(slice_.statistics().misses, 2U);
  EXPECT_TRUE(slice_.Drained());
}

TEST_F(L2SliceTest, AReplyOfMoreSectorsThanAPacketHoldsGoesAsSeveral) {
  machine_.l2.reply_sectors = 1;
  L2Slice slice(machine_.l2, map_, 0);
  slice.Connect(&replies_, &dram_);
  slice.Warm(map_.Slice(3).local);
  slice.Accept({3, 0, 9, 0b1011, PacketKind::kRead});
  for (uint64_t now = 0; now < 30; ++now) {
    replies_.now = now;
    slice.Sample(now);
    slice.Commit(now);
  }
  ASSERT_EQ(replies_.packets.size(), 3U);
  EXPECT_EQ(replies_.packets[0].second.sectors, 0b0001);
  EXPECT_EQ(replies_.packets[1].second.sectors, 0b0010);
  EXPECT_EQ(replies_.packets[2].second.sectors, 0b1000);
  EXPECT_EQ(replies_.packets[2].second.tag, 9);
  EXPECT_TRUE(slice.Drained());
}

TEST_F(L2SliceTest, AnAtomicsLanesAtOneAddressTakeTurnsBeforeItsReply) {
  machine_.l2.atomic_interval = 5;
  L2Slice slice(machine_.l2, map_, 0);
  slice.Connect(&replies_, &dram_);
  slice.Warm(map_.Slice(3).local);
  Packet packet{3, 0, 0, 0b0001, PacketKind::kAtomic};
  packet.conflicts = 3;
  slice.Accept(packet);
  for (uint64_t now = 0; now < 35; ++now) {
    slice.Sample(now);
    slice.Commit(now);
    EXPECT_EQ(replies_.packets.size(), now < 20 + 15 ? 0U : 1U) << now;
  }
  slice.Sample(35);
  slice.Commit(35);
  EXPECT_EQ(replies_.packets.size(), 1U);
}

TEST_F(L2SliceTest, RequestsForALineInFlightAreMerged) {
  Ask(3, 0b0001, 1);
  Ask(3, 0b0001, 2);
  RunUntil(100);
  ASSERT_EQ(dram_.requests.size(), 1U);
  slice_.DramReply(dram_.requests[0].second.tag, 0b0001);
  RunUntil(110);
  ASSERT_EQ(replies_.packets.size(), 2U);
  EXPECT_EQ(replies_.packets[0].second.tag, 1);
  EXPECT_EQ(replies_.packets[1].second.tag, 2);
  EXPECT_EQ(slice_.statistics().misses, 1U);
  EXPECT_EQ(slice_.statistics().hits, 1U);
  EXPECT_EQ(slice_.statistics().mshr_hits, 1U);
}

TEST_F(L2SliceTest, CountsByTypeAndTheLatencyOfReplies) {
  slice_.Warm(map_.Slice(3).local);
  Ask(3, 0b0011, 0, PacketKind::kRead);
  Ask(3, 0b0001, 0, PacketKind::kUncachedRead);
  Ask(3, 0b0100, 0, PacketKind::kAtomic);
  Ask(3, 0b1111, 0, PacketKind::kWrite);
  RunUntil(100);
  EXPECT_EQ(slice_.statistics().reads, 3U);
  EXPECT_EQ(slice_.statistics().atomics, 1U);
  EXPECT_EQ(slice_.statistics().writes, 4U);
  // Looked up 20 cycles after they went in, a cycle apart; the second waits for the port.
  EXPECT_EQ(slice_.statistics().latency.count, 3U);
  EXPECT_EQ(slice_.statistics().latency.cycles, 20U + 21 + 21);
}

TEST_F(L2SliceTest, SaysWhyARequestWaits) {
  for (LineNumber line : {1U, 2U, 3U}) Ask(line, 1);
  RunUntil(100);
  EXPECT_GT(slice_.statistics().fails.mshr, 60U);  // both are taken
  const L2Statistics before = slice_.statistics();
  slice_.DramReply(dram_.requests[0].second.tag, 1);
  RunUntil(200);
  for (uint16_t i = 0; i < 3; ++i) Ask(2, 1, i);
  RunUntil(300);
  EXPECT_LE(slice_.statistics().fails.mshr, before.fails.mshr + 1);
  EXPECT_GT(slice_.statistics().fails.merge, 60U);  // an entry holds two requests
}

TEST_F(L2SliceTest, WithoutAFreeMshrTheNextMissWaits) {
  for (LineNumber line : {1U, 2U, 3U}) Ask(line, 1);
  RunUntil(100);
  EXPECT_EQ(dram_.requests.size(), 2U);
  slice_.DramReply(dram_.requests[0].second.tag, 1);
  RunUntil(200);
  EXPECT_EQ(dram_.requests.size(), 3U);
}

TEST_F(L2SliceTest, AWrittenLineIsWrittenBackWhenItIsReplaced) {
  Ask(0, 0b0101, 0, PacketKind::kWrite);
  RunUntil(100);
  EXPECT_TRUE(dram_.requests.empty());  // no fetch
  EXPECT_TRUE(replies_.packets.empty());
  // Three more lines of its set of two: the least recently used one goes first.
  const TagArray tags(1024, 2);
  uint32_t more = 0;
  for (LineNumber line = 1; more < 3; ++line) {
    if (tags.SetOf(map_.Slice(line).local) != tags.SetOf(map_.Slice(0).local)) continue;
    Ask(line, 0b1000, 0, PacketKind::kWrite);
    RunUntil(now_ + 40);
    ++more;
  }
  ASSERT_EQ(dram_.requests.size(), 2U);
  EXPECT_TRUE(dram_.requests[0].second.write);
  EXPECT_EQ(dram_.requests[0].second.sectors, 0b0101);
  EXPECT_EQ(dram_.requests[1].second.sectors, 0b1000);
}

TEST_F(L2SliceTest, AnAtomicLeavesItsSectorsDirtyWhetherItHitsOrMisses) {
  Ask(0, 0b0100, 0, PacketKind::kAtomic);
  Ask(0, 0b0001);
  RunUntil(100);
  ASSERT_EQ(dram_.requests.size(), 2U);
  for (const auto& [cycle, request] : dram_.requests) {
    slice_.DramReply(request.tag, request.sectors);
  }
  RunUntil(200);
  Ask(0, 0b0001, 0, PacketKind::kAtomic);
  RunUntil(300);
  EXPECT_EQ(replies_.packets.size(), 3U);
  slice_.Flush();
  RunUntil(400);
  EXPECT_EQ(slice_.flushed(), 2U);
  ASSERT_EQ(dram_.requests.size(), 3U);
  EXPECT_TRUE(dram_.requests[2].second.write);
  EXPECT_EQ(dram_.requests[2].second.sectors, 0b0101);
  EXPECT_EQ(slice_.statistics().write_backs, 2U);
}

TEST_F(L2SliceTest, AMissTakesTheLastPlacesOfItsQueue) {
  machine_.l2.cache.ways = 8;  // one set
  machine_.l2.cache.miss_queue = 2;
  L2Slice slice(machine_.l2, map_, 0);
  slice.Connect(&replies_, &dram_);
  const auto run = [&](uint64_t from, uint64_t to) {
    for (uint64_t now = from; now < to; ++now) {
      slice.Sample(now);
      slice.Commit(now);
    }
  };
  slice.Accept({0, 0, 0, 1, PacketKind::kWrite});
  run(0, 30);
  for (LineNumber line = 1; line < 8; ++line) slice.Warm(map_.Slice(line).local);
  slice.Accept({8, 0, 0, 1, PacketKind::kRead});  // a place for line 0, which is dirty, and its own
  run(30, 60);
  ASSERT_EQ(dram_.requests.size(), 2U);
  EXPECT_TRUE(dram_.requests[0].second.write);
  EXPECT_FALSE(dram_.requests[1].second.write);
  EXPECT_EQ(slice.statistics().fails.queue, 0U);
}

TEST_F(L2SliceTest, AMissWithoutRoomForTheLineThatItReplacesWaits) {
  machine_.l2.cache.ways = 8;
  machine_.l2.cache.miss_queue = 1;
  L2Slice slice(machine_.l2, map_, 0);
  slice.Connect(&replies_, &dram_);
  for (LineNumber line = 0; line < 8; ++line) slice.Warm(map_.Slice(line).local);
  uint64_t now = 0;
  const auto run = [&](uint64_t cycles) {
    for (const uint64_t end = now + cycles; now < end; ++now) {
      slice.Sample(now);
      slice.Commit(now);
      for (; !dram_.requests.empty(); dram_.requests.pop_back()) {
        const DramRequest& request = dram_.requests.back().second;
        if (!request.write) slice.DramReply(request.tag, request.sectors);
      }
    }
  };
  slice.Accept({0, 0, 0, 1, PacketKind::kWrite});
  run(30);
  replies_.packets.clear();
  for (LineNumber line = 8; line < 16; ++line) {
    slice.Accept({line, 0, 0, 1, PacketKind::kRead});
    run(30);
  }
  run(100);
  // Seven clean lines have gone; the eighth needs two places, of which there is one.
  EXPECT_EQ(replies_.packets.size(), 7U);
  EXPECT_GT(slice.statistics().fails.queue, 100U);
}

TEST_F(L2SliceTest, ThePortTakesOneSectorACycle) {
  slice_.Warm(map_.Slice(3).local);
  for (uint16_t i = 0; i < 3; ++i) Ask(3, kAllSectors, i);
  RunUntil(100);
  ASSERT_EQ(replies_.packets.size(), 3U);
  EXPECT_EQ(replies_.packets[1].first - replies_.packets[0].first, 4U);
  EXPECT_EQ(replies_.packets[2].first - replies_.packets[1].first, 4U);
}

TEST_F(L2SliceTest, ABlockedReplyPortLosesNothing) {
  slice_.Warm(map_.Slice(3).local);
  replies_.open = false;
  uint16_t asked = 0;
  for (uint64_t until = 1; until < 300; ++until) {
    if (slice_.CanAccept()) Ask(3, 1, asked++);
    RunUntil(until);
  }
  EXPECT_FALSE(slice_.CanAccept());
  replies_.open = true;
  RunUntil(1000);
  EXPECT_EQ(replies_.packets.size(), asked);
  EXPECT_TRUE(slice_.Drained());
}

TEST_F(L2SliceTest, TakesAFillOfEachSectorOfAllMshrsAtOnce) {
  Ask(3, kAllSectors, 1);
  Ask(4, kAllSectors, 2);
  RunUntil(100);
  ASSERT_EQ(dram_.requests.size(), 2U);
  for (const auto& [cycle, request] : dram_.requests) {
    for (uint32_t s = 0; s < 4; ++s) slice_.DramReply(request.tag, SectorMask(1U << s));
  }
  RunUntil(200);
  EXPECT_EQ(replies_.packets.size(), 2U);
  EXPECT_TRUE(slice_.Drained());
}

TEST_F(L2SliceTest, HasAsManySetsAsItsSizeAndItsWaysMake) {
  machine_.l2.cache.size_kib = 2048;
  machine_.l2.cache.ways = 16;
  EXPECT_EQ(L2Slice(machine_.l2, map_, 0).tags().sets(), 1024U);
}

TEST_F(L2SliceTest, AnAcknowledgedWriteIsAnsweredAndWaitsForRoomForIt) {
  machine_.l2.write_reply = WriteReply::kAcknowledge;
  L2Slice slice(machine_.l2, map_, 0);
  slice.Connect(&replies_, &dram_);
  replies_.open = false;
  uint64_t asked = 0;
  const auto run = [&](uint64_t from, uint64_t to, bool asks) {
    for (uint64_t now = from; now < to; ++now) {
      if (asks && slice.CanAccept()) {
        slice.Accept({3, 0, 0, 1, PacketKind::kWrite});
        ++asked;
      }
      slice.Sample(now);
      slice.Commit(now);
    }
  };
  run(0, 200, true);
  EXPECT_EQ(slice.statistics().hits, 8U);  // places but those that a fill may need
  EXPECT_GT(slice.statistics().fails.queue, 100U);
  EXPECT_FALSE(slice.Drained());
  replies_.open = true;
  run(200, 600, false);
  EXPECT_EQ(replies_.packets.size(), asked);
  EXPECT_TRUE(slice.Drained());
}

struct Outcome {
  std::vector<std::tuple<uint64_t, LineNumber, uint32_t>> replies;  // by cycle
  L2Statistics statistics;
  uint64_t ticks = 0;
};

Outcome RandomRequests(bool sleeps, uint64_t seed) {
  const MachineConfig machine = Machine();
  const AddressMap map(machine);
  L2Slice slice(machine.l2, map, 0);
  RecordingPort replies;
  RecordingDram dram;
  slice.Connect(&replies, &dram);
  SleepingCore core(&slice, sleeps);
  SplitMix64 random(seed);
  size_t answered = 0;
  uint64_t now = 0;
  for (; now < 20'000 || (!slice.Drained() && now < 30'000); ++now) {
    replies.now = dram.now = now;
    replies.open = random.Below(8) != 0;
    const bool asks = now < 20'000 && random.Below(now / 2000 % 2 == 0 ? 3 : 24) == 0;
    if (asks && slice.CanAccept()) {
      const auto line = static_cast<LineNumber>(random.Below(24));
      const auto sectors = static_cast<SectorMask>(1 + random.Below(15));
      slice.Accept({line, 0, 0, sectors, static_cast<PacketKind>(random.Below(4))});
    }
    core.Sample(now);
    core.Commit(now);
    for (; answered < dram.requests.size(); ++answered) {
      const auto& [cycle, request] = dram.requests[answered];
      if (cycle + 50 > now) break;
      if (!request.write) slice.DramReply(request.tag, request.sectors);
    }
  }
  EXPECT_TRUE(slice.Drained());
  Outcome run{.statistics = slice.statistics(), .ticks = core.ticks()};
  for (const auto& [cycle, packet] : replies.packets) {
    run.replies.emplace_back(cycle, packet.line, packet.sectors);
  }
  return run;
}

TEST(L2Slice, SkippedCyclesChangeNothing) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Outcome all = RandomRequests(false, seed);
    const Outcome some = RandomRequests(true, seed);
    EXPECT_EQ(some.replies, all.replies);
    EXPECT_EQ(some.statistics.latency.cycles, all.statistics.latency.cycles);
    EXPECT_EQ(some.statistics.fails.mshr, all.statistics.fails.mshr);
    EXPECT_EQ(some.statistics.fails.merge, all.statistics.fails.merge);
    EXPECT_GT(all.replies.size(), 800U);
    EXPECT_LT(some.ticks, all.ticks * 9 / 10);
  }
}

}  // namespace l2_slice_test
}  // namespace flagstone
