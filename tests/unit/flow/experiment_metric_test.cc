// Figures of experiments that are more than a statistic.
#include "flow/experiment_metric.h"

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

}  // namespace experiment_metric_test
}  // namespace flagstone
