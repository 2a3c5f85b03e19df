// `flagstone diff`: what it refuses.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/command.h"

namespace flagstone {
namespace diff_test {

using ::testing::HasSubstr;

CommandResult InFolder(const ScratchFolder& folder, const std::string& command) {
  return RunShell(fmt::format("cd '{}' && flagstone() {{ '{}' \"$@\"; }} && {}",
                              folder.path().string(), FlagstoneProgram(), command));
}

TEST(Diff, RefusesResultsOfDifferentVerbsAndPagesOfSeveral) {
  const ScratchFolder folder;
  const CommandResult verbs =
      InFolder(folder,
               "flagstone run vecadd --engine model -q --json run.json >/dev/null; "
               "flagstone analyze vecadd -q --json analysis.json >/dev/null; "
               "flagstone diff run.json analysis.json");
  EXPECT_EQ(verbs.exit_code, 2);
  EXPECT_THAT(verbs.err, HasSubstr("expected two results of one verb"));
  const CommandResult several =
      InFolder(folder,
               "cp run.json again.json; flagstone report run.json again.json -o two.html; "
               "flagstone report --extract two.html "
               ">two.json; flagstone diff run.json two.json");
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_THAT(several.err, HasSubstr("holds 2 results: expected one"));
}

TEST(Diff, OfAResultWithItselfSaysThatNothingDiffers) {
  const ScratchFolder folder;
  const CommandResult same =
      InFolder(folder,
               "flagstone run vecadd --engine model -q --json a.json >/dev/null; "
               "flagstone diff a.json a.json");
  EXPECT_EQ(same.exit_code, 0);
  EXPECT_THAT(same.out, HasSubstr("no figure differs"));
}

}  // namespace diff_test
}  // namespace flagstone
