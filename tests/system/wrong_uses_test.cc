// Wrong uses of the command: each ends with one line that says what is wrong, and its exit code.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace wrong_uses_test {

using ::testing::HasSubstr;
using ::testing::Not;
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
    {"nan", {"count = 1024\nfill = \"iota\"", "count = nan\nfill = \"iota\""}},
    {"big", {"u32 = 1024", "u32 = 4294967296"}},
    {"minmax", {"fill = \"iota\"", "fill = \"uniform\"\nmin = 5\nmax = 1"}},
    {"value", {"fill = \"iota\"", "fill = \"constant\"\nvalue = 1e60"}},
    {"spare",
     {"[[launch]]", "[buffer.spare]\ntype = \"f32\"\ncount = 4\nfill = \"zero\"\n[[launch]]"}},
    {"filled", {"fill = \"zero\"", "fill = \"file\"\nfile = \"zeros.bin\""}},
};

constexpr char kPlan[] = R"(description = "d"
machines = ["tiny"]
workloads = ["vecadd"]
size = "test"
engine = "model"
[[variant]]
name = "lrr"
)";

constexpr char kExperiment[] = R"(description = "d"
source = "s"
size = "test"
machines = ["tiny"]
baseline = "lrr"
[[variant]]
name = "lrr"
[[set]]
name = "all"
workloads = ["vecadd"]
[[table]]
name = "cycles"
title = "cycles"
key = "cycles"
)";

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
    Write("plan.toml", kPlan);
    Write("axis.toml", std::string(kPlan) + "[axes]\nname = [\"a\", \"b\"]\n");
    Write("experiment.toml", kExperiment);
    Write("head.csv", "push,data,pop\n");
    Write("void.csv", "");
    std::string crlf = kWorkload;
    for (size_t at = 0; (at = crlf.find('\n', at)) != std::string::npos; at += 2) {
      crlf.insert(at, "\r");
    }
    Write("crlf.toml", crlf);
    std::filesystem::create_symlink("loop.toml", folder_->File("loop.toml"));
    Write("in.csv", "push,data,pop\n1,2,0\n");
    Write("unnamed.toml", "base = \"tiny\"\nsm.count = 3\n");
    Write("mine.toml", "name = \"mine\"\nbase = \"tiny\"\nsm.count = 3\n");
    Write("mine2.toml", "name = \"mine\"\nbase = \"tiny\"\nsm.count = 4\n");
    Write("placed", "not read before it would be overwritten");
    std::filesystem::create_directory(folder_->path() / "empty");
    ASSERT_EQ(RunShell("mkfifo " + folder_->File("pipe.toml")).exit_code, 0);
    for (const auto& [name, change] : kVariants) {
      std::string text = kWorkload;
      const size_t at = text.find(change.first);
      ASSERT_NE(at, std::string::npos) << name;
      Write(name + ".toml", text.replace(at, change.first.size(), change.second));
    }
    const std::string run = "run workload.toml --machine tiny --engine model -q --json ";
    ASSERT_EQ(Run(run + "result.json --checkpoint saved.ck").exit_code, 0);
    ASSERT_EQ(Run(run + "other.json --policy rb").exit_code, 0);
    ASSERT_EQ(Run("report result.json -o page.html").exit_code, 0);
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  static void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_->File(name), std::ios::binary) << text;
  }
  // The folder's files and their contents.
  static std::map<std::string, std::string> Files() {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_->path())) {
      const std::string name = entry.path().filename().string();
      const bool is_link = entry.is_symlink();  // one leads to itself
      files[name] = !is_link && entry.is_regular_file() ? ReadFile(entry.path()) : "";
    }
    return files;
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
    {"analyze workload.toml --max-instructions 10", 2, "here: it limits --data known"},
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
    {"run workload.toml --functional --wave x.fst", 2,
     "--wave does nothing here: it is of cycles, and --functional has none"},
    {"run workload.toml --functional --miss-classes", 2, "--miss-classes does nothing here: it is"},
    {"run workload.toml --functional --cold-l2", 2, "--cold-l2 does nothing here: it is of cycles"},
    {"run workload.toml --functional --prefetch caps", 2, "--prefetch does nothing here: it is of"},
    {"run workload.toml --functional --warp-scheduler gto", 2, "--warp-scheduler does nothing"},
    {"run workload.toml --functional --engine lockstep", 2, "--engine does nothing here: it is of"},
    {"analyze workload.toml --dump graph --json", 2, "expected no --report and no --json"},
    {"synth fifo --fpga ecp5", 2, "'ecp5': expected ice40"},
    {"synth fifo --fpga ice40 --clock 100", 2,
     "--clock does nothing here: it is of a cell library"},
    {"synth fifo --fpga ice40 --prove", 2, "--prove does nothing here: it is of a cell library's"},
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
    // Files that have no end, come once, or are none.
    {"run /dev/zero", 2, "cannot read '/dev/zero': it is a device: expected a regular file"},
    {"run ./pipe.toml", 2, "cannot read './pipe.toml': it is a pipe: expected a regular file"},
    {"run workload.toml --machine /dev/zero", 2, "it is a device"},
    {"run workload.toml --machine ./pipe.toml", 2, "it is a pipe"},
    {"run workload.toml --input in=/dev/zero", 2, "it is a device"},
    {"run workload.toml --policy groups:/dev/zero", 2, "it is a device"},
    {"run workload.toml --policy groups:.", 2, "it is a directory"},
    {"run workload.toml --resume pipe.toml", 2, "it is a pipe"},
    {"compare /dev/zero", 2, "it is a device"},
    {"analyze /dev/zero", 2, "it is a device"},
    {"order /dev/zero", 2, "it is a device"},
    {"reproduce /dev/zero", 2, "it is a device"},
    {"sweep plan /dev/zero", 2, "it is a device"},
    {"report /dev/zero", 2, "it is a device"},
    {"diff result.json pipe.toml", 2, "it is a pipe"},
    {"block fifo --stimulus /dev/zero --response r.csv", 2, "it is a device"},
    {"synth fifo --library /dev/zero", 2, "it is a device"},
    {"synth fifo --activity /dev/zero", 2, "it is a device"},
    {"run empty", 2, "unknown workload 'empty': it is a folder without a workload.toml"},
    {"run ./kernel.ptx", 2, "'./kernel.ptx' is PTX: give --grid too"},
    {"compare ./kernel.ptx", 2, "unknown workload './kernel.ptx': it is a .ptx file: expected a"},
    {"analyze page.html", 2, "it is a .html file: expected a workload.toml"},
    {"report page.html", 2, "'page.html' is a page: expected the JSON that 'flagstone report"},
    {"diff result.json page.html", 2, "'page.html' is a page"},
    // What a command reads it does not write.
    {"run workload.toml --json workload.toml", 2,
     "--json would overwrite 'workload.toml', which workload reads: expected different files"},
    {"run . --json workload.toml", 2, "would overwrite './workload.toml', which workload reads"},
    {"run workload.toml --json kernel.ptx", 2, "would overwrite 'kernel.ptx'"},
    {"run workload.toml --wave kernel.ptx", 2, "--wave would overwrite 'kernel.ptx'"},
    {"run wrong.toml --dump-buffer out=zeros.bin", 2, "--dump-buffer would overwrite 'zeros.bin'"},
    {"run filled.toml --dump-buffer out=./zeros.bin", 2, "would overwrite 'zeros.bin'"},
    {"run workload.toml --machine mine.toml --json mine.toml", 2, "which --machine reads"},
    {"run workload.toml --policy groups:placed --json placed", 2, "which --policy reads"},
    {"run workload.toml --resume saved.ck --json saved.ck", 2, "which --resume reads"},
    {"compare workload.toml --csv kernel.ptx", 2, "--csv would overwrite 'kernel.ptx'"},
    {"compare wrong.toml workload.toml --csv wrong.toml", 2, "would overwrite 'wrong.toml'"},
    {"analyze workload.toml --json workload.toml", 2, "would overwrite 'workload.toml'"},
    {"analyze workload.toml --policy groups:placed --json placed", 2, "which --policy reads"},
    {"order workload.toml --emit ptx -o kernel.ptx", 2, "--output would overwrite 'kernel.ptx'"},
    {"order workload.toml --report workload.toml", 2, "--report would overwrite 'workload.toml'"},
    {"reproduce experiment.toml --json experiment.toml", 2, "which experiment reads"},
    {"sweep collect plan.toml --csv plan.toml", 2, "which plan reads"},
    {"synth fifo --library ./placed --netlist placed", 2, "which --library reads"},
    // Names that promise another kind of file.
    {"synth fifo --treemap x.png", 2, "--treemap x.png: what it writes is SVG: expected a name"},
    {"synth fifo --netlist x.json", 2,
     "what it writes is Verilog: expected a name that ends in .v"},
    {"run workload.toml --wave x.vcd", 2, "what it writes is an FST: expected a name that ends"},
    {"run workload.toml --report x.pdf", 2, "expected a name that ends in .html"},
    {"run workload.toml --json x.csv", 2, "what it writes is JSON"},
    {"run workload.toml --json x.json.gz", 2, "what it writes is JSON"},
    {"run workload.toml --timeline x.html", 2, "what it writes is JSON"},
    {"compare workload.toml --csv x.xlsx", 2, "what it writes is CSV"},
    {"sweep collect plan.toml --sqlite x.csv", 2, "what it writes is a database"},
    {"sweep report plan.toml -o x.csv", 2, "what it writes is a page"},
    {"report result.json -o x.json", 2, "what it writes is a page"},
    {"order workload.toml --emit cuda -o x.ptx", 2, "what it writes is CUDA C++"},
    {"order workload.toml --emit triton -o x.cu", 2, "what it writes is Python"},
    {"block fifo --stimulus in.csv --response x.fst", 2, "what it writes is CSV"},
    // A word that --json would take.
    {"run --json vecadd", 2, "--json: 'vecadd' stands where its FILE would: expected --json at"},
    {"compare --json vecadd workload.toml", 2, "'vecadd' stands where its FILE would"},
    {"list --json machines", 2, "'machines' stands where its FILE would"},
    {"store --json list", 2, "'list' stands where its FILE would"},
    {"synth --json fifo", 2, "'fifo' stands where its FILE would"},
    {"reproduce --json peer", 2, "'peer' stands where its FILE would"},
    {"run --json workload.toml", 2,
     "workload is required: --json took 'workload.toml' as its FILE"},
    // Options that do nothing in this use.
    {"reproduce ladm-table4 --perturb 2", 2, "--perturb does nothing here"},
    {"run vecadd --sample 0", 2, "--sample"},
    {"run vecadd --sample 3 --functional", 2,
     "--sample leaves TBs out, and --functional is of all"},
    {"run vecadd --sample 3 --timeline t.json", 2, "--sample leaves TBs out, and --timeline"},
    {"run workload.toml --wave-from 0", 2, "--wave-from does nothing here"},
    {"run workload.toml --wave-before 200", 2, "--wave-before does nothing here"},
    {"run workload.toml --wave x.fst --wave-after 200", 2, "give --wave-on EVENT too"},
    {"run workload.toml --timeline-from 0", 2, "give --timeline FILE.json too"},
    {"run workload.toml -v", 2, "--verbose does nothing here: --quiet asks for the opposite"},
    {"analyze workload.toml -v", 2, "'analyze' has no option '-v'"},
    {"run workload.toml --warp-scheduler lrr --set sm.warp_scheduler=gto", 2,
     "--set does nothing here: --warp-scheduler takes the place of sm.warp_scheduler"},
    {"run workload.toml --prefetch caps --set sm.prefetcher=none", 2,
     "--set does nothing here: --prefetch takes the place of sm.prefetcher"},
    {"order workload.toml --top 2 --all", 2, "--top does nothing here: --all shows all of them"},
    {"order workload.toml --order rb --groups", 2, "--groups does nothing here: --order has only"},
    {"order workload.toml --max-instructions 9", 2, "it limits --data known and --emit ptx"},
    {"analyze workload.toml --dump groups --policy rb,tile", 2, "--dump prints a stage of one"},
    {"store list --days 3", 2, "--days does nothing here: it chooses what 'flagstone store prune'"},
    {"store --built-mb 3", 2, "--built-mb does nothing here"},
    {"store verify --json x.json", 2, "--json does nothing here: only 'flagstone store list'"},
    {"store prune --all --days 3", 2, "--days does nothing here: --all removes all"},
    {"sweep plan plan.toml --jobs 2", 2, "--jobs does nothing here"},
    {"sweep run plan.toml --hosts 8/a", 2, "an option of 'flagstone sweep run --on parallel'"},
    {"sweep run plan.toml --sbatch -t1", 2, "an option of 'flagstone sweep run --on slurm'"},
    {"sweep run plan.toml --batch-seconds 9", 2, "--batch-seconds does nothing here"},
    {"sweep collect plan.toml -o report.html", 2, "an option of 'flagstone sweep report'"},
    {"report page.html --extract -o x.json", 2, "--output does nothing here: --extract prints"},
    {"diff result.json other.json --all --json", 2, "--all does nothing here: it is of the table"},
    {"synth paver_tb_scheduler --machine fermi --schematic drawn", 2,
     "--schematic draws the parts"},
    {"exec --functional --cold-l2 -- true", 2, "--cold-l2 does nothing here"},
    {"exec --functional --kernel x -- true", 2, "--kernel does nothing here"},
    {"exec --functional --max-cycles 9 -- true", 2, "--max-instructions N limits it"},
    {"exec --max-instructions 9 -- true", 2, "--max-cycles N limits a simulation"},
    {"exec --miss-classes -- true", 2, "--miss-classes does nothing here"},
    {"exec --size paper -- true", 2, "'exec' has no option '--size'"},
    {"exec --input in=zeros.bin -- true", 2, "'exec' has no option '--input'"},
    {"exec --toolkit -- true", 2, "'true' does nothing here: --toolkit prints a folder"},
    {"exec echo --policy rb", 2,
     "an option stands behind the program 'echo': expected ours before"},
    {"help run compare", 2, "help: expected the name of one verb"},
    // What says nothing.
    {"order workload.toml --order ''", 2, "--order: expected names of orders, found nothing"},
    {"exec --kernel '' -- true", 2, "--kernel: expected an extended regular expression"},
    {"exec --expect '' -- true", 2, "--expect: expected an extended regular expression"},
    {"block fifo --stimulus head.csv --response r.csv", 2, "head.csv: it has no row: expected one"},
    {"block fifo --stimulus void.csv --response r.csv", 2, "void.csv:1:1: no header"},
    {"synth fifo --param =3", 2, "--param =3: expected NAME=NUMBER, a number of 32 bits"},
    {"report void.csv", 2, "'void.csv' is not JSON, or only a part of it: unexpected end"},
    {"exec -- .", 2, "cannot run '.': expected a program's path, or its name on $PATH"},
    {"exec --launches 5-2 -- true", 2, "--launches '5-2': expected A, A-B or A-"},
    {"exec --launches 0 -- true", 2, "--launches '0': expected A, A-B or A-"},
    {"exec --kernel '[' -- true", 2, "--kernel '[': expected an extended regular expression"},
    // Numbers that are none, or too large.
    {"synth fifo --clock 1e400", 2, "expected a number from 1 to 10000"},
    {"synth fifo --clock 0x100", 2, "expected a number from 1 to 10000"},
    {"synth fifo --param Depth=nan", 2, "expected NAME=NUMBER, a number of 32 bits"},
    {"run workload.toml --set sm.count=-0", 2, "'sm.count' is 0: expected an integer from 1"},
    {"run workload.toml --set sm.count=0x10", 2, "value is '0x10': expected an integer from 1"},
    {"run workload.toml --set clock.core=1e400", 2, "value is '1e400': expected an integer"},
    {"run workload.toml --set sm.count=\xef\xbc\x93", 2, "expected an integer from 1 to"},
    {"run workload.toml --seed +1 --policy rb", 2, kRange},
    {"run kernel.ptx --grid 1x --block 128 --arg a=f32[9] --arg a --arg 9", 2, "--grid '1x'"},
    {"run kernel.ptx --grid 1 --block nan --arg a=f32[9] --arg a --arg 9", 2, "--block 'nan'"},
    {"run kernel.ptx --grid 1 --block 1 --arg a=f32[0] --arg a --arg 9", 2, "--arg 'a=f32[0]'"},
    {"run kernel.ptx --grid 1 --block 1 --arg a=f32[9] --arg a --arg nan", 2, "--arg 'nan'"},
    {"run kernel.ptx --grid 1 --block 1 --arg a=f32[9] --arg a --arg 1e400", 2, "--arg '1e400'"},
    {"store prune --days nan", 2, kRange},
    {"order workload.toml --order band:0", 2, "order 'band:0' is unknown"},
    {"order workload.toml --order band:99999999999", 2, "is unknown: expected identity"},
    {"run nan.toml", 2, "key 'count' is a float: expected an integer from 0"},
    {"run big.toml", 2, "u32 is 4294967296: expected an integer from 0 to 4294967295"},
    {"run minmax.toml", 2, "min 5 is above max 1 in [buffer.in]: expected min <= max"},
    {"run value.toml", 2, "key 'value' is 1e+60: expected a number from"},
    {"run loop.toml", 2, "cannot read 'loop.toml': Too many levels of symbolic links"},
    // Which machine, policy and workload it was.
    {"run workload.toml --set name=foo", 2, "'name' says which machine it is: expected a machine"},
    {"compare workload.toml --set description=foo", 2, "'description' says which machine it is"},
    {"sweep plan axis.toml", 2, "axis.toml:9:1: axis 'name' is no key of a machine"},
    {"run workload.toml --machine unnamed.toml", 2, "unnamed.toml: missing key 'name'"},
    {"compare workload.toml --machine mine.toml,mine2.toml", 2, "two of them are named 'mine'"},
    {"compare workload.toml --policy rb,rb:steal=when-free", 2,
     "'rb' and 'rb:steal=when-free' are the same policy: expected it once"},
    {"analyze workload.toml --policy rb,rb:steal=when-free", 2, "are the same policy"},
    {"compare workload.toml ./workload.toml", 2, "is given twice, as 'workload.toml' too"},
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
  const std::map<std::string, std::string> files = Files();
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
      ASSERT_EQ(Files(), files) << each.arguments;
    }
  }
}

