// Runs can be stopped by signals, in each stage, and leave nothing behind.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/system/command.h"

namespace flagstone {
namespace stopping_test {

using ::testing::HasSubstr;

// A kernel that never ends: it waits for a flag that nobody sets.
constexpr char kSpin[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 flag)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
AGAIN:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.s32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ret;
}
)";
constexpr char kWorkload[] = R"(name = "spin"
[buffer.flag]
type = "u32"
count = 1
fill = "zero"
[[launch]]
ptx = "spin.ptx"
entry = "spin"
grid = [1]
block = [32]
args = ["flag"]
)";

class Stopping : public ::testing::Test {
 protected:
  Stopping() {
    std::ofstream(folder_.File("spin.ptx")) << kSpin;
    std::ofstream(folder_.File("workload.toml")) << kWorkload;
  }
  // Sends the signal after a second of the processor's time, however long that takes on a busy
  // machine; a program that does not heed it is killed after five minutes. Background jobs
  // without `set -m` would ignore INT.
  CommandResult Interrupted(const std::string& arguments, const std::string& signal) {
    return RunShell(fmt::format(R"sh(cd '{}' && bash -c 'set -m
"$@" & program=$!
(sleep 300; kill -s KILL $program) >/dev/null 2>&1 & killer=$!
set +m
ran() {{ read -ra of 2>/dev/null </proc/$program/stat && echo $((of[13] + of[14])); }}
while ticks=$(ran) && [ "$ticks" -lt "$(getconf CLK_TCK)" ]; do sleep 0.05; done
kill -s {} $program
wait $program; code=$?
{{ kill -s KILL -- -$killer; wait $killer; }} 2>/dev/null
exit $code' interrupted '{}' {})sh",
                                folder_.path().string(), signal, FlagstoneProgram(), arguments));
  }
  CommandResult Run(const std::string& arguments) {
    return RunShell(fmt::format("cd '{}' && timeout 60 '{}' {}", folder_.path().string(),
                                FlagstoneProgram(), arguments));
  }
  ScratchFolder folder_;
};

TEST_F(Stopping, EndsExecutionWithoutTimingWithItsFiguresSoFar) {
  for (const char* const signal : {"INT", "TERM"}) {
    const CommandResult result = Interrupted("run workload.toml --functional", signal);
    EXPECT_EQ(result.exit_code, 130) << signal;
    EXPECT_THAT(result.out, HasSubstr("interrupted: the figures above are what was known then"));
    EXPECT_THAT(result.out, HasSubstr("warp instructions"));
  }
}

TEST_F(Stopping, EndsASimulationWithItsFiguresSoFar) {
  const CommandResult result =
      Interrupted("run workload.toml --engine model --json out.json", "TERM");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.out, HasSubstr("interrupted"));
  EXPECT_TRUE(std::filesystem::exists(folder_.File("out.json")));
}

TEST_F(Stopping, EndsAnAnalysisOnDataAtOnceWithOneLine) {
  for (const char* const signal : {"INT", "TERM"}) {
    const CommandResult result = Interrupted("analyze workload.toml --data known", signal);
    EXPECT_EQ(result.exit_code, 130) << signal;
    EXPECT_EQ(result.err, "flagstone: interrupted\n");
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(Stopping, EndsTheExecutionBehindAPolicyThatAnalysesData) {
  const CommandResult result = Interrupted("run workload.toml --policy rb --data known", "INT");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_EQ(result.err, "flagstone: interrupted\n");
}

TEST_F(Stopping, LeavesNoTemporaryFileOfAWaveBehind) {
  Interrupted("run workload.toml --wave w.fst", "INT");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    EXPECT_NE(entry.path().extension(), ".hier") << entry.path();
  }
}

TEST_F(Stopping, HasALimitOfInstructionsWhereThereAreNoCycles) {
  for (const char* const verb :
       {"run workload.toml --functional", "analyze workload.toml --data known",
        "run workload.toml --policy rb --data known"}) {
    const CommandResult result = Run(std::string(verb) + " --max-instructions 100000");
    EXPECT_EQ(result.exit_code, 1) << verb;
    EXPECT_THAT(result.err, HasSubstr("limit of 100000 warp instructions reached after 0 of 1 TBs: "
                                      "warp 0 of TB (0,0,0) is before spin.ptx:"))
        << verb;
  }
}

}  // namespace stopping_test
}  // namespace flagstone
