#include "app/order/ranking.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace ranking_test {

constexpr double kMiB = 1 << 20;

// `dram_share`: of the time, that the DRAM is busy.
Prediction Predict(double cycles, double l2_mib, double dram_mib, double dram_share) {
  Prediction prediction;
  prediction.cycles = cycles;
  prediction.traffic.l2_reads = l2_mib * kMiB;
  prediction.traffic.dram_reads = dram_mib * kMiB;
  prediction.bounds.of[static_cast<size_t>(Level::kDram)] = dram_share * cycles;
  prediction.bounds.of[static_cast<size_t>(Level::kL2)] = cycles;
  return prediction;
}

bool Gains(const Prediction& order, const Prediction& identity) {
  return Score(order, identity, OrderLevel::kBoth) < kScoreOfIdentity;
}

TEST(Ranking, LessTimeAndLessDataIsAGain) {
  const Prediction identity = Predict(1e6, 600, 100, 0.9);
  EXPECT_TRUE(Gains(Predict(8e5, 600, 50, 0.5), identity));
  EXPECT_FALSE(Gains(identity, identity));
}

TEST(Ranking, DataThatAnIdleDramMovesAreNoReasonToBeSlower) {
  const Prediction identity = Predict(1e6, 600, 100, 0.04);
  EXPECT_FALSE(Gains(Predict(1.055e6, 600, 40, 0.02), identity));
  // The same where the DRAM is busy.
  EXPECT_TRUE(Gains(Predict(1.055e6, 600, 40, 0.5), Predict(1e6, 600, 100, 0.9)));
}

TEST(Ranking, AFewPerCentOfTimeAreNoGainButALoss) {
  const Prediction identity = Predict(1e6, 600, 100, 0.5);
  const Prediction faster = Predict(0.95e6, 560, 100, 0.5);
  EXPECT_FALSE(Gains(faster, identity));
  const Prediction slower = Predict(1.05e6, 600, 100, 0.5);
  EXPECT_GT(Score(slower, identity, OrderLevel::kBoth), 1.02);
}

TEST(Ranking, WhoWaitsForTheDramNeedsMoreOfAGainToLeaveItsRows) {
  const Prediction streams = Predict(1e6, 600, 100, 0.9), computes = Predict(1e6, 600, 100, 0.1);
  EXPECT_FALSE(Gains(Predict(1e6, 600, 85, 0.8), streams));
  EXPECT_TRUE(Gains(Predict(1e6, 600, 75, 0.7), streams));
  EXPECT_TRUE(Gains(Predict(1e6, 600, 85, 0.1), computes));
}

// The DRAM alone needs longer for the same data than the model took.
TEST(Ranking, LessDataInTheL2AreNoGainWhereTheDramNeedsMoreTime) {
  const Prediction identity = Predict(1e6, 600, 100, 1.25);
  EXPECT_FALSE(Gains(Predict(8e5, 480, 100, 1.56), identity));
  EXPECT_TRUE(Gains(Predict(8e5, 480, 100, 0.9), Predict(1e6, 600, 100, 0.9)));
}

TEST(Ranking, ByOneLevelGoesByItsDataAlone) {
  const Prediction identity = Predict(1e6, 600, 100, 0.5);
  EXPECT_DOUBLE_EQ(Score(Predict(2e6, 300, 200, 0.5), identity, OrderLevel::kL1), 0.5);
  EXPECT_DOUBLE_EQ(Score(Predict(2e6, 300, 200, 0.5), identity, OrderLevel::kL2), 2.0);
}

}  // namespace ranking_test
}  // namespace flagstone
