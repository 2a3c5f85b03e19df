#include "gpu_model/sm/wakeup_wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/random.h"

namespace flagstone {
namespace wakeup_wheel_test {

std::vector<int> TakeAll(WakeupWheel<int>* wheel, uint64_t now) {
  std::vector<int> events;
  wheel->Take(now, [&](int event) { events.push_back(event); });
  return events;
}

TEST(WakeupWheel, GivesEventsBackInTheirCycleInTheOrderAdded) {
  WakeupWheel<int> wheel(100, 10);
  wheel.Add(5, 1);
  wheel.Add(5, 2);
  wheel.Add(100, 3);
  EXPECT_EQ(wheel.NextCycle(0), 5U);
  EXPECT_EQ(TakeAll(&wheel, 4), std::vector<int>{});
  EXPECT_EQ(TakeAll(&wheel, 5), (std::vector<int>{1, 2}));
  EXPECT_EQ(wheel.NextCycle(5), 100U);
  EXPECT_EQ(TakeAll(&wheel, 100), std::vector<int>{3});
  EXPECT_EQ(wheel.NextCycle(100), kNever);
}

TEST(WakeupWheel, AgreesWithASortedMapOverManyTurns) {
  WakeupWheel<int> wheel(333, 64);
  std::map<uint64_t, std::vector<int>> expected;
  SplitMix64 random(1);
  uint64_t now = 0;
  for (int i = 0; i < 5000; ++i) {
    while (!wheel.full() && random.Below(3) != 0) {
      const uint64_t cycle = now + 1 + random.Below(333);
      wheel.Add(cycle, i);
      expected[cycle].push_back(i);
    }
    const uint64_t next = expected.empty() ? kNever : expected.begin()->first;
    ASSERT_EQ(wheel.NextCycle(now), next);
    if (next == kNever) continue;
    now = random.Below(4) == 0 && next > now + 1 ? next - 1 : next;
    const std::vector<int> here = expected.contains(now) ? expected[now] : std::vector<int>{};
    expected.erase(now);
    ASSERT_EQ(TakeAll(&wheel, now), here);
  }
}

}  // namespace wakeup_wheel_test
}  // namespace flagstone
