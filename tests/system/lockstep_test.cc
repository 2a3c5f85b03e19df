// `--engine lockstep` on RTL with a wrong line: the run stops at the first difference and leaves a
// wave of the cycles before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace lockstep_test {

using ::testing::HasSubstr;

// Flagstone's data in a folder of its own, with one replacement in a file of the RTL. The caches of
// good and wrong RTL are apart, since their keys hold the sources.
class WrongRtl {
 public:
  WrongRtl(const std::string& file, const std::string& right, const std::string& wrong) {
    for (const char* folder : {"workloads", "rtl", "gpu_model/machines"}) {
      std::filesystem::create_directories(home() / folder);
      std::filesystem::copy(folder, home() / folder, std::filesystem::copy_options::recursive);
    }
    std::string text = ReadFile(home() / "rtl" / file);
    const size_t at = text.find(right);
    EXPECT_NE(at, std::string::npos) << right;
    text.replace(at, right.size(), wrong);
    std::ofstream(home() / "rtl" / file) << text;
  }

  CommandResult Run(const std::string& arguments) const {
    return RunShell("cd '" + scratch_.path().string() + "' && FLAGSTONE_HOME='" + home().string() +
                    "' XDG_CACHE_HOME='" + scratch_.File("cache") + "' '" + FlagstoneProgram() +
                    "' " + arguments);
  }
  std::filesystem::path home() const { return scratch_.path() / "home"; }
  std::string File(const std::string& name) const { return scratch_.File(name); }

 private:
  ScratchFolder scratch_;
};

TEST(Lockstep, StopsAtTheFirstDifferenceAndWritesTheWaveBeforeIt) {
  // A thief begins at the donor's last id instead of the one after.
  const WrongRtl wrong("paver/paver_task_stealer.sv", "difference_q + CountWidth'(1), tail_q",
                       "difference_q, tail_q");
  const CommandResult result =
      wrong.Run("run vecadd --policy rb --size paper --set sm.count=14 --engine lockstep -q");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("gpu.tb_scheduler.mem_req_addr: model 0x"));
  EXPECT_THAT(result.err, HasSubstr("lockstep-vecadd.fst"));
  EXPECT_GT(ReadFile(wrong.File("lockstep-vecadd.fst")).size(), 500U);
}

// The wave holds the last 200 cycles of the block, up to the one that differs.
TEST(Lockstep, OfOneBlockLeavesItsLast200Cycles) {
  // With one entry the queue says that it is empty.
  const WrongRtl wrong("common/fifo.sv", "count_q != '0;", "count_q > CountWidth'(1);");
  std::string stimulus = "push,data,pop\n";
  for (int cycle = 0; cycle < 300; ++cycle) stimulus += "0,0,0\n";
  std::ofstream(wrong.File("in.csv")) << stimulus << "1,5,0\n0,0,1\n";
  const CommandResult result = wrong.Run(
      "block fifo --param Depth=7 --stimulus in.csv --response out.csv --engine lockstep");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("lockstep: cycle 301, fifo.valid: model 1, rtl 0; wave of "
                                    "cycles 102 to 301: lockstep-fifo.fst"));
  EXPECT_FALSE(std::filesystem::exists(wrong.File("out.csv")));
  // 1000 units of the wave are a cycle.
  const CommandResult times =
      RunShell("fst2vcd '" + wrong.File("lockstep-fifo.fst") + "' | grep '^#' | sed -n '1p;$p'");
  EXPECT_EQ(times.out, "#102000\n#301500\n");
}

}  // namespace lockstep_test
}  // namespace flagstone
