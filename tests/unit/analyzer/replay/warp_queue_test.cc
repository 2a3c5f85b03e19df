#include "analyzer/replay/warp_queue.h"

#include <gtest/gtest.h>

namespace flagstone::replay {
namespace warp_queue_test {

TEST(WarpQueue, TakesTheLastOneAgainAndThenTheOldest) {
  WarpQueue queue(true);
  queue.Add(5, 30);
  queue.Add(2, 20);
  queue.Add(63, 10);
  EXPECT_EQ(queue.Take(), 63U);
  EXPECT_EQ(queue.Take(), 2U);
  queue.Add(2, 40);
  EXPECT_EQ(queue.Take(), 2U);
  EXPECT_EQ(queue.Take(), 5U);
  EXPECT_TRUE(queue.IsEmpty());
}

TEST(WarpQueue, TakesOneAfterTheOtherInTurn) {
  WarpQueue queue(false);
  for (const uint32_t place : {5U, 2U, 63U}) queue.Add(place, 0);
  EXPECT_EQ(queue.Take(), 2U);
  queue.Add(2, 0);
  EXPECT_EQ(queue.Take(), 5U);
  EXPECT_EQ(queue.Take(), 63U);
  EXPECT_EQ(queue.Take(), 2U);
}

}  // namespace warp_queue_test
}  // namespace flagstone::replay
