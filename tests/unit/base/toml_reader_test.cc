#include "base/toml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace toml_reader_test {

// Reads one key from a small file with `read(reader)` and gives the message of the error.
template <class Read>
std::string MessageFor(std::string_view text, Read&& read) {
  const toml::table table = ParseToml(text, "f.toml");
  return BadInputMessage([&] { read(TomlReader(table, "f.toml", "the file")); });
}

TEST(TomlReader, ReadsEachTypeOfValue) {
  const toml::table table =
      ParseToml("s = 'text'\ni = -3\nf = 0.5\nb = true\na = [1]\nt = {x = 1}", "f.toml");
  const TomlReader reader(table, "f.toml", "the file");
  EXPECT_EQ(reader.String("s"), "text");
  EXPECT_EQ(reader.Integer("i", -3, 3), -3);
  EXPECT_EQ(reader.Number("f", 0, 1), 0.5);
  EXPECT_EQ(reader.Number("i", -5, 5), -3.0) << "an integer is a number too";
  EXPECT_TRUE(reader.Boolean("b"));
  EXPECT_EQ(reader.Array("a").size(), 1U);
  EXPECT_EQ(reader.Table("t", "[t]").Integer("x", 0, 9), 1);
}

TEST(TomlReader, GivesTheDefaultForAnAbsentKey) {
  const toml::table table = ParseToml("", "f.toml");
  const TomlReader reader(table, "f.toml", "the file");
  EXPECT_EQ(reader.String("s", "default"), "default");
  EXPECT_EQ(reader.Integer("i", 0, 1, 7), 7);
  EXPECT_EQ(reader.Number("f", 0, 1, 2.5), 2.5);
}

TEST(TomlReader, NamesTheFirstUnknownKeyInTheFileAndTheKnownOnes) {
  EXPECT_EQ(MessageFor("count = 1\nzeta = 2\nalpha = 3\n",
                       [](const TomlReader& r) {
                         r.AllowOnly({"count", "type"});
                       }),
            "f.toml:2:1: unknown key 'zeta': expected one of count, type");
}

TEST(TomlReader, NamesAMissingKeyAndItsTable) {
  EXPECT_EQ(
      MessageFor("[t]\nx = 1\n", [](const TomlReader& r) { r.Table("t", "[t]").String("name"); }),
      "f.toml:1:1: missing key 'name' in [t]");
}

TEST(TomlReader, SaysWhatAWrongTypeIsAndWhatWasExpected) {
  const std::string_view text = "s = 'x'\ni = 1\n";
  EXPECT_EQ(MessageFor(text, [](const TomlReader& r) { r.String("i"); }),
            "f.toml:2:5: key 'i' is an integer: expected a string");
  EXPECT_EQ(MessageFor(text, [](const TomlReader& r) { r.Integer("s", 0, 9); }),
            "f.toml:1:5: key 's' is a string: expected an integer from 0 to 9");
  EXPECT_EQ(MessageFor(text, [](const TomlReader& r) { r.Number("s", 0, 9); }),
            "f.toml:1:5: key 's' is a string: expected a number");
  EXPECT_EQ(MessageFor(text, [](const TomlReader& r) { r.Boolean("i"); }),
            "f.toml:2:5: key 'i' is an integer: expected true or false");
  EXPECT_EQ(MessageFor(text, [](const TomlReader& r) { r.Array("i"); }),
            "f.toml:2:5: key 'i' is an integer: expected an array");
  EXPECT_EQ(MessageFor(text, [](const TomlReader& r) { r.Table("i", "[i]"); }),
            "f.toml:2:5: key 'i' is an integer: expected a table");
}

TEST(TomlReader, SaysTheRangeOfAValueOutOfIt) {
  EXPECT_EQ(MessageFor("i = 10", [](const TomlReader& r) { r.Integer("i", 0, 9); }),
            "f.toml:1:5: key 'i' is 10: expected an integer from 0 to 9");
  EXPECT_EQ(MessageFor("f = -0.5", [](const TomlReader& r) { r.Number("f", 0, 9); }),
            "f.toml:1:5: key 'f' is -0.5: expected a number from 0 to 9");
  EXPECT_EQ(MessageFor("f = nan", [](const TomlReader& r) { r.Number("f", 0, 9); }),
            "f.toml:1:5: key 'f' is nan: expected a number from 0 to 9");
}

TEST(TomlReader, WantsTextOnOneLineWhereItGoesIntoMessages) {
  EXPECT_EQ(MessageFor("s = 'a\\tb'\nt = \"a\\nb\"", [](const TomlReader& r) { r.Line("t"); }),
            "f.toml:2:5: key 't' is 'a\\x0ab': expected text on one line");
  EXPECT_EQ(MessageFor("s = ''", [](const TomlReader& r) { r.Line("s"); }),
            "f.toml:1:5: key 's' is empty: expected text on one line");
}

TEST(TomlReader, GivesThePlaceOfASyntaxError) {
  EXPECT_EQ(BadInputMessage([] { ParseToml("a = 1\nb = = 2\n", "f.toml"); }).substr(0, 23),
            "f.toml:2:5: not TOML: E");
}

TEST(TomlReader, RejectsNestingThatWouldOverflowTheStack) {
  std::string dotted = "x = 1\na";
  for (int i = 0; i < 200000; ++i) dotted += ".a";
  EXPECT_EQ(BadInputMessage([&] { ParseToml(dotted + " = 1", "f.toml"); }),
            "f.toml:2:1: a dotted key is too long: expected at most 64 parts");
  EXPECT_THAT(BadInputMessage([] { ParseToml("a = " + std::string(100000, '['), "f.toml"); }),
              testing::HasSubstr("nested"));
  const std::string rule(200, '.');
  EXPECT_EQ(ParseToml("# " + rule + "\ns = '" + rule + "'\n", "f.toml").size(), 1U);
}

}  // namespace toml_reader_test
}  // namespace flagstone
