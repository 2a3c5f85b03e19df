#include "analyzer/ladm/polynomial.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace polynomial_test {

const Prime kX{Prime::Kind::kTid, 0};
const Prime kM{Prime::Kind::kCounter, 0};

TEST(Polynomial, MultipliesTermByTerm) {
  Polynomial sum(kX);
  sum.AddScaled(Polynomial(3), 1);
  Polynomial difference(kX);
  difference.AddScaled(Polynomial(3), -1);
  const Polynomial product = sum * difference;  // (x + 3)(x - 3) = x*x - 9
  EXPECT_EQ(product.terms().size(), 2U);
  EXPECT_EQ(product.terms().at({kX, kX}), 1);
  EXPECT_EQ(product.Constant(), -9);
}

TEST(Polynomial, DropsTermsThatCancel) {
  Polynomial zero(kX);
  zero.AddScaled(Polynomial(kX), -1);
  EXPECT_TRUE(zero.terms().empty());
  EXPECT_TRUE(zero.IsConstant());
  EXPECT_FALSE(Polynomial(kX).IsConstant());
}

TEST(Polynomial, SubstitutesInEachFactor) {
  Polynomial shifted(kM);
  shifted.AddScaled(Polynomial(1), 1);
  const Polynomial square = (Polynomial(kM) * Polynomial(kM)).Substitute(kM, shifted);
  EXPECT_EQ(square.terms().at({kM, kM}), 1);  // (m + 1)^2
  EXPECT_EQ(square.terms().at({kM}), 2);
  EXPECT_EQ(square.Constant(), 1);
  EXPECT_FALSE(square.Substitute(kM, Polynomial(4)).Contains(kM));
  EXPECT_EQ(square.Substitute(kM, Polynomial(4)).Constant(), 25);
}

}  // namespace polynomial_test
}  // namespace flagstone
