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
  InstructionFetch fetch_{Config(), this};
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

}  // namespace instruction_fetch_test
}  // namespace flagstone
