#include "base/pattern.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace pattern_test {

TEST(Pattern, IsFoundAnywhereInALine) {
  const std::optional<Pattern> pattern = Pattern::Of("gemm_(nn|tt)[0-9]+");
  ASSERT_TRUE(pattern);
  EXPECT_TRUE(pattern->IsIn("void gemm_tt32(float*)"));
  EXPECT_FALSE(pattern->IsIn("gemm_nt32"));
}

TEST(Pattern, MayBeHeldToTheEndsOfALine) {
  const std::optional<Pattern> pattern = Pattern::Of("^done$");
  ASSERT_TRUE(pattern);
  EXPECT_TRUE(pattern->IsIn("done"));
  EXPECT_FALSE(pattern->IsIn("not done"));
}

TEST(Pattern, IsNoneOfTextThatIsNotAnExpression) {
  EXPECT_FALSE(Pattern::Of("a(b"));
  EXPECT_FALSE(Pattern::Of("a["));
}

}  // namespace pattern_test
}  // namespace flagstone
