// `flagstone report` without a browser: what it reads, what it refuses, and what it gives back.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace report_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Report : public ::testing::Test {
 protected:
  CommandResult Shell(const std::string& command) {
    return RunShell(fmt::format("cd '{}' && flagstone() {{ '{}' \"$@\"; }} && {}",
                                folder_.path().string(), FlagstoneProgram(), command));
  }
  // Refused in one line, and nothing written.
  void ExpectRefused(const std::string& text, const std::string& words) {
    WriteFileAtomically(folder_.File("bad.json"), text);
    const CommandResult result = Shell("flagstone report bad.json -o page.html");
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_THAT(result.err, StartsWith("flagstone: 'bad.json'")) << text;
    EXPECT_THAT(result.err, HasSubstr(words)) << text;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.File("page.html"))) << text;
  }
  ScratchFolder folder_;
};

TEST_F(Report, GivesTheJsonBackAndTheSameBytesForTheSameJson) {
  ASSERT_EQ(Shell("flagstone run syrk --policy rb --engine model -q --detail --json a.json "
                  ">/dev/null; flagstone report a.json -o 1.html; flagstone report a.json -o "
                  "2.html; flagstone report --extract 1.html >b.json")
                .err,
            "");
  EXPECT_EQ(ReadFile(folder_.File("1.html")), ReadFile(folder_.File("2.html")));
  EXPECT_EQ(ReadFile(folder_.File("a.json")), ReadFile(folder_.File("b.json")));
}

TEST_F(Report, GivesSeveralResultsBackAsADocumentThatItReads) {
  ASSERT_EQ(Shell("flagstone run vecadd --engine model -q --json a.json >/dev/null; "
                  "cp a.json c.json; flagstone report a.json c.json -o 1.html; "
                  "flagstone report --extract 1.html >b.json; flagstone report b.json -o 2.html")
                .err,
            "");
  EXPECT_EQ(ReadFile(folder_.File("1.html")), ReadFile(folder_.File("2.html")));
}

TEST_F(Report, RefusesWhatIsNoResult) {
  ExpectRefused("", "not JSON, or only a part of it");
  ExpectRefused(R"({"schema": "flagstone.run/1", "totals": {"cy)", "not JSON, or only a part");
  ExpectRefused("[1, 2]", "no result of flagstone");
  ExpectRefused(R"({"traceEvents": []})", "no result of flagstone");
  ExpectRefused(R"({"schema": 7})", "no result of flagstone");
  ExpectRefused(R"({"schema": "flagstone.run/9", "totals": {}})", "schema 'flagstone.run/9'");
  ExpectRefused(R"({"schema": "flagstone.list/1"})", "expected one of flagstone.run/1");
  ExpectRefused(R"({"schema": "flagstone.run/1", "totals": []})", "without its object 'totals'");
  ExpectRefused(R"({"schema": "flagstone.report/1"})", "without its array 'results'");
  ExpectRefused("{\"schema\": \"\xff\"}", "not JSON");
}

TEST_F(Report, RefusesAFileThatIsNotThereAndAPageThatIsNone) {
  EXPECT_THAT(Shell("flagstone report none.json").err, StartsWith("flagstone: cannot read"));
  WriteFileAtomically(folder_.File("page.html"), "<html></html>");
  const CommandResult page = Shell("flagstone report --extract page.html");
  EXPECT_EQ(page.exit_code, 2);
  EXPECT_THAT(page.err, HasSubstr("is no report of flagstone"));
  const CommandResult two = Shell("flagstone report --extract page.html other.html");
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err, HasSubstr("expected one page"));
}

TEST_F(Report, OfACutPageGivesNothingBack) {
  const CommandResult cut = Shell(
      "flagstone run matmul --engine model -q --report 1.html >/dev/null; "
      "head -c 20000 1.html >2.html; flagstone report --extract 2.html");
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_EQ(cut.out, "");
  EXPECT_THAT(cut.err, HasSubstr("only a part of one"));
}

TEST_F(Report, ToWhereNothingCanBeWrittenIsOneLine) {
  const CommandResult result =
      Shell("flagstone run vecadd --engine model -q --report no/such/page.html");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, StartsWith("flagstone: cannot write 'no/such/page.html'"));
}

TEST_F(Report, WithoutItsPartsNamesTheOneThatIsMissing) {
  const CommandResult result = Shell(
      "mkdir -p home/workloads && flagstone run vecadd --engine model -q --json a.json >/dev/null; "
      "FLAGSTONE_HOME=home '" +
      FlagstoneProgram() + "' report a.json");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("home/app/report/page/parts' is missing"));
}

}  // namespace report_test
}  // namespace flagstone
