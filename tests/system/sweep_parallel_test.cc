// `flagstone sweep run --on parallel`: a real GNU parallel, on this host and on two that are
// reached by a stand-in for ssh.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/subprocess.h"
#include "tests/system/command.h"

namespace flagstone {
namespace sweep_parallel_test {

using testing::HasSubstr;

namespace fs = std::filesystem;

class SweepOnParallel : public testing::Test {
 protected:
  void SetUp() override {
    if (!FindProgram("parallel")) GTEST_SKIP() << "GNU parallel is not installed";
    WriteFileAtomically(scratch_.File("p.toml"), R"(description = "d"
machines = ["tiny"]
size = "test"
engine = "model"
workloads = ["vecadd"]
[axes]
seed = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
"sm.l1.mshrs" = [8, 12, 16, 20, 24, 28]
"sm.l1.ways" = [3, 4]
)");
  }
  std::string Command(const std::string& action, const std::string& store,
                      const std::string& options) const {
    return fmt::format("'{}' sweep {} '{}' --store '{}' -q {}", FlagstoneProgram(), action,
                       scratch_.File("p.toml"), scratch_.File(store), options);
  }
  std::string Table(const std::string& store) const {
    return RunShell(Command("collect", store, "")).out;
  }

  ScratchFolder scratch_;
};

TEST_F(SweepOnParallel, KilledThreeTimesItEndsWithTheTableOfALocalSweep) {
  ASSERT_EQ(RunShell(Command("run", "local", "--jobs 2")).exit_code, 1);  // half of the points fail
  const std::string on_parallel = "--on parallel --jobs 2 --batch-seconds 1";
  for (const char* pause : {"0.3", "0.5", "0.7"}) {
    // The driver, GNU parallel and all of their jobs.
    RunShell(fmt::format("setsid {} & sleep {}; kill -9 -- -$!; wait",
                         Command("run", "parallel", on_parallel), pause));
  }
  const CommandResult last = RunShell(Command("run", "parallel", on_parallel));
  EXPECT_EQ(last.exit_code, 1);
  EXPECT_THAT(last.out, HasSubstr("120 points: 60 done, 60 failed, 0 open"));
  EXPECT_EQ(Table("parallel"), Table("local"));
}

TEST_F(SweepOnParallel, SharesTheWorkOutToTwoHosts) {
  WriteFileAtomically(scratch_.File("ssh"), fmt::format(R"(#!/bin/sh
echo "$1" >> '{}'
shift
[ "$1" = -- ] && shift
unset SHELL  # as where no login has set it
exec sh -c "$*"
)",
                                                        scratch_.File("hosts")));
  fs::permissions(scratch_.File("ssh"), fs::perms::owner_all);
  const CommandResult run = RunShell(fmt::format("PARALLEL_SSH='{}' {}", scratch_.File("ssh"),
                                                 Command("run", "hosts_store",
                                                         "--on parallel --jobs 1 "
                                                         "--hosts 1/one,1/two")));
  EXPECT_THAT(run.out, HasSubstr("120 points: 60 done, 60 failed, 0 open")) << run.err;
  const std::string hosts = ReadFile(scratch_.File("hosts"));
  EXPECT_THAT(hosts, HasSubstr("one"));
  EXPECT_THAT(hosts, HasSubstr("two"));
}

// Jobs that all fail to start end the sweep with what the engine said.
TEST_F(SweepOnParallel, AnEngineThatNeverSucceedsIsOneLine) {
  const CommandResult run = RunShell("PARALLEL_SSH=/bin/false " +
                                     Command("run", "no_host", "--on parallel --hosts 1/none"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, testing::StartsWith("flagstone: GNU parallel ended with status "));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST_F(SweepOnParallel, ThatIsNotInstalledIsOneLine) {
  const CommandResult run =
      RunShell("PATH=/nowhere " + Command("run", "none_store", "--on parallel"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err,
            "flagstone: --on parallel needs GNU parallel: install the package 'parallel'\n");
}

}  // namespace sweep_parallel_test
}  // namespace flagstone
