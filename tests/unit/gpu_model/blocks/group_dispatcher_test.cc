#include "gpu_model/blocks/tb_scheduler/paver/group_dispatcher.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace group_dispatcher_test {

TEST(GroupDispatcher, WalksTheQueueInStepsOf16Bytes) {
  GroupDispatcher dispatcher(2, 4);
  dispatcher.Start(0x1000, 2);
  EXPECT_FALSE(dispatcher.Exhausted());
  EXPECT_EQ(dispatcher.FetchAddress(), 0x1000u);
  dispatcher.GrantFetch();
  EXPECT_EQ(dispatcher.FetchAddress(), 0x1010u);
  dispatcher.GrantFetch();
  EXPECT_FALSE(dispatcher.WantsFetch());
}

TEST(GroupDispatcher, FetchesOnlyAsFarAheadAsItCanHold) {
  GroupDispatcher dispatcher(2, 4);
  dispatcher.Start(0, 100);
  uint32_t granted = 0;
  for (; dispatcher.WantsFetch(); ++granted) dispatcher.GrantFetch();
  EXPECT_EQ(granted, 4u);
  dispatcher.TakeDescriptor({0x100, 0x102});
  EXPECT_FALSE(dispatcher.WantsFetch());
  dispatcher.HandOut(0);
  EXPECT_TRUE(dispatcher.WantsFetch());
}

TEST(GroupDispatcher, HandsGroupsOutInOrderRoundRobinToSmsThatHoldNone) {
  GroupDispatcher dispatcher(3, 4);
  dispatcher.Start(0, 4);
  for (uint64_t i = 0; i < 4; ++i) {
    dispatcher.GrantFetch();
    dispatcher.TakeDescriptor({0x100 * i, 0x100 * i});
  }
  const std::vector<std::pair<uint64_t, uint32_t>> held_and_expected = {
      {0b000, 0}, {0b001, 1}, {0b111, kNoSm}, {0b011, 2}, {0b101, 1}};
  uint64_t group = 0;
  for (const auto& [held, expected] : held_and_expected) {
    EXPECT_EQ(dispatcher.NextSm({held, 0}), expected);
    if (expected == kNoSm) continue;
    EXPECT_EQ(dispatcher.HandOut(expected).first, 0x100 * group++);
  }
  EXPECT_TRUE(dispatcher.Exhausted());
}

TEST(GroupDispatcher, DropsEmptyGroups) {
  GroupDispatcher dispatcher(2, 4);
  dispatcher.Start(0, 2);
  dispatcher.GrantFetch();
  dispatcher.GrantFetch();
  dispatcher.TakeDescriptor({0x100, 0xfe});
  EXPECT_EQ(dispatcher.NextSm({0, 0}), kNoSm);
  ASSERT_TRUE(dispatcher.Drops());
  dispatcher.Drop();
  EXPECT_FALSE(dispatcher.Drops());
  EXPECT_FALSE(dispatcher.Exhausted());
  dispatcher.TakeDescriptor({0x200, 0x200});
  ASSERT_EQ(dispatcher.NextSm({0, 0}), 0u);
  EXPECT_EQ(dispatcher.HandOut(0).first, 0x200u);
  EXPECT_TRUE(dispatcher.Exhausted());
}

TEST(GroupDispatcher, BeginsEachKernelAtSm0) {
  GroupDispatcher dispatcher(3, 4);
  for (int kernel = 0; kernel < 2; ++kernel) {
    dispatcher.Start(0, 1);
    dispatcher.GrantFetch();
    dispatcher.TakeDescriptor({0, 0});
    EXPECT_EQ(dispatcher.NextSm({0, 0}), 0u);
    dispatcher.HandOut(0);
  }
}

TEST(GroupDispatcher, IsExhaustedWithoutDescriptors) {
  GroupDispatcher dispatcher(1, 4);
  dispatcher.Start(0x1000, 0);
  EXPECT_TRUE(dispatcher.Exhausted());
  EXPECT_FALSE(dispatcher.WantsFetch());
}

}  // namespace group_dispatcher_test
}  // namespace flagstone
