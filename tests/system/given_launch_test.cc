// `analyze`, `order` and `run` on PTX alone, with the launch on the command line.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace given_launch_test {

using ::testing::HasSubstr;
using Json = nlohmann::json;

namespace fs = std::filesystem;

constexpr char kVecadd[] =
    "workloads/vecadd/kernel.ptx --entry vecadd --grid 16 --block 256 --arg a=f32[3990] "
    "--arg b=f32[3990] --arg c=f32[3990] --arg 3990 ";

TEST(GivenLaunch, RunsAsTheWorkloadFileDoes) {
  const CommandResult given = RunFlagstone(
      std::string("run --machine tiny --engine model --store none --json -q ") + kVecadd);
  ASSERT_EQ(given.exit_code, 0) << given.err;
  const CommandResult file =
      RunFlagstone("run --machine tiny --engine model --store none --json -q vecadd");
  const Json ours = Json::parse(given.out), theirs = Json::parse(file.out);
  EXPECT_EQ(ours["totals"]["cycles"], theirs["totals"]["cycles"]);
  EXPECT_EQ(ours["totals"]["warp_instructions"], theirs["totals"]["warp_instructions"]);
  EXPECT_TRUE(ours["checks"].empty());
  EXPECT_EQ(ours["workload"], "kernel");
}

TEST(GivenLaunch, IsAnalyzedAndOrdered) {
  const CommandResult analyzed = RunFlagstone(
      "analyze workloads/matmul/kernel.ptx --grid 4x4 --block 16x16 --arg a=f32[4096] "
      "--arg b=f32[4096] --arg c=f32[4096] --arg 64 -q");
  const CommandResult ordered =
      RunFlagstone(std::string("order --machine tiny -q --order column ") + kVecadd);
  EXPECT_EQ(ordered.exit_code, 0) << ordered.err;
  EXPECT_THAT(ordered.out, HasSubstr("vecadd: 16x1x1 TBs of 256x1x1 threads"));
  EXPECT_THAT(ordered.out, HasSubstr("column: the same as identity on this grid"));
  EXPECT_THAT(analyzed.out + analyzed.err, HasSubstr("4x4x1 TBs of 16x16x1 threads"));
}

