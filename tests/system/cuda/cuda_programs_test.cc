// CUDA programs, compiled by the kit and run by `flagstone exec`: each checks itself. Recordings of
// them give the same cycles and the same memory.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"
#include "tests/system/cuda/kit.h"

namespace flagstone {
namespace cuda_programs_test {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class CudaPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasKitCompiler()) GTEST_SKIP() << "there is no clang++-14 with libclc-14";
  }
  static std::string Program(const std::string& name) { return KitProgram(name); }
  static CommandResult Exec(const std::string& options, const std::string& program) {
    return RunFlagstone(fmt::format("exec --machine tiny {} -- {}", options, program));
  }
  Json Read(const std::string& name) { return Json::parse(ReadFile(scratch_.File(name))); }

  // Program under a policy, then its recording: the same launches with the same figures.
  void ExpectReplay(const std::string& name, const std::string& options) {
    const std::string record = scratch_.File("record");
    const std::string exec_json = scratch_.File("exec.json"), run_json = scratch_.File("run.json");
    const CommandResult exec =
        Exec(fmt::format("{} --record {} --json {}", options, record, exec_json), Program(name));
    ASSERT_EQ(exec.exit_code, 0) << exec.out << exec.err;
    const CommandResult run = RunFlagstone(
        fmt::format("run {} --machine tiny {} --store none --json {}", record, options, run_json));
    ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
    Json executed = Read("exec.json"), replayed = Read("run.json");
    ASSERT_FALSE(executed["launches"].empty());
    EXPECT_EQ(executed["launches"], replayed["launches"]) << name;
    EXPECT_EQ(executed["totals"], replayed["totals"]) << name;
    EXPECT_FALSE(replayed["checks"].empty()) << name;
    for (const Json& check : replayed["checks"]) EXPECT_EQ(check["max_error"], 0.0) << name;
  }

  ScratchFolder scratch_;
};

TEST_F(CudaPrograms, EachProgramFindsItsResultsRightWithAndWithoutTiming) {
  for (const char* name :
       {"launch", "constant",   "managed",  "texture",    "streams",   "errors",   "reduction",
        "math",   "atomics",    "pitch",    "groups",     "halves",    "side",     "grid",
        "heap",   "intrinsics", "matrices", "graphs",     "libraries", "surfaces", "recursion",
        "random", "wgmma",      "tcgen05",  "tensor_maps"}) {
    for (const char* options : {"-q", "-q --functional"}) {
      const CommandResult result = Exec(options, Program(name));
      EXPECT_EQ(result.exit_code, 0) << name << options << "\n" << result.out << result.err;
      EXPECT_THAT(result.out, HasSubstr(fmt::format("{}: good\n", name)));
    }
  }
}

// The values are right all the same: what a wgmma reads is there at once.
TEST_F(CudaPrograms, AWgmmaThatReadsWhatNoFenceHasOrderedIsARace) {
  const std::string options = "-q --functional --check-races";
  const CommandResult fenced = Exec(options, Program("wgmma"));
  EXPECT_EQ(fenced.exit_code, 0) << fenced.out << fenced.err;
  const CommandResult careless = Exec(options, Program("wgmma") + " careless");
  EXPECT_EQ(careless.exit_code, 1) << careless.out;
  EXPECT_THAT(careless.err, HasSubstr("race on shared memory: "));
  EXPECT_THAT(careless.err, HasSubstr("without a fence.proxy.async between them"));
}

TEST_F(CudaPrograms, SumsInTensorMemoryThatNobodyCommitsFailTheRun) {
  const CommandResult careless = Exec("-q", Program("tcgen05") + " careless");
  EXPECT_EQ(careless.exit_code, 1) << careless.out;
  EXPECT_THAT(careless.err, HasSubstr("read of column 0 of tensor memory, which the tcgen05.mma of "
                                      "line "));
  EXPECT_THAT(careless.err, HasSubstr("before a tcgen05.commit"));
}

TEST_F(CudaPrograms, LanesThatWaitForEachOtherEnd) {
  const std::string program = KitProgram("lanes", "-arch=sm_70");
  for (const char* options : {"-q", "-q --functional", "-q --engine model --machine volta"}) {
    const CommandResult result = RunFlagstone(fmt::format("exec {} -- {}", options, program));
    EXPECT_EQ(result.exit_code, 0) << options << "\n" << result.out << result.err;
    EXPECT_EQ(result.out, "lanes: good\n") << options;
  }
}

TEST_F(CudaPrograms, RecordingsOfTwelveProgramsReplayBitByBit) {
  for (const char* name : {"launch", "constant", "managed", "texture", "streams", "errors",
                           "reduction", "math", "atomics", "pitch", "grid", "heap"}) {
    ExpectReplay(name, "--policy rb");
    std::filesystem::remove_all(scratch_.File("record"));
  }
  ExpectReplay("reduction", "--policy lrr --engine model --cold-l2");
}

