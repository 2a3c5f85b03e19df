#include "gpu_model/memory/dram_channel.h"

#include <gtest/gtest.h>

#include "tests/gpu_model/memory/recorders.h"

namespace flagstone {
namespace {

// One sector needs one cycle of the bus. No two sums of these numbers are equal by accident.
DramConfig Config() {
  DramConfig config;
  config.banks = 4;
  config.bus_bytes = 32;
  config.queue = 8;
  config.t_cl = 12;
  config.t_rcd = 13;
  config.t_rp = 11;
  config.t_ras = 29;
  config.t_rc = 43;
  config.t_ccd = 2;
  config.t_rrd = 6;
  config.t_wl = 4;
  config.t_wr = 10;
  config.t_cdlr = 5;
  config.t_rtpl = 2;
  return config;
}
constexpr uint64_t kFixed = 100;

class DramChannelTest : public testing::Test {
 protected:
  DramChannelTest() { channel_.ConnectClient(0, &client_); }
  void Request(uint32_t bank, uint32_t row, uint16_t tag, bool write = false,
               SectorMask sectors = 1) {
    channel_.Request({bank, row, 0, tag, sectors, write});
  }
  void RunUntil(uint64_t until) {
    for (; now_ < until; ++now_) {
      client_.now = now_;
      channel_.Sample(now_);
      channel_.Commit(now_);
    }
  }
  // Cycle of the reply with this tag, in a long enough run.
  uint64_t ReplyCycle(uint16_t tag) {
    RunUntil(now_ + 2000);
    for (const auto& [cycle, replied] : client_.replies) {
      if (replied == tag) return cycle;
    }
    return 0;
  }

  DramChannel channel_{Config(), 1, kFixed};
  RecordingDramClient client_;
  uint64_t now_ = 0;
};

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
  DramChannel skipping(Config(), 1, kFixed);
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

}  // namespace
}  // namespace flagstone
