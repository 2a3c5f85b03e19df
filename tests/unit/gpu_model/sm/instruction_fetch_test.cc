#include "gpu_model/sm/instruction_fetch.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace instruction_fetch_test {

class InstructionFetchTest : public testing::Test, public ResultSink {
 protected:
  void LoadDone(uint32_t, uint32_t, uint64_t) override { ADD_FAILURE() << "it loads nothing"; }
  void InstructionHere(uint32_t warp) override { here_.push_back(warp); }
  void StoreDone(uint32_t, uint32_t) override { ADD_FAILURE() << "it stores nothing"; }

  // 16 instructions a line.
  static SmConfig Config() {
    SmConfig config;
    config.instruction_bytes = 8;
    config.instruction_cache = {.size_kib = 2, .ways = 4, .mshrs = 1};
    return config;
  }
  void Answer() {
    const Packet packet = fetch_.misses().front();
    fetch_.misses().Pop();
    fetch_.TakeReply(packet, 1);
  }

  std::vector<uint32_t> here_;
  InstructionFetch fetch_{Config(), /*code_offset=*/0, this};
};

TEST_F(InstructionFetchTest, WarpsThatMissOnALineGetItTogether) {
  EXPECT_FALSE(fetch_.Ready(0, 0));
  EXPECT_FALSE(fetch_.Ready(1, 15));
  ASSERT_EQ(fetch_.misses().size(), 1U);
  EXPECT_FALSE(fetch_.Drained());
  Answer();
  EXPECT_EQ(here_, (std::vector<uint32_t>{0, 1}));
  EXPECT_TRUE(fetch_.Ready(0, 7));
  EXPECT_TRUE(fetch_.Drained());
  EXPECT_FALSE(fetch_.Ready(0, 16));
}

TEST_F(InstructionFetchTest, AMissWithoutRoomIsTriedAgain) {
  EXPECT_FALSE(fetch_.HasWork());
  EXPECT_FALSE(fetch_.Ready(0, 0));
  EXPECT_FALSE(fetch_.Ready(1, 16));  // the one MSHR is taken
  EXPECT_TRUE(fetch_.Active());
  fetch_.Tick(1);
  EXPECT_TRUE(fetch_.HasWork());
  Answer();
  fetch_.Tick(2);
  EXPECT_FALSE(fetch_.HasWork());
  Answer();
  EXPECT_EQ(here_, (std::vector<uint32_t>{0, 1}));
}

TEST_F(InstructionFetchTest, ANewWarpHasNoLine) {
  EXPECT_FALSE(fetch_.Ready(0, 0));
  Answer();
  fetch_.Started(0);
  EXPECT_TRUE(fetch_.Ready(0, 0));  // a hit in the cache
  EXPECT_EQ(fetch_.cache().statistics().hits, 1U);
}

// Two instructions a fetch, one warp a cycle, from a cache that holds the line.
class LimitedFetchTest : public InstructionFetchTest {
 protected:
  LimitedFetchTest() {
    EXPECT_FALSE(limited_.Ready(0, 0));
    limited_.Tick(0);
    const Packet packet = limited_.misses().front();
    limited_.misses().Pop();
    limited_.TakeReply(packet, 1);
    limited_.Tick(1);
    here_.clear();
  }
  static SmConfig Limited() {
    SmConfig config = Config();
    config.fetch_warps = 1;
    config.fetch_bytes = 16;
    return config;
  }

  InstructionFetch limited_{Limited(), /*code_offset=*/0, this};
};

TEST_F(LimitedFetchTest, AFetchBringsTheNextInstructionsUpToItsBytes) {
  EXPECT_TRUE(limited_.Ready(0, 1));
  EXPECT_FALSE(limited_.Ready(0, 2));
  EXPECT_TRUE(limited_.Active());
  limited_.Tick(2);
  EXPECT_EQ(here_, std::vector<uint32_t>{0});
  EXPECT_FALSE(limited_.Active());
  EXPECT_TRUE(limited_.Ready(0, 3));
}

TEST_F(LimitedFetchTest, ABranchDropsWhatWasFetched) {
  EXPECT_FALSE(limited_.Ready(0, 9));
  limited_.Tick(2);
  EXPECT_TRUE(limited_.Ready(0, 10));
  EXPECT_FALSE(limited_.Ready(0, 10));  // to itself
}

TEST_F(LimitedFetchTest, EndsAtTheEndOfALine) {
  EXPECT_FALSE(limited_.Ready(0, 15));
  limited_.Tick(2);
  EXPECT_FALSE(limited_.Ready(0, 16));
}

TEST_F(LimitedFetchTest, WarpsTakeTurnsFromTheLastOneOn) {
  for (const uint32_t warp : {5U, 0U, 2U}) EXPECT_FALSE(limited_.Ready(warp, 4));
  for (uint64_t now = 2; now < 4; ++now) limited_.Tick(now);
  EXPECT_EQ(here_, (std::vector<uint32_t>{2, 5}));
  limited_.Tick(4);
  EXPECT_EQ(here_, (std::vector<uint32_t>{2, 5, 0}));
  EXPECT_TRUE(limited_.Drained());
}

// Warps that have waited for a line fetch in their turns when it has come.
TEST_F(LimitedFetchTest, WarpsThatMissedFetchOneAfterTheOther) {
  for (const uint32_t warp : {0U, 1U}) EXPECT_FALSE(limited_.Ready(warp, 32));
  for (uint64_t now = 2; now < 4; ++now) limited_.Tick(now);
  EXPECT_FALSE(limited_.Active());
  const Packet packet = limited_.misses().front();
  limited_.misses().Pop();
  limited_.TakeReply(packet, 5);
  EXPECT_TRUE(here_.empty());
  limited_.Tick(5);
  EXPECT_EQ(here_.size(), 1U);
  limited_.Tick(6);
  EXPECT_EQ(here_, (std::vector<uint32_t>{1, 0}));
}

// Without a cache all instructions are there, but so many warps a cycle fetch.
TEST_F(InstructionFetchTest, IsLimitedWithoutACacheToo) {
  SmConfig config = Config();
  config.instruction_cache.size_kib = 0;
  config.fetch_warps = 2;
  InstructionFetch fetch(config, 0, this);
  for (const uint32_t warp : {0U, 1U, 2U}) EXPECT_FALSE(fetch.Ready(warp, 0));
  fetch.Tick(1);
  EXPECT_EQ(here_, (std::vector<uint32_t>{0, 1}));
}

// Another kernel's code lies elsewhere, and what the cache held of the one before is no hit.
TEST_F(InstructionFetchTest, KeepsWhatTheCacheHeldForTheSameCodeAlone) {
  EXPECT_FALSE(fetch_.Ready(0, 0));
  Answer();
  InstructionFetch same(Config(), 0, this);
  same.Keep(fetch_.cache().tags());
  EXPECT_TRUE(same.Ready(0, 0));
  InstructionFetch other(Config(), 128, this);
  other.Keep(fetch_.cache().tags());
  EXPECT_FALSE(other.Ready(0, 0));
}

}  // namespace instruction_fetch_test
}  // namespace flagstone
