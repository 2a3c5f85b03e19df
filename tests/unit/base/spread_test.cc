#include "base/spread.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace spread_test {

Spread Of(const std::vector<double>& values) { return Spread::Of(values); }

TEST(Spread, HasTheMeanAndTheSamplesDeviation) {
  const Spread spread = Of({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_NEAR(spread.deviation, 2.16025, 1e-5);  // the root of 14 / 3
  EXPECT_EQ(spread.count, 4U);
}

TEST(Spread, OfOneValueHasNoDeviation) {
  EXPECT_DOUBLE_EQ(Of({1.5}).mean, 1.5);
  EXPECT_EQ(Of({1.5}).deviation, 0);
  EXPECT_EQ(Of({}).count, 0U);
}

TEST(Spread, IsEqualWhereOneIsLessThanTwoDeviationsAway) {
  EXPECT_TRUE((Spread{1.03, 0.02, 5}.IsEqual()));
  EXPECT_TRUE((Spread{0.97, 0.02, 5}.IsEqual()));
  EXPECT_FALSE((Spread{1.05, 0.02, 5}.IsEqual()));
  EXPECT_FALSE((Spread{0.95, 0.02, 5}.IsEqual()));
  EXPECT_FALSE((Spread{1, 0, 1}.IsEqual()));
}

TEST(Spread, ShowsTheDigitsThatItsDeviationAllows) {
  EXPECT_EQ((Spread{1.5283, 0.0213, 5}.ToText(3)), "1.53 ±0.02");
  EXPECT_EQ((Spread{1.5283, 0.0004, 5}.ToText(3)), "1.5283 ±0.0004");
  EXPECT_EQ((Spread{1.5283, 0.0096, 5}.ToText(3)), "1.53 ±0.01");
  EXPECT_EQ((Spread{386231, 1234, 5}.ToText(0)), "386,000 ±1,000");
  EXPECT_EQ((Spread{386231, 3.2, 5}.ToText(0)), "386,231 ±3");
  EXPECT_EQ((Spread{12.3, 31, 5}.ToText(1)), "10 ±30");
  EXPECT_EQ((Spread{-0.25, 0.1, 5}.ToText(1)), "-0.3 ±0.1");
}

TEST(Spread, WithoutADeviationShowsTheDigitsAskedFor) {
  EXPECT_EQ((Spread{1.5283, 0, 1}.ToText(3)), "1.528");
  EXPECT_EQ((Spread{386231, 0, 1}.ToText(0)), "386,231");
}

TEST(StudentT, FallsToTheNormalQuantile) {
  EXPECT_DOUBLE_EQ(StudentT(1), 12.706);
  EXPECT_DOUBLE_EQ(StudentT(3), 3.182);
  EXPECT_DOUBLE_EQ(StudentT(15), 2.131);
  EXPECT_DOUBLE_EQ(StudentT(16), 1.960);
}

}  // namespace spread_test
}  // namespace flagstone
