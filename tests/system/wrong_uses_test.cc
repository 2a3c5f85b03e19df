// Wrong uses of the command: each ends with one line that says what is wrong, and its exit code.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "tests/system/command.h"

namespace flagstone {
namespace wrong_uses_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kPtx[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  .reg .f32 %f<3>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd2], %f2;
  ret;
}
)";

constexpr char kWorkload[] = R"(name = "scale"
[buffer.in]
type = "f32"
count = 1024
fill = "iota"
[buffer.out]
type = "f32"
count = 1024
fill = "zero"
[[launch]]
ptx = "kernel.ptx"
entry = "scale"
grid = [8, 1, 1]
block = [128, 1, 1]
args = ["in", "out", { u32 = 1024 }]
)";

// Made of the workload by one replacement each.
const std::map<std::string, std::pair<std::string, std::string>> kVariants = {
    {"huge", {"[8, 1, 1]", "[2147483647, 65535, 65535]"}},
    {"neg", {"[8, 1, 1]", "[-1, 1, 1]"}},
    {"zero", {"[8, 1, 1]", "[0, 1, 1]"}},
    {"flt", {"[8, 1, 1]", "[1.5, 1, 1]"}},
    {"block", {"[128, 1, 1]", "[4096, 1, 1]"}},
    {"key", {"fill = \"iota\"", "fil = \"iota\""}},
    {"arg", {"\"out\", {", "\"oot\", {"}},
    {"argn", {", { u32 = 1024 }", ""}},
    {"argt", {"u32 = 1024", "f32 = 1024"}},
    {"entry", {"entry = \"scale\"", "entry = \"scala\""}},
    {"noptx", {"kernel.ptx", "nope.ptx"}},
    {"truncptx", {"kernel.ptx", "truncated.ptx"}},
    {"emptyptx", {"kernel.ptx", "empty.ptx"}},
    {"binptx", {"kernel.ptx", "bin.ptx"}},
    {"dirptx", {"kernel.ptx", "."}},
    {"quote", {"name = \"scale\"", "name = \"scale"}},
    {"small", {"fill = \"zero\"", "fill = \"file\"\nfile = \"small.bin\""}},
    {"hugebuf", {"count = 1024\nfill = \"zero\"", "count = 99999999999999\nfill = \"zero\""}},
    {"oob", {"count = 1024\nfill = \"iota\"", "count = 100\nfill = \"iota\""}},
    {"rtol", {"[[launch]]", "[check.out]\nfile = \"zeros.bin\"\nrtol = -1\n[[launch]]"}},
    {"wrong", {"[[launch]]", "[check.out]\nfile = \"zeros.bin\"\n[[launch]]"}},
};

class WrongUse : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new ScratchFolder;
    Write("kernel.ptx", kPtx);
    Write("truncated.ptx", std::string(kPtx).substr(0, std::string(kPtx).find("%rd1, [in]")));
    Write("empty.ptx", "");
    Write("bin.ptx", std::string("\x7f\0\1\2", 4));
    Write("small.bin", std::string(100, '\0'));
    Write("zeros.bin", std::string(4096, '\0'));
    Write("empty.toml", "");
    Write("workload.toml", kWorkload);
    Write("plan.toml",
          "description = \"d\"\nmachines = [\"tiny\"]\nworkloads = [\"vecadd\"]\nsize = "
          "\"test\"\nengine = \"model\"\n[[variant]]\nname = \"lrr\"\n");
    Write("in.csv", "push,data,pop\n1,2,0\n");
    for (const auto& [name, change] : kVariants) {
      std::string text = kWorkload;
      const size_t at = text.find(change.first);
      ASSERT_NE(at, std::string::npos) << name;
      Write(name + ".toml", text.replace(at, change.first.size(), change.second));
    }
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_->File(name), std::ios::binary) << text;
  }
  static CommandResult Run(const std::string& arguments) {
    return RunShell(
        fmt::format("cd '{}' && '{}' {}", folder_->path().string(), FlagstoneProgram(), arguments));
  }

  static ScratchFolder* folder_;
};
ScratchFolder* WrongUse::folder_ = nullptr;

