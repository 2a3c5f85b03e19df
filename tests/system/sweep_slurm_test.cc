// `flagstone sweep run --on slurm` on a cluster of scripts (tests/system/false_slurm), which lose
// tasks, refuse jobs and do not answer when they are told to. tests/system/slurm has a real one.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace sweep_slurm_test {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class SweepOnSlurm : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(scratch_.File("slurm"));
    WriteFileAtomically(scratch_.File("p.toml"), R"(description = "d"
machines = ["tiny"]
size = "test"
engine = "model"
workloads = ["vecadd"]
[axes]
seed = [1, 2, 3, 4]
"sm.l1.ways" = [3, 4]
)");
  }
  std::string Command(const std::string& action, const std::string& options) const {
    return fmt::format(
        "FALSE_SLURM='{}' PATH='{}':\"$PATH\" '{}' sweep {} '{}' "
        "--store '{}' -q {}",
        scratch_.File("slurm"), fs::absolute("tests/system/false_slurm").string(),
        FlagstoneProgram(), action, scratch_.File("p.toml"), scratch_.File("store"), options);
  }
  CommandResult Run(const std::string& options = "") const {
    return RunShell(Command("run", "--on slurm --jobs 2 " + options));
  }
  // Tells the cluster what to do wrong.
  void Tell(const std::string& file, const std::string& text) const {
    WriteFileAtomically(Slurm(file), text);
  }
  std::string Slurm(const std::string& file) const { return scratch_.File("slurm") + "/" + file; }
  std::string Read(const std::string& file) const {
    return fs::exists(Slurm(file)) ? ReadFile(Slurm(file)) : "";
  }

  // Whether the store holds the number of a job to wait for.
  bool KeepsAJob() const {
    const fs::recursive_directory_iterator store(scratch_.File("store"));
    return std::any_of(fs::begin(store), fs::end(store), [](const fs::directory_entry& entry) {
      return entry.path().filename() == "slurm_job";
    });
  }

  ScratchFolder scratch_;
};

// Half of the points have an L1 that no machine can have.
constexpr char kAllEnded[] = "8 points: 4 done, 4 failed, 0 open";

TEST_F(SweepOnSlurm, RunsAnArrayOfTasksAndEndsWithTheTableOfALocalSweep) {
  const CommandResult run = Run("--sbatch '--time=2:00 --partition=short'");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr(kAllEnded));
  const std::string options = Read("sbatch.args");
  EXPECT_THAT(options, HasSubstr("--parsable\n--requeue\n--job-name=p\n--array=0-7%2\n"));
  EXPECT_THAT(options, HasSubstr("\n--time=2:00\n--partition=short\n--wrap=exec "));
  EXPECT_EQ(Read("job"), "101\n");
  const std::string table = RunShell(Command("collect", "")).out;
  fs::remove_all(scratch_.File("store"));
  ASSERT_EQ(RunShell(Command("run", "")).exit_code, 1);
  EXPECT_EQ(RunShell(Command("collect", "")).out, table);
}

TEST_F(SweepOnSlurm, TakesThePointsOfLostTasksInTheNextRound) {
  Tell("lost.101", "0 3 4 7");
  const CommandResult run = Run();
  EXPECT_THAT(run.out, HasSubstr(kAllEnded)) << run.err;
  EXPECT_EQ(Read("job"), "102\n");
  EXPECT_THAT(Read("sbatch.args"), HasSubstr("--array=0-3%2"));
}

TEST_F(SweepOnSlurm, EndsWhereTwoRoundsBringNothingOn) {
  for (const char* job : {"lost.101", "lost.102"}) Tell(job, "0 1 2 3 4 5 6 7");
  const CommandResult run = Run();
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err, "flagstone: task 0 of Slurm's job 102 did not run\n");
  EXPECT_EQ(Read("job"), "102\n");
  EXPECT_FALSE(KeepsAJob());
}

// As while its daemon starts anew.
TEST_F(SweepOnSlurm, WaitsForAControllerThatDoesNotAnswer) {
  Tell("hold", "");
  Tell("silent", "2");
  const CommandResult run =
      RunShell(fmt::format("(sleep 2.5; rm '{}') & {}; wait", Slurm("hold"),
                           Command("run", "--on slurm --jobs 2") + " || true"));
  EXPECT_THAT(run.out, HasSubstr(kAllEnded)) << run.err;
  EXPECT_EQ(Read("silent"), "0\n");
  EXPECT_EQ(Read("job"), "101\n");
}

TEST_F(SweepOnSlurm, AJobThatTheClusterHasForgottenHasEnded) {
  Tell("forgets", "");
  const CommandResult run = Run();
  EXPECT_THAT(run.out, HasSubstr(kAllEnded)) << run.err;
  EXPECT_EQ(Read("job"), "101\n");
}

TEST_F(SweepOnSlurm, AJobThatIsRefusedIsOneLine) {
  Tell("refuse", "sbatch: error: invalid partition specified: short\nsbatch: more\n");
  const CommandResult run = Run("--sbatch --partition=short");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err,
            "flagstone: sbatch ended with status 1: sbatch: error: invalid partition specified: "
            "short\n");
}

TEST_F(SweepOnSlurm, AnInterruptCancelsTheJob) {
  Tell("hold", "");
  const CommandResult run = RunShell(fmt::format(
      "bash -c 'set -m; \"$@\" & driver=$!; set +m; until [ -f \"{0}\" ]; do sleep 0.05; done; "
      "kill -s INT $driver; wait $driver' interrupted env {1}",
      Slurm("squeue.asked"), Command("run", "--on slurm --jobs 2")));
  EXPECT_EQ(run.exit_code, 130) << run.err;
  EXPECT_EQ(Read("cancelled"), "101\n");
  EXPECT_THAT(run.out, HasSubstr("8 points: 0 done, 0 failed, 8 open"));
}

// The number of its job is kept, so that no second job does the same work.
TEST_F(SweepOnSlurm, ADriverThatWasKilledWaitsForItsJobWhenItIsStartedAgain) {
  Tell("hold", "");
  RunShell(
      fmt::format("bash -c '\"$@\" & driver=$!; until [ -f \"{0}\" ]; do sleep 0.05; done; "
                  "kill -s KILL $driver; wait $driver' killed env {1}",
                  Slurm("squeue.asked"), Command("run", "--on slurm --jobs 2")));
  ASSERT_TRUE(KeepsAJob());
  fs::remove(Slurm("hold"));
  const CommandResult again = Run();
  EXPECT_THAT(again.out, HasSubstr(kAllEnded)) << again.err;
  EXPECT_EQ(Read("job"), "101\n");
  EXPECT_FALSE(KeepsAJob());
}

TEST_F(SweepOnSlurm, ThatIsNotInstalledIsOneLine) {
  const CommandResult run =
      RunShell(fmt::format("PATH=/nowhere '{}' sweep run '{}' --store '{}' --on slurm",
                           FlagstoneProgram(), scratch_.File("p.toml"), scratch_.File("store")));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err,
            "flagstone: --on slurm needs Slurm's sbatch: install the package 'slurm-client'\n");
}

}  // namespace sweep_slurm_test
}  // namespace flagstone
