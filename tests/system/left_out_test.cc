// A build without the rooms around the core: each verb that is left out says which option brings it
// back. Where nothing is left out this file is no test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/system/command.h"

namespace flagstone {
namespace left_out_test {

using ::testing::HasSubstr;

TEST(LeftOut, AVerbNamesTheOptionThatBringsItBack) {
  size_t left_out = 0;
  for (const auto& [verb, option] : {std::pair{"exec", "CUDA"}, std::pair{"sweep", "SWEEP"},
                                     std::pair{"report", "REPORT"}, std::pair{"order", "ORDER"}}) {
    if (RunFlagstone("--help").out.find(std::string("FLAGSTONE_WITH_") + option) ==
        std::string::npos) {
      continue;
    }
    ++left_out;
    const CommandResult result = RunFlagstone(std::string(verb) + " a --b 1 -- c");
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_THAT(result.err, HasSubstr(std::string("flagstone ") + verb + " is no part"));
    EXPECT_THAT(result.err, HasSubstr(std::string("-DFLAGSTONE_WITH_") + option + "=ON"));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_GT(left_out, 0U);
}

TEST(LeftOut, APageIsRefusedBeforeTheRun) {
  if (RunFlagstone("--help").out.find("FLAGSTONE_WITH_REPORT") == std::string::npos) {
    GTEST_SKIP() << "this build has pages";
  }
  const CommandResult result = RunFlagstone("run vecadd --engine model -q --report page.html");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("-DFLAGSTONE_WITH_REPORT=ON"));
  EXPECT_EQ(result.out, "");
}

}  // namespace left_out_test
}  // namespace flagstone
