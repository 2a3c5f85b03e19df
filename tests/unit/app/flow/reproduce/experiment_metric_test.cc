// Figures of experiments that are more than a statistic.
#include "app/flow/reproduce/experiment_metric.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace experiment_metric_test {

Json Launch(const Json& prediction) { return {{"analysis", {{"prediction", prediction}}}}; }
Json Predicted(const char* runs, double lrr_cycles, double cycles) {
  return {{"runs", runs}, {"lrr_cycles", lrr_cycles}, {"cycles", cycles}};
}

const ExperimentMetric kPredicted = {
    .key = "cycles", .relative = ExperimentMetric::Relative::kPredicted, .tolerance = std::nullopt};

TEST(PredictedSpeedUp, IsThatOfWhatRunsInEachLaunch) {
  const Json run = {
      {"launches", {Launch(Predicted("kway", 100, 50)), Launch(Predicted("lrr", 100, 300))}}};
  EXPECT_DOUBLE_EQ(kPredicted.Value(run, nullptr).value(), 200.0 / 150);
}

TEST(PredictedSpeedUp, IsUndefinedUnderOtherPolicies) {
  const Json run = {{"launches", {Launch(Predicted("kway", 100, 50)), Launch(nullptr)}}};
  EXPECT_FALSE(kPredicted.Value(run, nullptr));
}

TEST(Figures, OfTheLastLaunchAlone) {
  ExperimentMetric cycles = {
      .key = "cycles", .relative = ExperimentMetric::Relative::kNone, .tolerance = std::nullopt};
  const Json run = {{"totals", {{"cycles", 130}}},
                    {"launches", {{{"cycles", 100}}, {{"cycles", 30}}}}};
  EXPECT_EQ(cycles.Value(run, nullptr), 130);
  cycles.last_launch = true;
  EXPECT_EQ(cycles.Value(run, nullptr), 30);
}

}  // namespace experiment_metric_test
}  // namespace flagstone