struct Case {
  const char* arguments;
  int exit_code;
  const char* says;
};

constexpr char kRange[] = "expected a whole number from";

constexpr Case kCases[] = {
    // Verbs and workloads.
    {"run", 2, "workload is required"},
    {"run ''", 2, "expected a workload's name or path, found nothing"},
    {"frobnicate", 2, "unknown verb 'frobnicate': expected one of list, analyze"},
    {"rnu workload.toml", 2, "unknown verb 'rnu': did you mean 'run'?"},
    {"help frobnicate", 2, "unknown verb 'frobnicate'"},
    {"run nosuchworkload", 2, "unknown workload 'nosuchworkload'"},
    {"run none.toml", 2, "cannot read 'none.toml': No such file or directory"},
    {"run ./", 0, ""},
    {"run .", 0, ""},
    {"run kernel.ptx", 2, "'kernel.ptx' is PTX: give --grid too"},
    {"run workload.toml workload.toml", 2, "'run' takes no further argument"},
    {"list nothing", 2, "unknown kind 'nothing'"},
    {"reproduce nosuch", 2, "unknown experiment 'nosuch'"},
    {"compare", 2, "required"},
    // Options and names.
    {"run workload.toml --polcy rb", 2, "'run' has no option '--polcy': did you mean '--policy'?"},
    {"run workload.toml --polcy=rb", 2, "did you mean '--policy'?"},
    {"analyze workload.toml --granulrity line", 2, "did you mean '--granularity'?"},
    {"run workload.toml --nonsense", 2, "'run' has no option '--nonsense'"},
    {"run workload.toml --policy xyz", 2, "policy 'xyz' is unknown"},
    {"run workload.toml --policy ''", 2, "policy '' is unknown"},
    {"run workload.toml --machine gtx9999", 2, "unknown machine 'gtx9999'"},
    {"run workload.toml --machine ''", 2, "unknown machine ''"},
    {"run workload.toml --size big", 2, "unknown size 'big'"},
    {"run workload.toml --engine fpga", 2, "unknown engine 'fpga'"},
    {"run workload.toml --prefetch none --warp-scheduler zzz", 2, "unknown warp scheduler 'zzz'"},
    {"run workload.toml --set sm.count=abc", 2, "expected an integer from 1 to"},
    {"run workload.toml --set sm.count=-3", 2, "expected an integer from 1 to"},
    {"run workload.toml --set sm.count=0", 2, "expected an integer from 1 to"},
    {"run workload.toml --set sm.count", 2, "expected KEY=VALUE"},
    {"run workload.toml --set =3", 2, "expected KEY=VALUE"},
    {"run workload.toml --set sm.count=1000000", 2, "expected an integer from 1 to"},
    {"run workload.toml --set sm.l1.size_kib=16.5", 2, "expected an integer from 1 to"},
    {"run workload.toml --set sm.l1.size_kib=17", 2,
     "sm.l1.size_kib is 17: 34 sets of 4 lines: expected a power of two"},
    {"run workload.toml --set l1.size=16", 2, "nearest known keys are sm.l1.size_kib"},
    {"run workload.toml --set SM.COUNT=4", 2, "nearest known keys are sm.count"},
    {"run workload.toml --granularity line", 2, "'run' has no option '--granularity'"},
    {"analyze workload.toml --dump nothing", 2, "unknown stage 'nothing'"},
    {"analyze workload.toml --granularity page", 2, "unknown granularity 'page'"},
    // What is given twice.
    {"run workload.toml --policy lrr --policy rb", 2,
     "--policy is given 2 times: expected it once"},
    {"run workload.toml --json a --json b", 2, "--json is given 2 times"},
    {"run workload.toml --functional --functional", 2, "--functional is given 2 times"},
    {"run workload.toml --set sm.count=2 --set sm.count=3", 2, "'sm.count' is given twice"},
    {"run workload.toml --input in=small.bin --input in=zeros.bin", 2, "'in' is given twice"},
    {"run workload.toml --dump-buffer out=a --dump-buffer out=b", 2, "'out' is given twice"},
    {"run workload.toml --policy rb:leaves=even:leaves=fit", 2, "'leaves' is given twice"},
    {"compare workload.toml --policy lrr,lrr", 2, "--policy: 'lrr' is given twice"},
    {"compare workload.toml --machine tiny,tiny", 2, "--machine: 'tiny' is given twice"},
    {"compare workload.toml --prefetch caps,caps", 2, "--prefetch: 'caps' is given twice"},
    {"compare workload.toml workload.toml", 2, "'workload.toml' is given twice"},
    {"compare all vecadd", 2, "workload 'vecadd' is given twice"},
    {"analyze workload.toml --policy rb,rb", 2, "'rb' is given twice"},
    {"reproduce peer-set --set sm.count=2 --set sm.count=3", 2, "'sm.count' is given twice"},
    {"synth fifo fifo", 2, "'fifo' is given twice"},
    {"synth fifo --param Depth=8 --param Depth=16", 2, "'Depth' is given twice"},
    {"block fifo --stimulus in.csv --response r.csv --param Depth=8 --param Depth=4", 2,
     "'Depth' is given twice"},
    {"report a.json a.json", 2, "'a.json' is given twice"},
    // Two outputs of a run may not be one file.
    {"run workload.toml --json x --timeline x", 2, "--timeline both write 'x'"},
    {"run workload.toml --json x --timeline ./x", 2, "both write"},
    {"run workload.toml --report x --checkpoint x", 2, "both write 'x'"},
    {"run workload.toml --dump-buffer in=x --dump-buffer out=x", 2, "both write 'x'"},
    {"run workload.toml --dump-buffer out=x --wave x", 2, "both write 'x'"},
    {"run workload.toml --input in=zeros.bin --dump-buffer out=zeros.bin", 2,
     "--dump-buffer would overwrite 'zeros.bin', which --input reads"},
    {"compare workload.toml --policy lrr --csv x --json x", 2, "both write 'x'"},
    {"block fifo --stimulus in.csv --response in.csv", 2,
     "--response would overwrite 'in.csv', which --stimulus reads"},
    {"block fifo --stimulus in.csv --response r.csv --wave r.csv", 2, "both write 'r.csv'"},
    {"report workload.toml -o ./workload.toml", 2, "would overwrite 'workload.toml'"},
    {"diff a.json b.json --json a.json", 2, "--json would overwrite 'a.json', which a reads"},
    {"synth fifo --netlist x --treemap x", 2, "both write 'x'"},
    {"order workload.toml --emit cuda --json", 2, "only one of --emit and --json"},
    // Numbers.
    {"run workload.toml --threads 0", 2, "expected a whole number from 1 to 64"},
    {"run workload.toml --threads 1000", 2, "expected a whole number from 1 to 64"},
    {"run workload.toml --threads x", 2, "expected a whole number from 1 to 64"},
    {"run workload.toml --threads 1.5", 2, "expected a whole number from 1 to 64"},
    {"compare workload.toml --jobs 0", 2, "expected a whole number from 1 to 1024"},
    {"compare workload.toml --jobs -1", 2, "expected a whole number from 1 to 1024"},
    {"run workload.toml --max-cycles -5", 2, kRange},
    {"run workload.toml --max-cycles 0", 2, kRange},
    {"run workload.toml --max-cycles 99999999999999999999", 2, kRange},
    {"run workload.toml --max-cycles ''", 2, kRange},
    {"run workload.toml --max-instructions -1 --functional", 2, kRange},
    {"run workload.toml --wave x.fst --wave-from -1", 2, kRange},
    {"run workload.toml --wave x.fst --wave-to 1e6", 2, kRange},
    {"run workload.toml --timeline x.json --timeline-from -1", 2, kRange},
    {"run workload.toml --timeline x.json --timeline-to 18446744073709551616", 2, kRange},
    {"run workload.toml --seed abc", 2, kRange},
    {"run workload.toml --seed -1", 2, kRange},
    {"analyze workload.toml --seed 99999999999999999999", 2, kRange},
    {"reproduce peer --seed -1", 2, kRange},
    {"block fifo --stimulus in.csv --response r.csv --drain -1", 2, kRange},
    {"synth fifo --clock 0", 2, "expected a number from 1 to 10000"},
    {"synth fifo --clock nan", 2, "expected a number from 1 to 10000"},
    {"synth fifo --wire -1", 2, "expected a number from 0 to 1000"},
    // Options that do not go together.
    {"run workload.toml --functional --max-cycles 10", 2, "--max-instructions N limits it"},
    {"run workload.toml --max-instructions 10", 2, "--max-cycles N limits a simulation"},
    {"analyze workload.toml --max-instructions 10", 2, "--max-instructions limits --data known"},
    {"run workload.toml --wave-from 100 --wave-to 50 --wave x.fst", 2, "is after --wave-to 50"},
    {"run workload.toml --wave-to 10", 2, "give --wave FILE.fst too"},
    {"run workload.toml --wave-on steal", 2, "give --wave FILE.fst too"},
    {"run workload.toml --wave-on stale --wave x.fst", 2, "unknown event 'stale'"},
    {"run workload.toml --wave-on steal --wave x.fst --wave-from 3", 2, "expected no --wave-from"},
    {"run workload.toml --wave-on mismatch --wave x.fst", 2, "give --engine lockstep too"},
    {"run workload.toml --wave-before 10 --wave x.fst", 2, "give --wave-on EVENT too"},
    {"run workload.toml --wave-scope gpu.nothing --wave y.fst", 2, "no hardware block is at"},
    {"run workload.toml --functional --timeline t.json", 2, "--functional has none"},
    {"run workload.toml --json - --timeline -", 2, "only one of --json and --timeline can go to"},
    {"compare workload.toml --policy lrr --json --csv -", 2, "only one of --json and --csv"},
    {"run workload.toml --checkpoint -", 2, "expected a file, not -"},
    {"run workload.toml --functional --wave x.fst", 2, "--wave is of cycles, and --functional has"},
    {"run workload.toml --functional --miss-classes", 2, "--miss-classes is of cycles"},
    {"run workload.toml --functional --cold-l2", 2, "--cold-l2 is of cycles"},
    {"run workload.toml --functional --prefetch caps", 2, "--prefetch is of cycles"},
    {"run workload.toml --functional --warp-scheduler gto", 2, "--warp-scheduler is of cycles"},
    {"run workload.toml --functional --engine lockstep", 2, "--engine lockstep is of cycles"},
    {"analyze workload.toml --dump graph --json", 2, "expected no --report and no --json"},
    {"synth fifo --points --netlist x.v", 2, "--points maps for several clocks"},
    {"synth fifo --param Style=4294967297", 2, "expected NAME=NUMBER, a number of 32 bits"},
    {"synth lrr_tb_scheduler --netlist x.v", 2, "expected --machine, or '--param NumSm=15"},
    {"synth fifo lru_of_4 --netlist x.v", 2, "expected the name of one block, found"},
    {"sweep collect plan.toml --jobs 3", 2, "--jobs does nothing here: it is an option of"},
    {"sweep report plan.toml --csv x.csv", 2, "it is an option of 'flagstone sweep collect'"},
    {"sweep run plan.toml --batch x", 2, "--batch does nothing here"},
    {"sweep run plan.toml --store-any-engine", 2, "expected the plan's key 'engine' instead"},
    {"sweep plan plan.toml --columns cycles", 2, "--columns does nothing here"},
    {"sweep collect plan.toml --columns cycles,cycles", 2, "'cycles' is given twice"},
    {"order workload.toml --order identity,identity", 2, "'identity' is given twice"},
    {"store list --store workload.toml", 2, "'workload.toml' is no folder"},
    {"store verify --store ./nowhere", 2, "there is no folder './nowhere'"},
    // Files to write.
    {"run workload.toml --wave /nonexistent/x.fst", 3, "cannot write '/nonexistent/x.fst'"},
    {"run workload.toml --wave .", 3, "cannot write '.': it is a directory"},
    {"run workload.toml --wave ''", 2, "expected the name of a file, found nothing"},
    {"run workload.toml --wave /dev/full", 3, "cannot write '/dev/full': No space left"},
    {"run workload.toml --json /dev/full", 3, "cannot write '/dev/full': No space left"},
    {"run workload.toml --json /nonexistent/dir/x.json", 3, "No such file or directory"},
    {"run workload.toml --json .", 3, "cannot write '.': it is a directory"},
    {"run workload.toml --timeline /dev/full", 3, "cannot write '/dev/full': No space left"},
    {"run workload.toml --checkpoint /dev/full", 3, "cannot write '/dev/full': No space left"},
    {"run workload.toml --checkpoint .", 3, "cannot write '.': it is a directory"},
    {"run workload.toml --dump-buffer out=/dev/full", 3, "cannot write '/dev/full'"},
    {"compare workload.toml --policy lrr --csv /dev/full", 3, "cannot write '/dev/full'"},
    {"analyze workload.toml --graph g.xyz", 2, "a graph file ends in .graph"},
    {"analyze workload.toml --graph ''", 2, "expected the name of a file, found nothing"},
    {"run workload.toml >/dev/full", 3, "cannot write to stdout"},
    // Files to read.
    {"run workload.toml --resume workload.toml", 2, "'workload.toml' is no whole checkpoint"},
    {"run workload.toml --resume none.ck", 2, "cannot read 'none.ck'"},
    {"run workload.toml --resume ''", 2, "expected the name of a file, found nothing"},
    {"run workload.toml --input in=/nonexistent", 2, "cannot read '/nonexistent'"},
    {"run workload.toml --input nope=small.bin", 2, "input 'nope': expected one of in, out"},
    {"run workload.toml --input in=small.bin", 2, "small.bin' has 100 bytes: expected 4096"},
    {"run workload.toml --input in", 2, "expected NAME=FILE"},
    {"run workload.toml --dump-buffer nope=x.bin", 2, "unknown buffer 'nope': expected one of in"},
    {"run workload.toml --dump-buffer out", 2, "expected NAME=FILE"},
    {"block nosuch", 2, "unknown block 'nosuch'"},
    {"block fifo --stimulus /nonexistent --response r.csv", 2, "cannot read '/nonexistent'"},
    {"block fifo --param Depth=0 --stimulus in.csv --response r.csv", 2, "expected 1 to 256"},
    {"block fifo --param Foo=3 --stimulus in.csv --response r.csv", 2, "no such parameter"},
    {"block fifo --stimulus kernel.ptx --response r.csv", 2, "kernel.ptx:1:1: unknown column"},
    {"synth nosuchblock", 2, "unknown block 'nosuchblock'"},
    {"synth fifo --library kernel.ptx", 2, "kernel.ptx:1: expected 'library (NAME) {'"},
    {"synth fifo --library nolib", 2, "cannot read 'nolib'"},
    // Workloads that hold something wrong.
    {"run huge.toml", 2, "expected at most 4294967296: TB ids have 32 bits"},
    {"run neg.toml", 2, "grid.x is -1: expected an integer from 1"},
    {"run zero.toml", 2, "grid.x is 0: expected an integer from 1"},
    {"run flt.toml", 2, "grid.x is a float: expected an integer from 1"},
    {"run block.toml", 2, "block.x is 4096: expected an integer from 1 to 1024"},
    {"run key.toml", 2, "unknown key 'fil'"},
    {"run arg.toml", 2, "unknown buffer 'oot': expected one of in, out"},
    {"run argn.toml", 2, "'scale' is given 2 arguments: expected 3"},
    {"run argt.toml", 2, "argument 3 of 'scale' is a scalar f32"},
    {"run entry.toml", 2, "kernel.ptx: no entry 'scala'; there are: scale"},
    {"run noptx.toml", 2, "cannot read 'nope.ptx'"},
    {"run truncptx.toml", 2, "truncated.ptx:14:"},
    {"run emptyptx.toml", 2, "empty.ptx:1:1: expected '.version'"},
    {"run binptx.toml", 2, "bin.ptx:1:1: expected '.version'"},
    {"run dirptx.toml", 2, "it is a directory"},
    {"run quote.toml", 2, "quote.toml:1:"},
    {"run empty.toml", 2, "empty.toml:1:1: missing key 'name'"},
    {"run small.toml", 2, "'small.bin' has 100 bytes: expected 4096"},
    {"run hugebuf.toml", 2, "key 'count' is 99999999999999"},
    {"run rtol.toml", 2, "key 'rtol' is -1"},
    // Runs that fail.
    {"run oob.toml", 1, "out-of-bounds load of 4 bytes"},
    {"run workload.toml --max-cycles 10", 1, "cycle limit of 10 reached"},
    {"run workload.toml --functional --max-instructions 10", 1,
     "limit of 10 warp instructions reached after 0 of 8 TBs"},
};