// A file that was asked for and is not there is worth a line, also for those who want no notes.
TEST_F(WrongUse, AWaveThatShowsNothingIsSaid) {
  const std::string run = "run workload.toml --machine tiny -q --wave none.fst ";
  EXPECT_THAT(Run(run + "--wave-from 99999999").err,
              HasSubstr("warning: no wave: --wave-from 99999999 is after the run's last cycle, "));
  EXPECT_EQ(Run(run + "--wave-on steal").err, "warning: no wave: the run has no steal\n");
}

// A slip of the pen in one's own workload is worth a line, also for those who want no notes.
TEST_F(WrongUse, ABufferThatNoKernelTakesIsSaid) {
  const std::string says =
      "warning: no kernel takes the buffer 'spare': expected it among 'args'\n";
  EXPECT_EQ(Run("run spare.toml --machine tiny --engine model -q").err, says);
  EXPECT_EQ(Run("run spare.toml --functional -q").err, says);
  EXPECT_THAT(Run("run spare.toml --machine tiny --engine model -q --json").out,
              HasSubstr("\"kind\": \"unused\""));
}

TEST_F(WrongUse, AResultBesideItselfIsSaid) {
  EXPECT_EQ(Run("diff result.json ./result.json").err,
            "note: 'result.json' is set beside itself\n");
}

