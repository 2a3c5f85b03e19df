#include "gpu_model/memory/dram_channel.h"

#include <gtest/gtest.h>

#include "tests/unit/gpu_model/memory/dram_channel_bench.h"

namespace flagstone {
namespace dram_channel_test {

TEST_F(DramChannelTest, AFirstReadWaitsForActivateAndColumn) {
  Request(0, 5, 1);
  // Activate in cycle 0, read command at tRCD, data tCL later, one cycle of burst.
  const uint64_t ready = 13 + 12 + 1 + kFixed;
  RunUntil(ready);
  EXPECT_TRUE(client_.replies.empty());
  RunUntil(ready + 1);
  ASSERT_EQ(client_.replies.size(), 1U);
  EXPECT_TRUE(channel_.Drained());
}

TEST_F(DramChannelTest, ARowHitIsFasterThanARowMissByPrechargeAndActivate) {
  Request(0, 5, 1);
  RunUntil(500);
  Request(0, 5, 2);
  EXPECT_EQ(ReplyCycle(2), 500 + 12 + 1 + kFixed);
  const uint64_t start = now_;
  Request(0, 6, 3);
  EXPECT_EQ(ReplyCycle(3), start + 11 + 13 + 12 + 1 + kFixed);
  EXPECT_EQ(channel_.statistics().reads, 3U);
  EXPECT_EQ(channel_.statistics().row_hits, 1U);
}

TEST_F(DramChannelTest, RowHitsOverTakeAnOlderRowMiss) {
  Request(0, 5, 1);
  Request(0, 6, 2);  // another row of the same bank
  Request(0, 5, 3);
  RunUntil(1000);
  ASSERT_EQ(client_.replies.size(), 3U);
  EXPECT_EQ(client_.replies[0].second, 1);
  EXPECT_EQ(client_.replies[1].second, 3);
  EXPECT_EQ(client_.replies[2].second, 2);
}

TEST_F(DramChannelTest, ColumnCommandsKeepTheirDistance) {
  Request(0, 5, 1);
  Request(0, 5, 2);
  const uint64_t second = ReplyCycle(2);
  EXPECT_EQ(second - client_.replies[0].first, 2U);  // tCCD
}

TEST_F(DramChannelTest, LongBurstsHoldTheBus) {
  Request(0, 5, 1, false, kAllSectors);
  Request(0, 5, 2, false, kAllSectors);
  const uint64_t second = ReplyCycle(2);
  EXPECT_EQ(second - client_.replies[0].first, 4U);  // 128 bytes at 32 a cycle
  EXPECT_EQ(channel_.statistics().reads, 8U);
}

TEST_F(DramChannelTest, BanksWorkInParallelBehindTheActivateDistance) {
  Request(0, 5, 1);
  Request(1, 5, 2);
  const uint64_t second = ReplyCycle(2);
  EXPECT_EQ(second - client_.replies[0].first, 6U);  // tRRD
}

TEST_F(DramChannelTest, ABankIsActivatedAgainOnlyAfterRc) {
  Request(0, 5, 1);
  Request(0, 6, 2);
  // Precharge not before tRAS = 29, activate at max(tRC = 43, 29 + tRP) = 43.
  EXPECT_EQ(ReplyCycle(2), 43 + 13 + 12 + 1 + kFixed);
}

TEST_F(DramChannelTest, AReadAfterAWriteWaitsForTheTurnaround) {
  Request(0, 5, 1, /*write=*/true);
  Request(0, 5, 2);
  // Write command at 13, data ends at 13 + tWL + 1, read not before that + tCDLR.
  EXPECT_EQ(ReplyCycle(2), 13 + 4 + 1 + 5 + 12 + 1 + kFixed);
  EXPECT_EQ(channel_.statistics().writes, 1U);
}

TEST_F(DramChannelTest, SkippedCyclesChangeNothing) {
  DramChannel skipping(DramTestConfig(), 1, kFixed);
  RecordingDramClient client;
  skipping.ConnectClient(0, &client);
  for (uint16_t i = 0; i < 4; ++i) {
    Request(i % 2, i, i);
    skipping.Request({i % 2U, i, 0, i, 1, false});
  }
  RunUntil(1000);
  uint64_t ticks = 0;
  for (uint64_t now = 0; now != kNever; now = skipping.NextWork(now), ++ticks) {
    client.now = now;
    skipping.Sample(now);
    skipping.Commit(now);
  }
  EXPECT_EQ(client.replies, client_.replies);
  EXPECT_LT(ticks, 60U);
  EXPECT_TRUE(skipping.Drained());
}

TEST_F(DramChannelTest, TellsRowHitsMissesAndConflictsApart) {
  Request(0, 5, 1, false, kAllSectors);  // finds its bank closed
  RunUntil(500);
  Request(0, 5, 2, false, 0b0011);  // a hit
  RunUntil(1000);
  Request(0, 6, 3);  // another row is open
  RunUntil(1500);
  EXPECT_EQ(channel_.statistics().row_misses, 4U);
  EXPECT_EQ(channel_.statistics().row_hits, 2U);
  EXPECT_EQ(channel_.statistics().row_conflicts, 1U);
  EXPECT_EQ(channel_.statistics().activations, 2U);
  EXPECT_EQ(channel_.statistics().requests, 3U);
  EXPECT_EQ(channel_.statistics().bus_cycles, 4U + 2 + 1);
}

TEST_F(DramChannelTest, CountsTheWaitForTheColumnCommandAndTheLatency) {
  Request(0, 5, 1);
  RunUntil(500);
  EXPECT_EQ(channel_.statistics().queue_cycles, 13U);  // tRCD, from its first cycle on
  EXPECT_EQ(channel_.statistics().latency.count, 1U);
  EXPECT_EQ(channel_.statistics().latency.cycles, 13 + 12 + 1 + kFixed);
}

class BankGroupDramChannelTest : public DramChannelTest {
 protected:
  BankGroupDramChannelTest() : DramChannelTest(WithGroups()) {}
  static DramConfig WithGroups() {
    DramConfig config = DramTestConfig();
    config.bank_groups = 2;
    config.t_ccdl = 5;
    return config;
  }
};

TEST_F(BankGroupDramChannelTest, ColumnCommandsOfOneGroupKeepALongerDistance) {
  for (const uint32_t bank : {0U, 1U, 2U}) Request(bank, 5, 9);
  RunUntil(500);  // all rows are open
  client_.replies.clear();
  Request(0, 5, 1);
  Request(2, 5, 2);  // the group of bank 0
  Request(1, 5, 3);  // the other one: it overtakes
  RunUntil(1000);
  ASSERT_EQ(client_.replies.size(), 3U);
  EXPECT_EQ(client_.replies[1].second, 3);
  EXPECT_EQ(client_.replies[1].first - client_.replies[0].first, 2U);
  EXPECT_EQ(client_.replies[2].first - client_.replies[0].first, 5U);
}

class WriteQueueDramChannelTest : public DramChannelTest {
 protected:
  WriteQueueDramChannelTest() : DramChannelTest(WithWriteQueue()) {}
  static DramConfig WithWriteQueue() {
    DramConfig config = DramTestConfig();
    config.write_queue = 4;
    config.write_high = 3;
    config.write_low = 1;
    return config;
  }
};

TEST_F(WriteQueueDramChannelTest, WritesWaitWhileThereAreReads) {
  Request(0, 5, 0, /*write=*/true);
  Request(0, 5, 1);
  RunUntil(2);
  Request(0, 5, 2);
  // Neither read pays for the turnaround of the older write.
  const uint64_t second = ReplyCycle(2);
  EXPECT_EQ(second - client_.replies[0].first, 2U);
  EXPECT_EQ(channel_.statistics().writes, 1U);  // in the end it has gone out
  EXPECT_TRUE(channel_.Drained());
}

TEST_F(WriteQueueDramChannelTest, WritesBetweenTheMarksWaitUnlessTheQueueIsBeingEmptied) {
  for (uint16_t i = 1; i < 6; ++i) {
    Request(1, 5, i);
    RunUntil(now_ + 1);
    if (i == 2 || i == 3) Request(0, 5, 0, /*write=*/true);  // above the low mark, below the high
  }
  // One row, one activation: the reads never wait for a write, nor for its turnaround.
  RunUntil(1000);
  ASSERT_EQ(client_.replies.size(), 5U);
  EXPECT_EQ(client_.replies[0].first, 13 + 12 + 1 + kFixed);
  for (size_t i = 1; i < client_.replies.size(); ++i) {
    EXPECT_EQ(client_.replies[i].first - client_.replies[i - 1].first, 2U);
  }
  EXPECT_EQ(channel_.statistics().writes, 2U);
}

TEST_F(WriteQueueDramChannelTest, ANearlyFullWriteQueueGoesFirst) {
  for (uint16_t i = 0; i < 3; ++i) {
    Request(0, 5, 0, /*write=*/true);
    RunUntil(now_ + 1);
  }
  for (uint16_t i = 1; i < 4; ++i) {
    Request(1, 5, i);
    RunUntil(now_ + 1);
  }
  RunUntil(30);
  EXPECT_GE(channel_.statistics().writes, 2U);  // down to the low mark, then the reads
  EXPECT_TRUE(client_.replies.empty());
  RunUntil(1000);
  EXPECT_EQ(client_.replies.size(), 3U);
  EXPECT_TRUE(channel_.Drained());
}

}  // namespace dram_channel_test
}  // namespace flagstone
