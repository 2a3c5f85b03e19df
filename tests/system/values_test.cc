// `--values slice`: the same timing, no results, and no checks without an explicit word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
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

// A video instruction is not executed, and no address hangs on it.
TEST(Values, ASliceTimesWhatIsNotExecutedAndSaysSo) {
  const ScratchFolder scratch;
  std::ofstream(scratch.File("k.ptx"))
      << ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
         ".reg .b64 %rd<5>; .reg .b32 %r<5>;\nld.param.u64 %rd1, [a];\n"
         "vmin2.u32.u32.u32 %r1, %r2, %r3, %r2;\n"
         "vmin2.u32.u32.u32 %r1, %r2, %r3, %r1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
  const std::string run = "run " + scratch.File("k.ptx") +
                          " --grid 2 --block 128 --arg a=u32[32] --machine h100 --engine model "
                          "-q --json - --values ";
  const CommandResult full = RunFlagstone(run + "full");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_THAT(full.err, HasSubstr("cannot run"));
  const CommandResult slice = RunFlagstone(run + "slice");
  ASSERT_EQ(slice.exit_code, 0) << slice.err;
  EXPECT_THAT(slice.err, HasSubstr("k.ptx:8: entry 'k' has instructions that are timed and not "
                                   "executed, 'vmin2.u32.u32.u32"));
  const Json record = Json::parse(slice.out);
  EXPECT_EQ(record["findings"][0]["kind"], "unexecuted");
  EXPECT_EQ(record["findings"][0]["times"], 2);
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
