#include "kernels/ptx/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flagstone::ptx {
namespace lexer_test {

using ::testing::ElementsAre;
using Kind = Token::Kind;

const std::string kFile = "k.ptx";

std::vector<std::string> Texts(std::string_view text) {
  Lexer lexer(text, kFile);
  std::vector<std::string> texts;
  while (lexer.Peek().kind != Kind::kEnd) texts.emplace_back(lexer.Take().text);
  return texts;
}

Kind KindOf(std::string_view text) {
  Lexer lexer(text, kFile);
  const Token token = lexer.Take();
  EXPECT_EQ(token.text, text);
  return token.kind;
}

TEST(Lexer, SplitsAnInstructionAtItsDotsAndMarks) {
  EXPECT_THAT(Texts("@!%p1 ld.global.L2::128B.v2.f32 {%f1,_}, [%rd4+-8];"),
              ElementsAre("@", "!", "%p1", "ld", ".global", ".L2::128B", ".v2", ".f32", "{", "%f1",
                          ",", "_", "}", ",", "[", "%rd4", "+", "-", "8", "]", ";"));
}

TEST(Lexer, TellsTheKindsOfTokensApart) {
  EXPECT_EQ(KindOf("$L__BB0_1"), Kind::kIdentifier);
  EXPECT_EQ(KindOf("%tid"), Kind::kIdentifier);
  EXPECT_EQ(KindOf(".1d"), Kind::kDirective);
  EXPECT_EQ(KindOf("0x1Fu"), Kind::kInvalid);
  EXPECT_EQ(KindOf("0x1FU"), Kind::kInteger);
  EXPECT_EQ(KindOf("0b101"), Kind::kInteger);
  EXPECT_EQ(KindOf("017"), Kind::kInteger);
  EXPECT_EQ(KindOf("019"), Kind::kInvalid);
  EXPECT_EQ(KindOf("12ab"), Kind::kInvalid);
  EXPECT_EQ(KindOf("0f3F800000"), Kind::kFloat);
  EXPECT_EQ(KindOf("0f3F8000"), Kind::kInvalid);
  EXPECT_EQ(KindOf("0D3ff0000000000000"), Kind::kFloat);
  EXPECT_EQ(KindOf("1.5e-3"), Kind::kFloat);
  EXPECT_EQ(KindOf("1e"), Kind::kInvalid);
  EXPECT_EQ(KindOf("\"a \\\" b\""), Kind::kString);
  for (const char* const text : {"%", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"}) {
    EXPECT_EQ(KindOf(text), Kind::kPunctuation) << text;
  }
  EXPECT_EQ(KindOf(std::string_view("\0", 1)), Kind::kInvalid);
}

TEST(Lexer, CountsLinesAndColumnsThroughCommentsAndCarriageReturns) {
  Lexer lexer("a // b\r\n /* c\n d */ e\r\n\tf", kFile);
  const Token a = lexer.Take();
  const Token e = lexer.Take();
  const Token f = lexer.Take();
  EXPECT_EQ(a.location.line, 1);
  EXPECT_EQ(a.location.column, 1);
  EXPECT_EQ(e.text, "e");
  EXPECT_EQ(e.location.line, 3);
  EXPECT_EQ(e.location.column, 7);
  EXPECT_EQ(f.location.line, 4);
  EXPECT_EQ(f.location.column, 2);
  EXPECT_EQ(lexer.Peek().kind, Kind::kEnd);
}

TEST(Lexer, RefusesACommentOrStringThatDoesNotEnd) {
  EXPECT_THROW(Texts("a /* b"), Error);
  EXPECT_THROW(Texts("\"a\nb\""), Error);
  EXPECT_THROW(Texts("\"a\\\nb\""), Error);
  EXPECT_THROW(Texts("\"a"), Error);
}

TEST(Lexer, ReadsIntegersOfEveryBaseUpTo64Bits) {
  const auto value = [](std::string_view text) {
    uint64_t result = 0;
    EXPECT_TRUE(ParseInteger(text, &result)) << text;
    return result;
  };
  EXPECT_EQ(value("0"), 0U);
  EXPECT_EQ(value("42U"), 42U);
  EXPECT_EQ(value("0xfFU"), 255U);
  EXPECT_EQ(value("0b110"), 6U);
  EXPECT_EQ(value("017"), 15U);
  EXPECT_EQ(value("18446744073709551615"), UINT64_MAX);
  uint64_t unused = 0;
  EXPECT_FALSE(ParseInteger("18446744073709551616", &unused));
  EXPECT_FALSE(ParseInteger("0x10000000000000000", &unused));
}

TEST(Lexer, QuotesOnOneLineWithoutControlBytes) {
  EXPECT_EQ(Quote(std::string_view("a\n\0\xFF", 4)), "'a\\x0A\\x00\\xFF'");
  EXPECT_EQ(Quote(std::string(100, 'x')), "'" + std::string(80, 'x') + "...'");
}

TEST(Lexer, FoldsWhiteSpaceAndCommentsOfATextToSingleBlanks) {
  Lexer lexer("add.s32 \t%r1,\n  /* c */ %r2; rest", kFile);
  const Token begin = lexer.Take();
  while (!lexer.Peek().Is(";")) lexer.Take();
  EXPECT_EQ(lexer.FoldedText(begin), "add.s32 %r1, %r2");
}

}  // namespace lexer_test
}  // namespace flagstone::ptx
