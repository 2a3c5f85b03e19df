// `flagstone block`: one hardware block alone, from files to files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/paths.h"
#include "tests/system/command.h"

namespace flagstone {
namespace block_test {

using ::testing::HasSubstr;

class BlockVerb : public testing::Test {
 protected:
  CommandResult Run(const std::string& stimulus, const std::string& arguments) {
    std::ofstream(scratch_.File("in.csv")) << stimulus;
    return RunShell("cd '" + scratch_.path().string() + "' && '" + FlagstoneProgram() +
                    "' block fifo --stimulus in.csv --response out.csv " + arguments);
  }
  std::string Response() const { return ReadFile(scratch_.File("out.csv")); }

  ScratchFolder scratch_;
};

constexpr char kPushThree[] = "push,data\n1,1\n1,2\n1,3\n";

TEST_F(BlockVerb, WritesTheSameResponseWithEachEngine) {
  for (const char* engine : {"model", "rtl", "lockstep"}) {
    const CommandResult result = Run(kPushThree, std::string("--drain 1 --engine ") + engine);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Response(), "valid,data\n0,-\n1,0x1\n1,0x1\n1,0x1\n") << engine;
  }
}

TEST_F(BlockVerb, SaysInHowManyCyclesLockstepAgreed) {
  EXPECT_EQ(Run(kPushThree, "--engine lockstep --drain 7").out,
            "lockstep: RTL and model agreed on every output in 10 cycles\n");
}

TEST_F(BlockVerb, WritesAWave) {
  EXPECT_EQ(Run(kPushThree, "--wave fifo.fst").exit_code, 0);
  EXPECT_GT(std::filesystem::file_size(scratch_.File("fifo.fst")), 100u);
  const CommandResult model = Run(kPushThree, "--engine model --wave model.fst");
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_THAT(model.err, HasSubstr("a wave of fifo needs its RTL"));
}

TEST_F(BlockVerb, StopsWhereAnRtlAssertionFails) {
  const CommandResult result = Run("push\n1\n1\n1\n1\n1\n", "");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("fifo: an RTL assertion failed in cycle 4"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.File("out.csv")));
}

TEST_F(BlockVerb, RefusesBadInputInOneLine) {
  const CommandResult wide = Run("push,data\n1,256\n", "");
  EXPECT_EQ(wide.exit_code, 2);
  EXPECT_EQ(wide.err,
            "flagstone: in.csv:2:3: '256' is too wide: expected at most 8 bits for data\n");
  const CommandResult parameter = Run(kPushThree, "--param Depth=1000");
  EXPECT_EQ(parameter.exit_code, 2);
  EXPECT_EQ(parameter.err, "flagstone: fifo with Depth=1000: expected 1 to 256\n");
}

// The prefetches that the L1 takes when `flagstone block caps_prefetcher` runs a scene, "warp
// addr".
std::vector<std::string> PrefetchesOf(const std::string& scene) {
  const ScratchFolder scratch;
  const std::string response = scratch.File("out.csv");
  const CommandResult result =
      RunShell("'" + FlagstoneProgram() + "' block caps_prefetcher --engine lockstep --stimulus '" +
               (DataFolder() / "waves/caps_prefetcher" / (scene + ".csv")).string() +
               "' --response '" + response + "'");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream rows(ReadFile(response));
  std::vector<std::string> prefetches;
  size_t valid = 0, addr = 0, warp = 0;
  for (std::string row; std::getline(rows, row);) {
    std::istringstream columns(row);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(columns, cell, ',');) cells.push_back(cell);
    const auto find = [&](const char* name) {
      return static_cast<size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
    };
    if (prefetches.empty() && cells[0] == "probe_valid") {
      valid = find("prefetch_valid"), addr = find("prefetch_addr"), warp = find("prefetch_warp");
    } else if (cells.at(valid) == "1") {
      prefetches.push_back(cells.at(warp) + " " + cells.at(addr));
    }
  }
  return prefetches;
}

// CAPS, Fig. 9: CTAs A, B and C have warps 0 and 1, 2 and 3, 4 and 5.
TEST(CapsFigure9, CaseAPrefetchesForB1AndC1WhenA1Loads) {
  EXPECT_THAT(PrefetchesOf("case_a"), testing::ElementsAre("0x3 0x5200", "0x5 0x9200"));
}

TEST(CapsFigure9, CaseBPrefetchesForB1AfterB0AndForC1AfterC0) {
  EXPECT_THAT(PrefetchesOf("case_b"), testing::ElementsAre("0x3 0x5200", "0x5 0x9200"));
}

}  // namespace block_test
}  // namespace flagstone
