// What the command says to those who ask for help, and to those who ask for what is not there.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/system/command.h"

namespace flagstone {
namespace usage_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// One line on stderr, nothing on stdout, exit code 2.
void ExpectBadInput(const std::string& arguments, const std::string& expected) {
  const CommandResult result = RunFlagstone(arguments);
  EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.err;
  EXPECT_THAT(result.out, IsEmpty()) << arguments;
  EXPECT_THAT(result.err, StartsWith("flagstone: ")) << arguments;
  EXPECT_THAT(result.err, HasSubstr(expected)) << arguments;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// The verb whose help this is belongs to a room that the build leaves out.
bool IsLeftOut(const std::string& help) { return help.starts_with("(left out of this build"); }

TEST(Usage, HelpOfEveryVerbExitsWithZeroAndShowsAnExample) {
  EXPECT_THAT(RunFlagstone("--help").out, HasSubstr("flagstone run syrk"));
  for (const char* verb :
       {"list", "analyze", "run", "compare", "reproduce", "store", "sweep", "synth"}) {
    const CommandResult result = RunFlagstone(std::string(verb) + " --help");
    EXPECT_EQ(result.exit_code, 0) << verb;
    if (IsLeftOut(result.out)) continue;
    EXPECT_THAT(result.out, HasSubstr(std::string("  flagstone ") + verb)) << verb;
  }
}

TEST(Usage, NoArgumentsPrintTheHelpAndFail) {
  const CommandResult result = RunFlagstone("");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, HasSubstr("compare"));
}

TEST(Usage, VersionNamesTheTools) {
  const CommandResult result = RunFlagstone("--version");
  EXPECT_EQ(result.exit_code, 0);
  for (const char* tool : {"flagstone 0.", "Verilator", "SystemC", "METIS", "Yosys"}) {
    EXPECT_THAT(result.out, HasSubstr(tool));
  }
}

TEST(Usage, UnknownNamesAreBadInputThatListsTheKnown) {
  ExpectBadInput("frobnicate", "frobnicate");
  ExpectBadInput("run matmul --frobnicate", "--frobnicate");
  ExpectBadInput("run no_such_workload", "vecadd");
  ExpectBadInput("run matmul --machine no_such_machine", "fermi");
  ExpectBadInput("run matmul --policy no_such_policy", "rb");
  ExpectBadInput("run matmul --warp-scheduler fifo", "gto");
  ExpectBadInput("run matmul --prefetch psychic", "none");
  ExpectBadInput("run matmul --engine steam", "lockstep");
  ExpectBadInput("run matmul --size huge", "paper");
  ExpectBadInput("run matmul --set sm.l1.sise_kib=48", "sm.l1.sise_kib");
  ExpectBadInput("run matmul --set sm.l1.size_kib=many", "sm.l1.size_kib");
  ExpectBadInput("run matmul --set nonsense", "nonsense");
  ExpectBadInput("analyze matmul --granularity atom", "sector");
  ExpectBadInput("analyze matmul --dump soup", "footprints");
  ExpectBadInput("compare matmul --policy lrr,,rb", "--policy");
  ExpectBadInput("synth no_such_block", "paver_task_stealer");
  ExpectBadInput("list colours", "machines");
  ExpectBadInput("reproduce no_such_experiment", "peer");
  ExpectBadInput("run bfs --input grph=x.gr", "graph");
  ExpectBadInput("run bfs --input graph", "NAME=FILE");
}

TEST(Usage, OptionsThatNeedAnotherSaySo) {
  ExpectBadInput("run matmul --wave-to 100", "--wave");
  ExpectBadInput("run matmul --wave w.fst --wave-from 9 --wave-to 3", "--wave-from");
}

TEST(Usage, KeysAreListedWithDefaultUnitAndMeaning) {
  const std::string page = RunFlagstone("list keys").out;
  EXPECT_THAT(page, HasSubstr("sm.l1.size_kib "));
  EXPECT_THAT(page, HasSubstr(" 16 KiB "));
  EXPECT_THAT(page, HasSubstr("L1: size"));
  std::istringstream lines(page);
  size_t keys = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find('.') < line.find(' ')) ++keys;
  }
  EXPECT_GT(keys, 100U);
  EXPECT_THAT(RunFlagstone("list keys --json").out, HasSubstr("\"unit\": \"KiB\""));
}

TEST(Usage, EveryPageFitsInAHundredColumns) {
  for (const char* arguments : {"--help", "run --help", "compare --help", "analyze --help", "list",
                                "reproduce --help", "analyze matmul", "run matmul --policy rb",
                                "compare matmul vecadd --policy lrr,rb --machine tiny,fermi"}) {
    std::istringstream lines(RunFlagstone(arguments).out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100U) << arguments << ": " << line;
    }
  }
}

// Completion lists them at each press of a key. The limit is of CPU time, several times what it
// takes.
TEST(Usage, ListOfExperimentsIsThereAtOnce) {
  const CommandResult result =
      RunShell(fmt::format("ulimit -t 3; '{}' list experiments --json", FlagstoneProgram()));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("\"table_of\": \"paver\""));
}

}  // namespace usage_test
}  // namespace flagstone
