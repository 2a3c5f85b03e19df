// `--values slice`: the same timing, no results, and no checks without an explicit word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/system/command.h"

namespace flagstone {
namespace values_test {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json RunJson(const std::string& arguments) {
  const CommandResult result = RunFlagstone("run " + arguments + " --machine tiny -q --json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out, nullptr, false);
}

TEST(Values, ASliceHasTheSameStatisticsAndNoChecks) {
  const Json full = RunJson("syrk --policy rb");
  const Json slice = RunJson("syrk --policy rb --values slice --no-check");
  EXPECT_EQ(full["values"], "full");
  EXPECT_EQ(full["checks_skipped"], false);
  EXPECT_EQ(slice["values"], "slice");
  EXPECT_EQ(slice["checks_skipped"], true);
  EXPECT_TRUE(slice["checks"].empty());
  EXPECT_EQ(slice["launches"], full["launches"]);
  EXPECT_EQ(slice["totals"], full["totals"]);
  EXPECT_EQ(slice["config_hash"], full["config_hash"]);
}

TEST(Values, ASliceIsRefusedWhereACheckNeedsTheValues) {
  for (const char* verb : {"run", "compare"}) {
    const CommandResult result = RunFlagstone(std::string(verb) + " vecadd --values slice -q");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("needs the values that a slice leaves out: expected "
                                      "'--no-check' with '--values slice'"));
  }
}

TEST(Values, ChecksCanBeLeftOutAlone) {
  const CommandResult result = RunFlagstone("run vecadd --machine tiny --no-check -q");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("checks: left out, as --no-check asks"));
}

TEST(Values, CompareTakesASliceAndShowsThatNothingWasChecked) {
  const CommandResult result =
      RunFlagstone("compare vecadd --machine tiny --values slice --no-check -q");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("passed"), std::string::npos) << result.out;
  const CommandResult unknown = RunFlagstone("run vecadd --values some");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown values 'some': expected full or slice"));
}

}  // namespace values_test
}  // namespace flagstone
