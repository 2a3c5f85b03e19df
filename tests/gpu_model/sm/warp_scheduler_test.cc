#include "gpu_model/sm/warp_scheduler.h"

#include <gtest/gtest.h>

#include "tests/base/error_message.h"

namespace flagstone {
namespace {

TEST(WarpScheduler, GtoStaysWithItsWarpUntilItStalls) {
  const auto scheduler = FindWarpScheduler("gto").make();
  for (uint32_t warp : {0U, 2U, 4U}) scheduler->Started(warp);
  EXPECT_EQ(scheduler->Pick(0b10100), 2U);
  EXPECT_EQ(scheduler->Pick(0b10101), 2U);
  EXPECT_EQ(scheduler->Pick(0b10001), 0U);
}

TEST(WarpScheduler, GtoTakesTheOldestNotTheLowestSlot) {
  const auto scheduler = FindWarpScheduler("gto").make();
  for (uint32_t warp : {6U, 4U, 2U}) scheduler->Started(warp);
  EXPECT_EQ(scheduler->Pick(0b1010100), 6U);
  scheduler->Finished(6);
  EXPECT_EQ(scheduler->Pick(0b0010100), 4U);
  scheduler->Started(6);  // a new warp in the same slot is the youngest
  EXPECT_EQ(scheduler->Pick(0b1000100), 2U);
}

TEST(WarpScheduler, LrrGoesRound) {
  const auto scheduler = FindWarpScheduler("lrr").make();
  for (uint32_t warp : {1U, 5U, 63U}) scheduler->Started(warp);
  const uint64_t all = (uint64_t{1} << 63) | 0b100010;
  EXPECT_EQ(scheduler->Pick(all), 1U);
  EXPECT_EQ(scheduler->Pick(all), 5U);
  EXPECT_EQ(scheduler->Pick(all), 63U);
  EXPECT_EQ(scheduler->Pick(all), 1U);
  EXPECT_EQ(scheduler->Pick(0b10), 1U);
}

TEST(WarpScheduler, AnUnknownNameListsTheKnownOnes) {
  EXPECT_EQ(BadInputMessage([] { FindWarpScheduler("oldest"); }),
            "unknown warp scheduler 'oldest': expected one of lrr, gto");
}

}  // namespace
}  // namespace flagstone