// What it prints is a workload.toml that does the same.
TEST(GivenLaunch, ADryRunPrintsTheFileThatItMeans) {
  const ScratchFolder scratch;
  fs::copy("workloads/vecadd/kernel.ptx", scratch.File("kernel.ptx"));
  const CommandResult printed =
      RunFlagstone(std::string("run --dry-run --fill iota --shared 64 ") + kVecadd);
  EXPECT_EQ(printed.out,
            "name = \"kernel\"\n\n[buffer.a]\ntype = \"f32\"\ncount = 3990\nfill = \"iota\"\n"
            "\n[buffer.b]\ntype = \"f32\"\ncount = 3990\nfill = \"iota\"\n"
            "\n[buffer.c]\ntype = \"f32\"\ncount = 3990\nfill = \"iota\"\n"
            "\n[[launch]]\nptx = \"kernel.ptx\"\nentry = \"vecadd\"\ngrid = [16]\nblock = [256]\n"
            "shared = 64\nargs = [\"a\", \"b\", \"c\", { u32 = 3990 }]\n");
  WriteFileAtomically(scratch.File("workload.toml"), printed.out);
  const CommandResult run = RunFlagstone(
      fmt::format("run '{}' --machine tiny --engine model", scratch.File("workload.toml")));
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(GivenLaunch, TakesAnEntryOfTritonsCache) {
  const ScratchFolder scratch;
  const std::string folder = scratch.File("cache");
  fs::create_directory(folder);
  WriteFileAtomically(folder + "/copy.ptx",
                      ".version 8.4\n.target sm_90\n.address_size 64\n"
                      ".visible .entry copy_kernel(.param .u64 .ptr .global .align 1 a,\n"
                      ".param .u64 .ptr .global .align 1 b, .param .u32 n,\n"
                      ".param .u64 .ptr .global .align 1 scratch) {\n"
                      ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
                      "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;\n"
                      "add.u64 %d3, %d1, %d2; ld.global.u32 %r2, [%d3]; ret;\n}\n");
  WriteFileAtomically(folder + "/copy.json",
                      R"({"name": "copy_kernel", "num_warps": 4, "shared": 2048})");
  const std::string use = fmt::format("run '{}' --triton --grid 8 ", folder);
  const CommandResult dry =
      RunFlagstone(use + "--dry-run --arg a=f32[128] --arg b=f32[128] --arg 128");
  EXPECT_THAT(dry.out, HasSubstr("entry = \"copy_kernel\"\ngrid = [8]\nblock = [128]\n"
                                 "shared = 2048\nargs = [\"a\", \"b\", { u32 = 128 }, "
                                 "\"scratch0\"]\n"))
      << dry.err;
  const CommandResult run =
      RunFlagstone(use + "--functional --arg a=f32[128] --arg b=f32[128] --arg 128");
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(GivenLaunch, RefusesBadUseInOneLine) {
  const std::string ptx = "run workloads/vecadd/kernel.ptx ";
  const std::string shape = "--grid 16 --block 256 ";
  const std::string buffers = "--arg a=f32[9] --arg b=f32[9] --arg c=f32[9] ";
  const std::pair<std::string, const char*> kUses[] = {
      {"run vecadd --grid 16", "are of a .ptx file in the place of a workload: 'vecadd' is none"},
      {"run vecadd --dry-run", "'vecadd' is none"},
      {ptx, "is PTX: give --grid too"},
      {ptx + "--grid 16", "is PTX: give --block too"},
      {ptx + shape,
       "'vecadd' takes 4 arguments (.u64 vecadd_param_0, .u64 vecadd_param_1, .u64 "
       "vecadd_param_2, .u32 vecadd_param_3), and --arg gives 0"},
      {ptx + shape + buffers, "and --arg gives 3"},
      {ptx + "--grid 16x --block 256 " + buffers + "--arg 9", "--grid '16x': expected X, XxY"},
      {ptx + "--grid 1x1x1x1 --block 256 " + buffers + "--arg 9", "expected X, XxY or XxYxZ"},
      {ptx + "--grid 0 --block 256 " + buffers + "--arg 9", "numbers from 1"},
      {ptx + shape + buffers + "--arg a=f32[9]", "buffer 'a' is given twice"},
      {ptx + shape + buffers + "--arg d", "--arg 'd': expected d=TYPE[COUNT]"},
      {ptx + shape + buffers + "--arg d=f16[9]", "expected a buffer NAME=TYPE[COUNT]"},
      {ptx + shape + buffers + "--arg d=f32[0]", "expected a buffer NAME=TYPE[COUNT]"},
      {ptx + shape + buffers + "--arg 9..5", "expected a buffer NAME=TYPE[COUNT]"},
      {ptx + shape + buffers + "--arg 9 --shared much", "--shared 'much': expected a number"},
      {ptx + shape + buffers + "--arg 9 --fill ones", "unknown fill 'ones'"},
      {ptx + shape + "--entry nobody", "no entry 'nobody'; there are: vecadd"},
      {ptx + "--triton --grid 8", "--triton: cannot read the folder"},
      {"run workloads/vecadd --triton --grid 8 --entry x", "has 0 .ptx files named 'x'"},
      {"run workloads/vecadd --triton --grid 8", "cannot read"},
  };
  for (const auto& [use, line] : kUses) {
    const CommandResult result = RunFlagstone(use);
    EXPECT_EQ(result.exit_code, 2) << use;
    EXPECT_THAT(result.err, HasSubstr(line)) << use;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

}  // namespace given_launch_test
}  // namespace flagstone
