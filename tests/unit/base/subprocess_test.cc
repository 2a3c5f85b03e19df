#include "base/subprocess.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/error.h"

namespace flagstone {
namespace subprocess_test {

TEST(RunProcess, CollectsBothStreamsAndTheStatus) {
  const ProcessResult result = RunProcess({"sh", "-c", "echo out; echo err >&2; exit 7"});
  EXPECT_EQ(result.status, 7);
  EXPECT_EQ(result.output, "out\nerr\n");
}

TEST(RunProcess, PassesArgumentsWithoutAShell) {
  EXPECT_EQ(RunProcess({"printf", "%s|", "a b", "$HOME", ";ls"}).output, "a b|$HOME|;ls|");
}

TEST(RunProcess, RunsInTheFolder) {
  EXPECT_EQ(RunProcess({"pwd"}, "/usr/bin").output, "/usr/bin\n");
}

TEST(RunProcess, GivesNoInput) { EXPECT_EQ(RunProcess({"cat"}).output, ""); }

TEST(RunProcess, SaysBySignalHowAProgramDied) {
  EXPECT_EQ(RunProcess({"sh", "-c", "kill -TERM $$"}).status, 128 + SIGTERM);
}

TEST(RunProcess, TakesMoreOutputThanAPipeHolds) {
  EXPECT_EQ(RunProcess({"sh", "-c", "head -c 300000 /dev/zero"}).output.size(), 300000u);
}

TEST(RunProcess, FailsWhenThereIsNoSuchProgram) {
  try {
    RunProcess({"/nowhere/tool"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_STREQ(error.what(), "cannot run '/nowhere/tool': No such file or directory");
  }
}

TEST(FindProgram, LooksThroughThePath) {
  ASSERT_TRUE(FindProgram("sh").has_value());
  EXPECT_EQ(FindProgram("sh")->filename(), "sh");
  EXPECT_FALSE(FindProgram("no-such-program-here").has_value());
  EXPECT_FALSE(FindProgram("").has_value());
  EXPECT_TRUE(FindProgram("/bin/sh").has_value());
  EXPECT_FALSE(FindProgram("/etc/passwd").has_value());  // not executable
}

TEST(TellingLine, IsTheFirstWithTheMarkElseTheLastWithText) {
  EXPECT_EQ(TellingLine("a\nERROR: b\nERROR: c\n", "ERROR"), "ERROR: b");
  EXPECT_EQ(TellingLine("a\nb\n  \n", "ERROR"), "b");
  EXPECT_EQ(TellingLine("", "ERROR"), "");
}

}  // namespace subprocess_test
}  // namespace flagstone
