#include "app/order/tournament.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "base/random.h"

namespace flagstone::order {
namespace tournament_test {

TEST(Tournament, IsEmptyUntilSomeoneTakesPartAndWhenAllHaveLeft) {
  Tournament tournament(3);
  EXPECT_TRUE(tournament.IsEmpty());
  tournament.Set(2, 0, 0);
  ASSERT_FALSE(tournament.IsEmpty());
  EXPECT_EQ(tournament.player(), 2U);
  tournament.Remove(2);
  EXPECT_TRUE(tournament.IsEmpty());
}

TEST(Tournament, PutsTheOldestFirstOfThoseAtOneTimeAndThenTheLowestNumber) {
  Tournament tournament(4);
  for (const auto& [player, age] : {std::pair{0U, 7U}, {1U, 5U}, {3U, 5U}}) {
    tournament.Set(player, 2.5, age);
  }
  EXPECT_EQ(tournament.player(), 1U);
  EXPECT_EQ(tournament.age(), 5U);
  EXPECT_EQ(tournament.time(), 2.5);
  tournament.Remove(1);
  EXPECT_EQ(tournament.player(), 3U);
  tournament.Set(0, 2.25, 7);
  EXPECT_EQ(tournament.player(), 0U);
}

// Against a search among all of them.
TEST(Tournament, HasTheEarliestOfAnyThatComeChangeAndLeave) {
  SplitMix64 random(5);
  for (const uint32_t players : {1U, 2U, 7U, 8U, 65U}) {
    Tournament tournament(players);
    std::map<uint32_t, std::pair<double, uint32_t>> all;  // time and age
    for (int i = 0; i < 500; ++i) {
      const auto player = static_cast<uint32_t>(random.Next() % players);
      if (random.Next() % 4 == 0) {
        tournament.Remove(player);
        all.erase(player);
      } else {
        const double time = static_cast<double>(random.Next() % 64) / 8;
        const auto age = static_cast<uint32_t>(random.Next() % 4);
        tournament.Set(player, time, age);
        all[player] = {time, age};
      }
      ASSERT_EQ(tournament.IsEmpty(), all.empty());
      if (all.empty()) continue;
      const auto key = [](const auto& one) {
        return std::tuple(one.second.first, one.second.second, one.first);
      };
      auto first = all.begin();
      for (auto at = all.begin(); at != all.end(); ++at) {
        if (key(*at) < key(*first)) first = at;
      }
      ASSERT_EQ(tournament.player(), first->first);
      ASSERT_EQ(tournament.time(), first->second.first);
      ASSERT_EQ(tournament.age(), first->second.second);
    }
  }
}

}  // namespace tournament_test
}  // namespace flagstone::order
