#include "analyzer/replay/event_wheel.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "base/random.h"

namespace flagstone::replay {
namespace event_wheel_test {

TEST(EventWheel, HasTheOneThatCameFirstOfThoseInOneCycle) {
  EventWheel wheel(3);
  wheel.Push(2, 5.5);
  wheel.Push(0, 5.25);
  wheel.Push(1, 4);
  EXPECT_EQ(wheel.Pop(), 1U);
  EXPECT_EQ(wheel.Pop(), 2U);
  EXPECT_EQ(wheel.Pop(), 0U);
  EXPECT_TRUE(wheel.IsEmpty());
}

// Against a search among all of them; times go beyond one turn of the wheel.
TEST(EventWheel, HasTheEarliestCycleOfAnyThatComeAndGo) {
  SplitMix64 random(7);
  EventWheel wheel(50);
  std::map<uint32_t, double> all;
  double now = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto player = static_cast<uint32_t>(random.Below(50));
    if (!all.contains(player)) {
      const uint64_t reach = random.Below(8) == 0 ? 20'000 : 100;
      all[player] = now + static_cast<double>(random.Below(4 * reach)) / 4;
      wheel.Push(player, all[player]);
      continue;
    }
    const uint32_t next = wheel.Pop();
    for (const auto& [other, time] : all) {
      ASSERT_LE(static_cast<uint64_t>(all.at(next)), static_cast<uint64_t>(time)) << other;
    }
    ASSERT_EQ(wheel.time(next), all.at(next));
    now = std::max(now, all.at(next));
    all.erase(next);
    ASSERT_EQ(wheel.IsEmpty(), all.empty());
  }
}

}  // namespace event_wheel_test
}  // namespace flagstone::replay
