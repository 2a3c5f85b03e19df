#include "app/order/ranking.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace ranking_test {

Replayed Predict(double cycles, double l2_bytes, double dram_bytes) {
  Replayed replayed;
  replayed.cycles = cycles;
  replayed.l2_reads = l2_bytes;
  replayed.dram_reads = dram_bytes;
  return replayed;
}

TEST(Ranking, ByTimeUnlessALevelIsAskedFor) {
  const Replayed identity = Predict(1000, 600, 100), order = Predict(800, 300, 200);
  EXPECT_DOUBLE_EQ(Score(order, identity, OrderLevel::kBoth), 0.8);
  EXPECT_DOUBLE_EQ(Score(order, identity, OrderLevel::kL1), 0.5);
  EXPECT_DOUBLE_EQ(Score(order, identity, OrderLevel::kL2), 2.0);
}

TEST(Ranking, IdentityStandsBeforeGainsThatAreNoLargerThanTheError) {
  EXPECT_LT(kScoreOfIdentity, 1.0);
  EXPECT_GT(kScoreOfIdentity, 0.8);
}

TEST(Ranking, OfNothingMovedIsEqual) {
  EXPECT_DOUBLE_EQ(Score(Predict(1, 0, 0), Predict(1, 0, 0), OrderLevel::kL1), 1.0);
}

}  // namespace ranking_test
}  // namespace flagstone
