// What is no constant expression says where and what was expected.
// tests/unit/conformance/compiler_forms_test.cc has their values.
#include "kernels/ptx/constant_expression.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/kernels/ptx/ptx_text.h"

namespace flagstone::ptx {
namespace constant_expression_test {

Constant Parse(const std::string& text) {
  const std::string file = "k.ptx";
  Lexer lexer(text, file);
  return ParseConstant(&lexer, "a number");
}

TEST(ConstantExpression, KeepsTypesAsTheIsaHasThem) {
  EXPECT_EQ(Parse("1").type, Type::kS64);
  EXPECT_EQ(Parse("1U").type, Type::kU64);
  EXPECT_EQ(Parse("1 & 3").type, Type::kU64);
  EXPECT_EQ(Parse("~1").type, Type::kU64);
  EXPECT_EQ(Parse("1U < 2").type, Type::kS64);
  EXPECT_EQ(Parse("(.s64)~1 >> 1").bits, ~uint64_t{0});
  EXPECT_EQ(Parse("0f3F800000").type, Type::kF32);
  EXPECT_EQ(Parse("0f3F800000 + 0.5").type, Type::kF64);
  EXPECT_TRUE(Parse("0f3F800000 + 0.5").decimal);
  EXPECT_EQ(Parse("1 << 64").bits, 0U);
  EXPECT_EQ(Parse("-8 >> 70").bits, ~uint64_t{0});
  EXPECT_EQ(Parse("-9223372036854775808 / -1").bits, uint64_t{1} << 63);
}

TEST(ConstantExpression, NamesWhatIsWrong) {
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, 4/0;"), "k.ptx:2:15: expected a divisor other than 0");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, (4;"),
            "k.ptx:2:16: expected ')' after a constant expression, found ';'");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, (.u32)4;"),
            "k.ptx:2:15: expected '.s64' or '.u64' as a cast, found '.u32'");
  EXPECT_EQ(ErrorInBody("mov.f32 %f1, 1.0+2;"),
            "k.ptx:2:17: expected two integers or two floats at '+'");
  EXPECT_EQ(ErrorInBody("mov.f32 %f1, 1.0 % 2.0;"), "k.ptx:2:18: expected integers at '%'");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, 1?2;"),
            "k.ptx:2:17: expected ':' after the first value of '?', found ';'");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, 1+;"), "k.ptx:2:16: expected a number, found ';'");
  EXPECT_EQ(ErrorInBody("ld.global.u32 %r1, [%rd1+1.5];"),
            "k.ptx:2:26: expected an offset in bytes, found a float");
  EXPECT_EQ(ErrorInBody("mov.u32 %r1, " + std::string(65, '(') + "1;"),
            "k.ptx:2:78: expected at most 64 parts of a constant in one another");
}

}  // namespace constant_expression_test
}  // namespace flagstone::ptx
