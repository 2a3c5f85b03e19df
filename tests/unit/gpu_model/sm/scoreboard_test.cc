#include "gpu_model/sm/scoreboard.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace scoreboard_test {

InstructionInfo Make(std::vector<uint16_t> destinations, std::vector<uint16_t> sources) {
  InstructionInfo info;
  for (uint16_t reg : destinations) info.destinations[info.destination_count++] = reg;
  for (uint16_t reg : sources) info.sources[info.source_count++] = reg;
  return info;
}

TEST(Scoreboard, BlocksReadersAndWritersOfAPendingRegister) {
  const std::vector<InstructionInfo> infos = {Make({70}, {1}), Make({2}, {70}), Make({70}, {3}),
                                              Make({4}, {5})};
  Scoreboard scoreboard(infos, 80, 2);
  EXPECT_FALSE(scoreboard.Blocked(0, 1));
  scoreboard.Reserve(0, 0);
  EXPECT_TRUE(scoreboard.Blocked(0, 1));   // reads it
  EXPECT_TRUE(scoreboard.Blocked(0, 2));   // writes it
  EXPECT_FALSE(scoreboard.Blocked(0, 3));  // has nothing to do with it
  EXPECT_FALSE(scoreboard.Blocked(1, 1));  // another warp's register
  scoreboard.Release(0, 0);
  EXPECT_FALSE(scoreboard.Blocked(0, 1));
  EXPECT_TRUE(scoreboard.Clear(0));
}

}  // namespace scoreboard_test
}  // namespace flagstone
