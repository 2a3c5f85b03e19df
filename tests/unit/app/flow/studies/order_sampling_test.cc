// Parts of launches that are looked at.
#include "app/flow/studies/order_sampling.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace order_sampling_test {

TEST(SampleLaunch, LooksAtTwoWindowsOfALargeGrid) {
  const OrderSampling sampling = SampleLaunch(1'000'000, 10'000, 50, 8, 1, 100);
  EXPECT_EQ(sampling.tbs, 20'000U);
  EXPECT_EQ(sampling.parts, 1U);
}

TEST(SampleLaunch, LooksAtAllOfASmallGridInParts) {
  const OrderSampling sampling = SampleLaunch(100, 10, 50, 8, 1, 1);
  EXPECT_EQ(sampling.tbs, 100U);
  EXPECT_EQ(sampling.parts, 8U);
}

TEST(SampleLaunch, SharesTheStepsAmongLoopsThatFollowOneAnother) {
  const OrderSampling one = SampleLaunch(1000, 10, 50, 1, 1, 100);
  const OrderSampling two = SampleLaunch(1000, 10, 50, 1, 2, 100);
  EXPECT_EQ(one.steps, 2 * two.steps);
  EXPECT_EQ(two.tbs, 1000U);
}

TEST(SampleLaunch, GivesOneOrderNoMoreThanEachOfAFewGets) {
  EXPECT_EQ(SampleLaunch(10'000, 10, 1, 1, 1, 1000).steps,
            SampleLaunch(10'000, 10, 10, 1, 1, 1000).steps);
  EXPECT_GT(SampleLaunch(1000, 10, 20, 1, 1, 1000).steps,
            SampleLaunch(1000, 10, 100, 1, 1, 1000).steps);
}

TEST(TbsOfAny, HasEachOnceInAscendingOrder) {
  EXPECT_EQ(TbsOfAny({{7, 0, 3}, {3, 2, 7}}, 8), (std::vector<uint32_t>{0, 2, 3, 7}));
  EXPECT_TRUE(TbsOfAny({}, 8).empty());
}

TEST(MostUnits, LeavesEachOrderItsShareOfTheTouches) {
  EXPECT_EQ(MostUnits(3000, 1000, 50), 3 * MostUnits(1000, 1000, 50));
  EXPECT_EQ(MostUnits(1000, 1000, 10), 5 * MostUnits(1000, 1000, 50));
  EXPECT_GE(MostUnits(1, 1'000'000, 1000), 1U);
}

// Of the last 1000 bytes that were copied, 600 are those of the last buffer.
TEST(WarmFrom, IsWhereTheEndOfTheBuffersBegins) {
  DeviceMemory memory;
  const uint64_t first = memory.Allocate("first", 5000);
  const uint64_t last = memory.Allocate("last", 600);
  EXPECT_EQ(WarmFrom(memory, 1000), first + 4600);
  EXPECT_EQ(WarmFrom(memory, 600), last);
  EXPECT_EQ(WarmFrom(memory, 1 << 20), 0U);
}

}  // namespace order_sampling_test
}  // namespace flagstone