TEST_F(WrongUse, EndsWithOneLineThatSaysWhatIsWrong) {
  for (const Case& each : kCases) {
    const CommandResult result = Run(std::string(each.arguments) + " -q");
    const bool takes_quiet = result.err.find("'-q'") == std::string::npos;
    const CommandResult shown = takes_quiet ? result : Run(each.arguments);
    EXPECT_EQ(shown.exit_code, each.exit_code) << each.arguments << "\n" << shown.err;
    if (each.exit_code == 0) continue;
    EXPECT_THAT(shown.err, HasSubstr(each.says)) << each.arguments;
    EXPECT_THAT(shown.err, StartsWith("flagstone: ")) << each.arguments;
    EXPECT_EQ(std::count(shown.err.begin(), shown.err.end(), '\n'), 1) << each.arguments << "\n"
                                                                       << shown.err;
    if (each.exit_code == 2) {
      EXPECT_EQ(shown.out, "") << each.arguments;
    }
  }
}

TEST_F(WrongUse, LeavesNoTemporaryFileBehind) {
  for (const auto& entry : std::filesystem::directory_iterator(folder_->path())) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
    EXPECT_NE(entry.path().extension(), ".hier") << entry.path();
  }
}

TEST_F(WrongUse, FailedChecksShowTheirFirstElements) {
  const CommandResult result = Run("run wrong.toml -q");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("check out: FAILED (largest error 2.05e+03; 1023 wrong)\n"
                                    "  out[1]: got 2, expected 0\n"
                                    "  out[2]: got 4, expected 0\n"
                                    "  out[3]: got 6, expected 0\n"
                                    "  out[4]: got 8, expected 0\n"
                                    "  out[5]: got 10, expected 0\n"));
}

TEST_F(WrongUse, HelpIsAlsoAVerb) {
  EXPECT_EQ(Run("help run").out, Run("run --help").out);
  EXPECT_EQ(Run("help").out, Run("--help").out);
  EXPECT_EQ(Run("help").exit_code, 0);
}

}  // namespace wrong_uses_test
}  // namespace flagstone
