#include "base/pearson.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace pearson_test {

TEST(Pearson, IsOneOnALineAndMinusOneOnAFallingOne) {
  EXPECT_DOUBLE_EQ(*Pearson({1, 2, 4}, {10, 20, 40}), 1);
  EXPECT_DOUBLE_EQ(*Pearson({1, 2, 4}, {-3, -5, -9}), -1);
}

TEST(Pearson, IsTheCovarianceOverBothDeviations) {
  EXPECT_DOUBLE_EQ(*Pearson({1, 2, 3, 4}, {2, 1, 4, 3}), 0.6);
}

TEST(Pearson, IsNoneWhereNothingFollows) {
  EXPECT_FALSE(Pearson({1, 2}, {1, 2})) << "two points always lie on a line";
  EXPECT_FALSE(Pearson({1, 1, 1}, {1, 2, 3}));
}

}  // namespace pearson_test
}  // namespace flagstone
