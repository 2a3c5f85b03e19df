// Long runs: threads, timelines, checkpoints and interruption, as users see them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace long_run_test {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

std::string WithoutHost(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  EXPECT_TRUE(json.is_object()) << text;
  json.erase("host");
  json.erase("command");
  return json.dump();
}

std::string ResultOf(const std::string& arguments) {
  const CommandResult result = RunFlagstone("run " + arguments + " --json -q");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return WithoutHost(result.out);
}

TEST(LongRun, TheNumberOfThreadsChangesNoByteOfTheResult) {
  const std::string run = "syrk --machine volta --policy rb";
  EXPECT_EQ(ResultOf(run + " --threads 3"), ResultOf(run));
}

TEST(LongRun, KilledBetweenLaunchesAndResumedItGivesTheSameBytes) {
  const ScratchFolder scratch;
  const std::string file = scratch.File("checkpoint");
  const std::string run = "bfs --machine tiny --engine model";
  const std::string whole = ResultOf(run);
  RunShell("'" + FlagstoneProgram() + "' run " + run + " --checkpoint " + file +
           " -q & pid=$!; while [ ! -e " + file + " ]; do :; done; kill -9 $pid; wait $pid");
  EXPECT_EQ(ResultOf(run + " --resume " + file), whole);
}

TEST(LongRun, CtrlCPrintsWhatIsKnownAndLeavesOnlyWholeFiles) {
  const ScratchFolder scratch;
  const std::string wave = scratch.File("w.fst");
  const CommandResult result = RunShell(
      "'" + FlagstoneProgram() + "' run syrk --size paper --json " + scratch.File("r.json") +
      " --wave " + wave + " --timeline " + scratch.File("t.json") + " --checkpoint " +
      scratch.File("c") + " & pid=$!; while ! ls " + wave +
      ".*.tmp >/dev/null 2>&1; do :; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.out, HasSubstr("interrupted: the figures above are what was known then"));
  EXPECT_EQ(Json::parse(ReadFile(scratch.File("r.json")), nullptr, false)["interrupted"], true);
  EXPECT_TRUE(Json::parse(ReadFile(scratch.File("t.json")), nullptr, false).is_object());
  EXPECT_GT(ReadFile(wave).size(), 500U);
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path())) {
    EXPECT_NE(entry.path().extension(), ".tmp");
    ++files;
  }
  EXPECT_EQ(files, 3U);  // no launch has ended: no checkpoint
}

TEST(LongRun, SaysNothingOfItsProgressWhenPiped) {
  const CommandResult result = RunFlagstone("run matmul --machine volta --size paper");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "note: the launch does not fill the machine of 80 SMs\n");
}

// `script` gives the command a terminal; once a bar is drawn, the run is over.
TEST(LongRun, DrawsItsProgressOnATerminal) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no terminal can be had here (posix_openpt)";
  close(terminal);
  const ScratchFolder scratch;
  const std::string seen = scratch.File("seen");
  RunShell("script -qefc \"'" + FlagstoneProgram() + "' run syrk --size paper --machine fermi\" " +
           seen + " >/dev/null & pid=$!; while ! grep -q ' TBs, cycle ' " + seen +
           " && kill -0 $pid; do sleep 0.1; done; kill $pid; wait $pid");
  const std::string text = ReadFile(seen);
  EXPECT_THAT(text, ContainsRegex("syrk \\[=* *\\] [0-9]+/256 TBs, cycle [0-9,]+")) << text;
}

TEST(LongRun, AWaveScopeThatNamesNoBlockListsTheBlocks) {
  const ScratchFolder scratch;
  const std::string run = "run vecadd -q --wave " + scratch.File("w.fst") + " --wave-scope ";
  const CommandResult unknown = RunFlagstone(run + "gpu.tb_sched");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("'gpu.tb_sched': expected some of gpu.tb_scheduler"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_EQ(RunFlagstone(run + "gpu.tb_scheduler").exit_code, 0);
  EXPECT_GT(ReadFile(scratch.File("w.fst")).size(), 500U);
}

TEST(LongRun, BadUseOfTimelineAndCheckpointIsOneLine) {
  for (const char* arguments :
       {"--timeline-from 5", "--timeline t.json --timeline-from 5 --timeline-to 4",
        "--timeline t.json --functional", "--resume /no/such/file", "--threads 0",
        "--wave-scope gpu.tb_scheduler"}) {
    const CommandResult result = RunFlagstone(std::string("run vecadd -q ") + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments << "\n" << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace long_run_test
}  // namespace flagstone
