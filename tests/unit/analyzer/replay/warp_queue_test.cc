#include "analyzer/replay/warp_queue.h"

#include <gtest/gtest.h>

namespace flagstone::replay {
namespace warp_queue_test {

TEST(WarpQueue, TakesTheLastOneAgainAndThenTheOldest) {
  WarpQueue queue(true);
  for (const uint32_t place : {63U, 2U, 5U}) queue.Begin(place);
  for (const uint32_t place : {5U, 2U, 63U}) queue.Add(place);
  EXPECT_EQ(queue.Take(), 63U);
  EXPECT_EQ(queue.Take(), 2U);
  queue.Add(2);
  EXPECT_EQ(queue.Take(), 2U);
  EXPECT_EQ(queue.Take(), 5U);
  EXPECT_TRUE(queue.IsEmpty());
}

// While others wait.
TEST(WarpQueue, WhoBeginsAnewIsTheYoungest) {
  WarpQueue queue(true);
  for (const uint32_t place : {0U, 1U, 2U, 3U}) queue.Begin(place);
  for (const uint32_t place : {3U, 2U, 0U}) queue.Add(place);
  queue.Begin(1);
  queue.Add(1);
  for (const uint32_t place : {0U, 2U, 3U, 1U}) EXPECT_EQ(queue.Take(), place);
}

TEST(WarpQueue, TakesOneAfterTheOtherInTurn) {
  WarpQueue queue(false);
  for (const uint32_t place : {5U, 2U, 63U}) queue.Add(place);
  EXPECT_EQ(queue.Take(), 2U);
  queue.Add(2);
  EXPECT_EQ(queue.Take(), 5U);
  EXPECT_EQ(queue.Take(), 63U);
  EXPECT_EQ(queue.Take(), 2U);
}

}  // namespace warp_queue_test
}  // namespace flagstone::replay
