// Counting different numbers.
#include "app/order/distinct.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace flagstone::order {
namespace distinct_test {

TEST(Distinct, CountsEachNumberOnceWhileItGrows) {
  Distinct distinct;
  for (int turn = 0; turn < 2; ++turn) {
    SplitMix64 random(7);
    for (int i = 0; i < 10'000; ++i) EXPECT_EQ(distinct.Insert(random.Next()), turn == 0);
  }
  EXPECT_EQ(distinct.count(), 10'000U);
}

TEST(Distinct, TellsNumbersApartThatFallIntoOnePlace) {
  Distinct distinct;
  EXPECT_TRUE(distinct.Insert(0));
  EXPECT_TRUE(distinct.Insert(2));
  EXPECT_FALSE(distinct.Insert(0));
  EXPECT_EQ(distinct.count(), 2U);
}

}  // namespace distinct_test
}  // namespace flagstone::order
