// Answers that would be wrong in silence: of another kernel, of another size, of a check that
// nobody made, of a proof that does not exist.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace wrong_answers_test {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

namespace fs = std::filesystem;

// A folder with a workload of one's own that has no [check], under the name of a built-in one.
class WrongAnswers : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(scratch_.path() / "hotspot");
    WriteFileAtomically(scratch_.path() / "hotspot" / "kernel.ptx", R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry own(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
)");
    WriteFileAtomically(scratch_.path() / "hotspot" / "workload.toml", R"(name = "own"
[buffer.out]
type = "u32"
count = 64
fill = "zero"
[[launch]]
ptx = "kernel.ptx"
entry = "own"
grid = [64]
block = [32]
args = ["out"]
)");
  }
  CommandResult Run(const std::string& arguments) const {
    return RunShell(
        fmt::format("cd '{}' && '{}' {}", scratch_.path().string(), FlagstoneProgram(), arguments));
  }
  ScratchFolder scratch_;
};

TEST_F(WrongAnswers, AFolderNamedAsABuiltInWorkloadIsRefusedWithBothNames) {
  for (const char* arguments :
       {"run hotspot", "compare vecadd hotspot --policy lrr", "analyze hotspot", "order hotspot"}) {
    const CommandResult result = Run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr("expected './hotspot' for the folder, or '")) << arguments;
    EXPECT_THAT(result.err, HasSubstr("workloads/hotspot' for ours")) << arguments;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_THAT(Run("run ./hotspot --engine model -q").out, HasSubstr("own on fermi"));
  const std::string ours = (fs::current_path() / "workloads/hotspot").string();
  EXPECT_THAT(Run("run " + ours + " --engine model -q").out, HasSubstr("hotspot (test) on"));
  // Who stands in the folder of the workloads means these.
  EXPECT_EQ(
      RunShell(fmt::format("cd workloads && '{}' run vecadd --engine model -q", FlagstoneProgram()))
          .exit_code,
      0);
}

TEST_F(WrongAnswers, AnExperimentsNamesAreThoseOfBuiltInWorkloads) {
  WriteFileAtomically(scratch_.File("e.toml"), R"(description = "d"
source = "s"
size = "test"
machines = ["tiny"]
baseline = "lrr"
[[variant]]
name = "lrr"
[[set]]
name = "all"
workloads = ["hotspot"]
[[table]]
name = "cycles"
title = "cycles"
key = "cycles"
)");
  const Json result = Json::parse(Run("reproduce e.toml --engine model -q --json").out);
  EXPECT_EQ(result["runs"][0]["workload"], "hotspot");
}

TEST_F(WrongAnswers, ACheckThatNobodyMadeIsNone) {
  const std::string options = " ./hotspot --engine model -q --machine tiny";
  EXPECT_THAT(Run("compare --policy lrr" + options).out, Not(HasSubstr("passed")));
  EXPECT_THAT(Run("compare --policy lrr" + options).out, HasSubstr("  none\n"));
  EXPECT_THAT(Run("run" + options).out, HasSubstr("checks: none, as the workload has no [check]"));
  Run("compare --policy lrr --csv t.csv" + options);
  const std::string csv = ReadFile(scratch_.File("t.csv"));
  EXPECT_EQ(csv.substr(csv.size() - 2), ",\n");  // the last column, checks_passed, is empty
  WriteFileAtomically(scratch_.File("s.toml"), R"(description = "d"
machines = ["tiny"]
workloads = ["./hotspot"]
size = "test"
engine = "model"
[[variant]]
name = "lrr"
)");
  Run("sweep run s.toml -q --store s");
  const Json rows = Json::parse(Run("sweep collect s.toml --json - --store s").out)["rows"];
  EXPECT_TRUE(rows[0]["checks_passed"].is_null()) << rows;
  EXPECT_EQ(rows[0]["engine"], "model");
  EXPECT_EQ(rows[0]["status"], "done");
  EXPECT_TRUE(rows[0]["size"].is_null());
}

// What runs then is the file as it stands.
TEST_F(WrongAnswers, ASizeThatAWorkloadLacksIsSaidAndInTheRecord) {
  const std::string warning = "warning: own has no size 'medium': it is run as it stands";
  const CommandResult own = Run("run ./hotspot --size medium --engine model -q --json");
  EXPECT_THAT(own.err, HasSubstr(warning));
  EXPECT_TRUE(Json::parse(own.out)["size"].is_null());
  EXPECT_EQ(Json::parse(own.out)["asked_size"], "medium");
  EXPECT_EQ(Run("run ./hotspot --engine model -q").err, "");
  WriteFileAtomically(
      scratch_.File("hotspot/sized.toml"),
      ReadFile(scratch_.File("hotspot/workload.toml")) + "[[size.test.launch]]\ngrid = [4]\n");
  const std::string sized = "warning: own has no size 'medium': it is run at size 'paper'";
  const CommandResult table =
      Run("compare hotspot/sized.toml --size medium --policy lrr --engine model -q");
  EXPECT_THAT(table.err, HasSubstr(sized));
  EXPECT_THAT(table.out, HasSubstr("hotspot/sized.toml (paper)"));
  EXPECT_THAT(Run("analyze hotspot/sized.toml --size medium -q").err, HasSubstr(sized));
  EXPECT_EQ(Run("run hotspot/sized.toml --size paper --engine model -q").err, "");
  EXPECT_EQ(Run("run hotspot/sized.toml --size test --engine model -q").err, "");
}

TEST(Proofs, AnUnknownNameIsAnErrorAndTheReadmesExampleIsNone) {
  const std::string run = "tests/blocks/formal/run ";
  const std::string rows = fmt::format("FLAGSTONE_BLOCK_ROWS='{}/tests/blocks/stimuli/block_rows' ",
                                       fs::path(FlagstoneProgram()).parent_path().string());
  const CommandResult unknown = RunShell(rows + run + "tb_conservation");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown name 'tb_conservation': expected some of: "));
  EXPECT_EQ(RunShell(rows + run + "--seeded no_such_bug").exit_code, 2);
  EXPECT_EQ(RunShell(rows + run + "--sedeed").exit_code, 2);
  const std::string readme = ReadFile("tests/README.md");
  const size_t at = readme.find(run) + run.size();
  const std::string name = readme.substr(at, readme.find(' ', at) - at);
  EXPECT_THAT(unknown.err, HasSubstr(" " + name + " ")) << "tests/README.md";
}

}  // namespace wrong_answers_test
}  // namespace flagstone