TEST_F(CudaPrograms, PrintfComesOutBetweenTheLinesOfTheProgram) {
  const CommandResult result = Exec("", Program("printf"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "before\n3 kernel 1.50\nbetween\n4 kernel 2.00\n4 kernel 2.00\nafter\n");
  EXPECT_THAT(result.err, HasSubstr("check: none"));
}

TEST_F(CudaPrograms, SelectedLaunchesAreSimulatedAndTheOthersExecuted) {
  const std::string json = scratch_.File("j.json");
  const CommandResult result =
      Exec("--kernel reduce --launches 2-3 --json " + json, Program("reduction"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json launches = Read("j.json")["launches"];
  ASSERT_EQ(launches.size(), 5);
  EXPECT_TRUE(launches[0]["cycles"].is_null());
  EXPECT_TRUE(launches[1]["cycles"].is_number());
  EXPECT_TRUE(launches[2]["cycles"].is_number());
  EXPECT_TRUE(launches[4]["cycles"].is_null());
  EXPECT_TRUE(launches[4]["warp_instructions"].is_number());
}

// Of five launches, each of which reads what those before have written: the recording of one
// replays.
TEST_F(CudaPrograms, ARecordingOfOneLaunchHasWhatTheOthersWrote) {
  const std::string record = scratch_.File("record");
  const CommandResult exec = Exec(
      "--functional -q --kernel reduce --launches 2-2 --record " + record, Program("reduction"));
  ASSERT_EQ(exec.exit_code, 0) << exec.err;
  const std::string toml = ReadFile(record + "/workload.toml");
  EXPECT_EQ(toml.find("[[launch]]"), toml.rfind("[[launch]]")) << toml;
  const CommandResult run = RunFlagstone("run " + record + " --functional --store none");
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(CudaPrograms, ARecordingKeepsClustersAndTensorMaps) {
  ExpectReplay("tensor_maps", "--policy lrr");
  EXPECT_THAT(ReadFile(scratch_.File("record") + "/workload.toml"),
              HasSubstr("cluster = [2, 1, 1]"));
}

TEST_F(CudaPrograms, AnExpectedLineDecidesTheCheck) {
  const std::string program = Program("launch");
  const CommandResult good = Exec("--functional --expect '^launch: good$'", program);
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.err, HasSubstr("check: passed"));
  const CommandResult bad = Exec("--functional --expect 'launch: better'", program);
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.err, HasSubstr("check: failed"));
  EXPECT_EQ(bad.out, good.out);
}

TEST_F(CudaPrograms, AFaultIsNamedByItsLineAndTheProgramHearsOfIt) {
  const CommandResult result = Exec("", Program("fault"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "fault: seen\n");
  EXPECT_THAT(result.err, testing::ContainsRegex(
                              "flagstone: fault.1.ptx:[0-9]+: out-of-bounds store of 4 bytes"));
}

TEST_F(CudaPrograms, AKernelThatCannotRunIsHeardOfByWhoWaits) {
  const CommandResult result = Exec("-q", Program("refused"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "refused: seen\n");
  EXPECT_THAT(result.err, HasSubstr("pairs of thread blocks"));
}

// A stack of frames in a recording too; without the key of the launch it would overflow.
TEST_F(CudaPrograms, ARecordingKeepsTheSizeOfTheStack) {
  const std::string record = scratch_.File("record");
  ASSERT_EQ(Exec("--functional -q --record " + record, Program("recursion")).exit_code, 0);
  EXPECT_THAT(ReadFile(record + "/workload.toml"), HasSubstr("stack = 8000\n"));
  const CommandResult run = RunFlagstone("run " + record + " --functional --store none");
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(CudaPrograms, AFunctionThatNobodyServesSaysSoOnce) {
  const CommandResult result = Exec("-q", Program("errors"));
  EXPECT_EQ(
      result.err,
      "flagstone: 'write' asks for 1048576 bytes of shared memory, an SM of machine 'tiny' has "
      "49152: --set sm.shared_kib=1024 has enough\n"
      "flagstone: cudaIpcCloseMemHandle is not supported\n");
}

TEST_F(CudaPrograms, WithoutExecAProgramSaysHowToRunIt) {
  const CommandResult result = RunShell(Program("launch"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("flagstone exec"));
}

// Of nvcc --default-stream per-thread: without the name a program would not even start.
TEST_F(CudaPrograms, EachNameOfPerThreadStreamsIsThere) {
  const std::string kit = RunFlagstone("exec --toolkit").out;
  const std::string names = RunShell(fmt::format("readelf --dyn-syms -W {}/lib64/libcudart.so.12",
                                                 kit.substr(0, kit.find('\n'))))
                                .out;
  std::istringstream wanted(ReadFile("kernels/cuda/client/per_thread_names.txt"));
  size_t count = 0;
  for (std::string name; std::getline(wanted, name);) {
    if (name.starts_with("#")) continue;
    ++count;
    EXPECT_THAT(names, HasSubstr(" " + name + "@@libcudart.so.12"));
  }
  EXPECT_GT(count, 60U);
}

TEST_F(CudaPrograms, TheClientLibraryIsSmallAndNeedsOnlyTheCLibrary) {
  const std::string kit = RunFlagstone("exec --toolkit").out;
  const std::string folder = kit.substr(0, kit.find('\n')) + "/lib64/";
  for (const char* name :
       {"libcudart.so", "libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"}) {
    EXPECT_LT(std::filesystem::file_size(folder + name), 80'000) << name;
    const CommandResult needed = RunShell(fmt::format("readelf -d {}{}", folder, name));
    EXPECT_THAT(needed.out, HasSubstr("libc.so.6"));
    EXPECT_THAT(needed.out, Not(HasSubstr("libstdc++")));
  }
}

}  // namespace cuda_programs_test
}  // namespace flagstone