// Such options only say how something is done that is not done here: scripts give them to all their
// commands.
TEST_F(WrongUse, HarmlessOptionsThatDoNothingAreANote) {
  const std::pair<const char*, const char*> kUses[] = {
      {"run workload.toml --functional --policy rb", "--policy does nothing here: --functional"},
      {"run workload.toml --functional --engine rtl", "--engine does nothing here"},
      {"run workload.toml --functional --threads 4", "--threads does nothing here"},
      {"run workload.toml --functional --seed 3", "--seed does nothing here"},
      {"run workload.toml --functional --data known", "--data does nothing here"},
      {"run workload.toml --functional --store-any-engine", "--functional has no engine"},
      {"run workload.toml --seed 1", "--seed does nothing here: no policy here draws"},
      {"run workload.toml --policy tile --seed 3", "--seed does nothing here"},
      {"analyze workload.toml --policy hilbert --seed 3", "--seed does nothing here"},
      {"order workload.toml --seed 3", "only the orders rb and traffic draw"},
      {"run workload.toml --data known", "--data does nothing here: no policy here looks at"},
      {"run workload.toml --policy swizzle --data known", "--data does nothing here"},
      {"run workload.toml --no-check", "--no-check does nothing here: the workload has no [check]"},
      {"run workload.toml --detail", "--detail does nothing here: it adds to the JSON alone"},
      {"analyze workload.toml --detail", "--detail does nothing here"},
      {"order workload.toml --detail", "--detail does nothing here"},
      {"run workload.toml --store none --fresh", "--fresh does nothing here: --store none"},
      {"run workload.toml --store none --store-any-engine", "--store-any-engine does nothing"},
      {"order workload.toml --jobs 2", "--jobs does nothing here: only --verify simulates"},
      {"order workload.toml --fresh", "--fresh does nothing here: only --verify simulates"},
  };
  for (const auto& [arguments, note] : kUses) {
    const CommandResult shown = Run(std::string(arguments) + " --machine tiny");
    EXPECT_EQ(shown.exit_code, 0) << arguments << shown.err;
    EXPECT_THAT(shown.err, HasSubstr("note: ")) << arguments;
    EXPECT_THAT(shown.err, HasSubstr(note)) << arguments;
    EXPECT_THAT(Run(std::string(arguments) + " --machine tiny -q").err,
                Not(HasSubstr("does nothing")))
        << arguments;
  }
}

TEST_F(WrongUse, WhatIsRightIsNotRefused) {
  for (const char* arguments :
       {"run workload.toml --resume saved.ck --checkpoint saved.ck --machine tiny --engine model",
        "run crlf.toml --machine tiny --engine model",
        "run --json again.json workload.toml --machine tiny", "compare workload.toml --jobs 2",
        "run workload.toml --functional --machine tiny --set sm.count=2",
        "run wrong.toml --no-check --dump-buffer out=new.bin",
        "run workload.toml --policy rb --seed 3 --data known",
        "compare workload.toml --policy lrr --prefetch caps+pas --set sm.warp_scheduler=lrr",
        "order workload.toml --order rb --seed 2", "run workload.toml --json result.txt",
        "sweep run plan.toml --jobs 2 --store s", "analyze workload.toml --policy all --seed 2"}) {
    EXPECT_EQ(Run(std::string(arguments) + " -q").exit_code, 0) << arguments;
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
