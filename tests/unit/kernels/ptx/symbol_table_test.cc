#include "kernels/ptx/symbol_table.h"

#include <gtest/gtest.h>

namespace flagstone::ptx {
namespace symbol_table_test {

Symbol RegisterAt(RegisterId reg) { return {.kind = Symbol::Kind::kRegister, .reg = reg}; }

TEST(SymbolTable, FindsTheNumberOfARegisterInARange) {
  SymbolTable table;
  EXPECT_FALSE(table.DefineRange("%r", 12, RegisterAt(100)));
  EXPECT_EQ(table.Find("%r0")->reg, 100U);
  EXPECT_EQ(table.Find("%r11")->reg, 111U);
  EXPECT_FALSE(table.Find("%r12"));
  EXPECT_FALSE(table.Find("%r"));
  EXPECT_FALSE(table.Find("%r01"));
  EXPECT_FALSE(table.Find("%r99999999999999999999999"));
}

TEST(SymbolTable, FindsARangeWhosePrefixEndsInADigit) {
  SymbolTable table;
  EXPECT_FALSE(table.DefineRange("%r1", 4, RegisterAt(50)));
  EXPECT_EQ(table.Find("%r13")->reg, 53U);
  EXPECT_FALSE(table.Find("%r1"));
}

TEST(SymbolTable, InnerScopesHideOuterOnesUntilTheyClose) {
  SymbolTable table;
  table.Define("a", RegisterAt(1));
  table.Push();
  EXPECT_EQ(table.Find("a")->reg, 1U);
  EXPECT_FALSE(table.Define("a", RegisterAt(2)));
  EXPECT_EQ(table.Find("a")->reg, 2U);
  table.Pop();
  EXPECT_EQ(table.Find("a")->reg, 1U);
}

TEST(SymbolTable, ReportsTheEarlierDefinitionInTheSameScope) {
  SymbolTable table;
  Symbol first = RegisterAt(1);
  first.location = {7, 3};
  table.Define("%r5", first);
  EXPECT_EQ(table.Define("%r5", RegisterAt(2))->location.line, 7);
  EXPECT_EQ(table.DefineRange("%r", 6, RegisterAt(3))->location.line, 7);
  EXPECT_TRUE(table.DefineRange("%r", 2, RegisterAt(4)));
  EXPECT_TRUE(table.Define("%r3", RegisterAt(5)));
}

}  // namespace symbol_table_test
}  // namespace flagstone::ptx
