#include "app/cli/table.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace table_test {

TEST(Table, AlignsWordsLeftAndNumbersRight) {
  Table table;
  table.AddColumn("name", Table::Align::kLeft);
  table.AddColumn("n", Table::Align::kRight);
  table.AddRow({"a", "1,000"});
  table.AddRule();
  table.AddRow({"longer", "2"});
  EXPECT_EQ(table.ToString(),
            "name        n\n"
            "------  -----\n"
            "a       1,000\n"
            "------  -----\n"
            "longer      2\n");
}

TEST(Table, GroupsDigitsInThrees) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
}

}  // namespace table_test
}  // namespace flagstone
