// Programs that cannot run, break off, or break: one clear line each, and nothing is left behind.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/file.h"
#include "tests/system/command.h"
#include "tests/system/cuda/kit.h"

namespace flagstone {
namespace bad_programs_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasKitCompiler()) GTEST_SKIP() << "there is no clang++-14 with libclc-14";
  }
  // A copy of a program of whose fat binary one byte is another.
  std::string Patched(size_t offset, char value) {
    const std::string path = scratch_.File("patched");
    std::string bytes = ReadFile(KitProgram("ends"));
    const size_t at = bytes.find(std::string("\x50\xed\x55\xba\x01\x00\x10\x00", 8));
    EXPECT_NE(at, std::string::npos);
    bytes[at + offset] = value;
    std::ofstream(path, std::ios::binary) << bytes;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  static CommandResult Exec(const std::string& command) {
    return RunFlagstone("exec --machine tiny -q " + command);
  }
  ScratchFolder scratch_;
};

TEST_F(BadPrograms, UsageIsCheckedBeforeAnythingStarts) {
  const std::string program = KitProgram("ends");
  const auto expect = [](const std::string& command, const std::string& line) {
    const CommandResult result = Exec(command);
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.err, HasSubstr(line));
    EXPECT_EQ(result.out, "");
  };
  expect("", "expected a program");
  expect("-- ./none", "cannot run './none': expected a program's path");
  expect("-- /etc/passwd", "'/etc/passwd': it is a file that may not be executed (chmod +x)");
  expect("-- /etc", "cannot run '/etc': it is a folder: expected a program");
  expect("--kernel '(' -- " + program, "--kernel '('");
  expect("--launches 3-2 -- " + program, "--launches '3-2'");
  expect("--json - -- " + program, "stdout is the program's");
  expect("--policy none -- " + program, "none");
  const CommandResult nodes =
      RunFlagstone("exec --machine tiny_numa --policy rr-node -- " + program);
  EXPECT_EQ(nodes.exit_code, 2);
  EXPECT_THAT(nodes.err, HasSubstr("one node"));
  std::ofstream(scratch_.File("there")) << "x";
  expect(fmt::format("--record {} -- {}", scratch_.path().string(), program),
         "it is there already");
}

TEST_F(BadPrograms, AProgramWithoutCudaIsSaidToBeOne) {
  const CommandResult result = Exec("-- sh -c 'echo hello; exit 5'");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.out, "hello\n");
  EXPECT_THAT(result.err, HasSubstr("has not used CUDA's runtime"));
}

TEST_F(BadPrograms, ALaunchFromAKernelIsRefusedWhenItIsCompiled) {
  std::ofstream(scratch_.File("nested.cu"))
      << "__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }\n"
         "int main() {}\n";
  const std::string file = scratch_.File("nested.cu");
  const CommandResult made = RunShell(fmt::format("{} {} -o {}", KitNvcc(), file, file + ".out"));
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_THAT(made.err, HasSubstr("nvcc (flagstone): " + file +
                                  ":2:28: launches from kernels are not supported: expected "
                                  "launches by the host alone\n"));
}

TEST_F(BadPrograms, ALibraryOfNvidiasIsNamedOnceAndLeftOut) {
  std::ofstream(scratch_.File("one.cu")) << "int main() { return 7; }\n";
  const std::string file = scratch_.File("one.cu");
  const CommandResult made = RunShell(
      fmt::format("{} {} -o {}.out -lcublas -lcurand -lm && {}.out", KitNvcc(), file, file, file));
  EXPECT_EQ(made.exit_code, 7) << made.err;
  EXPECT_EQ(made.err,
            "nvcc (flagstone): -lcublas is not served: expected a program without NVIDIA's host "
            "libraries (docs/cuda.md, \"Libraries\")\n");
}

TEST_F(BadPrograms, AHeaderThatIsNotThereIsSaidToBeWhose) {
  const std::string file = scratch_.File("header.cu");
  const auto last_line = [&](const std::string& header) {
    std::ofstream(file) << "#include <stdio.h>\n#include <" << header << ">\nint main() {}\n";
    const CommandResult made = RunShell(fmt::format("{0} {1} -o {1}.out", KitNvcc(), file));
    EXPECT_EQ(made.exit_code, 1) << header;
    return made.err.substr(made.err.rfind('\n', made.err.size() - 2) + 1);
  };
  EXPECT_EQ(last_line("cublas_v2.h"),
            "nvcc (flagstone): " + file +
                ":2:10: cublas_v2.h is not served: expected a program without NVIDIA's host "
                "libraries (docs/cuda.md, \"Libraries\")\n");
  EXPECT_EQ(last_line("thrust/no_such.h"),
            "nvcc (flagstone): " + file +
                ":2:10: cannot find thrust/no_such.h: install Debian's package libthrust-dev\n");
  EXPECT_EQ(last_line("own_header.h"), "1 error generated when compiling for sm_60.\n");
}

TEST_F(BadPrograms, MachineCodeAloneIsRefusedWithTheOptionToAdd) {
  const CommandResult result = Exec("-- " + Patched(16, 2));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("-gencode arch=compute_60,code=compute_60"));
}

TEST_F(BadPrograms, AFatBinaryThatIsCutOrDamagedIsNamed) {
  for (const size_t offset : {14U, 20U, 27U}) {  // sizes: container, entry's header, payload
    const CommandResult result = Exec("-- " + Patched(offset, 0x7f));
    EXPECT_EQ(result.exit_code, 1) << offset << result.err;
    EXPECT_THAT(result.err, StartsWith("flagstone: ")) << offset;
    EXPECT_THAT(result.err, HasSubstr("fat binary")) << offset;
  }
}

TEST_F(BadPrograms, AStaticRuntimeIsRefusedWithTheWayToRebuild) {
  // An object file has device code and no shared library.
  const std::string object = scratch_.File("object.o");
  const CommandResult made =
      RunShell(fmt::format("{} -c tests/system/cuda/programs/ends.cu -o {}", KitNvcc(), object));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  std::filesystem::permissions(object, std::filesystem::perms::owner_all);
  const CommandResult result = Exec("-- " + object);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("-cudart shared"));
}

TEST_F(BadPrograms, AProgramForAnotherProcessorIsSaidToBeOne) {
  const std::string path = scratch_.File("foreign");
  std::string bytes = ReadFile(KitProgram("ends"));
  bytes[18] = '\xf3';  // the processor's number in the header: RISC-V's
  std::ofstream(path, std::ios::binary) << bytes;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const CommandResult result = Exec("-- " + path);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, fmt::format("flagstone: '{}' is a program for another processor: expected "
                                    "one for this machine\n",
                                    path));
}

TEST_F(BadPrograms, AStrippedProgramRunsAsBefore) {
  const std::string stripped = scratch_.File("stripped");
  ASSERT_EQ(RunShell(fmt::format("strip -o {} {}", stripped, KitProgram("ends"))).exit_code, 0);
  EXPECT_EQ(Exec("-- " + stripped).exit_code, 0);
}

TEST_F(BadPrograms, CrashExitAndForkInTheMiddleKeepTheirCodes) {
  const std::string program = KitProgram("ends");
  const CommandResult crash = Exec("-- " + program + " abort");
  EXPECT_EQ(crash.exit_code, 134);
  EXPECT_THAT(crash.err, HasSubstr("ended by signal 6 (Aborted)"));
  EXPECT_EQ(Exec("-- " + program + " exit").exit_code, 7);
  const CommandResult forked = Exec("-- " + program + " fork");
  EXPECT_EQ(forked.exit_code, 0) << forked.out << forked.err;
  EXPECT_THAT(forked.err, HasSubstr("a process that was forked has no device"));
}

// The reason decides, not a word in the message: it names the program, which here is "misaligned".
TEST_F(BadPrograms, AFailedLaunchHasTheErrorOfItsCause) {
  const std::string program = scratch_.File("misaligned assertion");
  std::filesystem::copy_file(KitProgram("causes"), program);
  const auto error_of = [&](const std::string& how) {
    return Exec(fmt::format("--functional --max-instructions 10000 -- '{}' {}", program, how)).out;
  };
  EXPECT_EQ(error_of("outside"), "cudaErrorIllegalAddress\n");
  EXPECT_EQ(error_of("misaligned"), "cudaErrorMisalignedAddress\n");
  EXPECT_EQ(error_of("trap"), "cudaErrorLaunchFailure\n");
  EXPECT_EQ(error_of("assert"), "cudaErrorAssert\n");
  EXPECT_EQ(error_of("endless"), "cudaErrorLaunchTimeout\n");
}

// The end of one and the beginning of the next are seen at the same moment, more often than not.
TEST_F(BadPrograms, ProgramsOneAfterAnotherAllGetTheDevice) {
  const CommandResult result =
      Exec(fmt::format("--functional -- sh -c 'for i in $(seq 200); do {} || exit 9; done'",
                       KitProgram("careless")));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  // Right too: the end of one that is noticed late must not stop the launches of the next.
  std::string all_right;
  for (int i = 0; i < 200; ++i) all_right += "126: cudaSuccess\n";
  EXPECT_EQ(result.out, all_right);
}

TEST_F(BadPrograms, ASecondProgramAtTheSameTimeEndsWithAnErrorOfCuda) {
  const std::string held = scratch_.File("held");
  const CommandResult result = Exec(fmt::format(
      "--functional -- sh -c '{0} hold > {1} & while [ ! -s {1} ]; do sleep 0.01; done; {0}; "
      "code=$?; kill $!; exit $code'",
      KitProgram("careless"), held));
  EXPECT_EQ(ReadFile(held), "126: cudaSuccess\n");
  EXPECT_EQ(result.out, "63: cudaErrorDevicesUnavailable\n");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("a second process wants the device"));
  EXPECT_THAT(result.err, HasSubstr("another process has the device: each call of CUDA fails\n"));
}

// Starts the program with a launch that would take hours, and does `kill` with its number in
// $program and Flagstone's in $simulator. Prints the exit code.
std::string WhileItRuns(const std::string& kill, const ScratchFolder& scratch) {
  const std::string out = scratch.File("out");
  const CommandResult result = RunShell(
      fmt::format("{0} exec --functional -q -- {1} long > {2} 2> {2}.err & simulator=$!\n"
                  "for i in $(seq 100); do [ -s {2} ] && break; sleep 0.1; done\n"
                  "program=$(head -1 {2}); sleep 0.3\n{3}\n"
                  "wait $simulator; echo code $?\n"
                  "for i in $(seq 50); do kill -0 $program 2>/dev/null || break; sleep 0.1; done\n"
                  "kill -0 $program 2>/dev/null && echo orphan\n"
                  "cat {2}.err",
                  FlagstoneProgram(), KitProgram("ends"), out, kill));
  return result.out;
}

TEST_F(BadPrograms, TheProgramKilledUnderTheSimulatorEndsBoth) {
  const std::string said = WhileItRuns("kill -KILL $program", scratch_);
  EXPECT_THAT(said, HasSubstr("code 137"));
  EXPECT_THAT(said, HasSubstr("ended by signal 9 (Killed)"));
  EXPECT_THAT(said, testing::Not(HasSubstr("orphan")));
}

TEST_F(BadPrograms, TheSimulatorKilledUnderTheProgramEndsBoth) {
  const std::string said = WhileItRuns("kill -KILL $simulator", scratch_);
  EXPECT_THAT(said, HasSubstr("code 137"));
  EXPECT_THAT(said, HasSubstr("the simulator has ended, and the program with it"));
  EXPECT_THAT(said, testing::Not(HasSubstr("orphan")));
}

TEST_F(BadPrograms, AnInterruptEndsBothAndShowsWhatThereIs) {
  const std::string said = WhileItRuns("kill -TERM $simulator", scratch_);
  EXPECT_THAT(said, HasSubstr("code 130"));
  EXPECT_THAT(said, testing::Not(HasSubstr("orphan")));
}

TEST_F(BadPrograms, NoSharedMemoryIsLeftBehind) {
  const std::string list = "ls /dev/shm /tmp | grep -c flagstone-exec; true";
  const CommandResult before = RunShell(list);
  Exec("-- " + KitProgram("ends") + " abort");
  EXPECT_EQ(RunShell(list).out, before.out);
}

// KiB that the simulator held at most while a program launched an empty kernel so many times, as
// the system has counted it.
long PeakOf(int launches) {
  const CommandResult result =
      RunShell(fmt::format("python3 -c 'import resource, subprocess, sys\n"
                           "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
                           "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "
                           "'{}' exec --functional -q -- {} many {}",
                           FlagstoneProgram(), KitProgram("ends"), launches));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return std::atol(result.out.c_str());
}

// Each launch is counted; nothing is kept of most of them: no 17 bytes of each. What is counted
// hangs by up to 2.5 MiB on how much of the program's file the system has brought into memory.
TEST_F(BadPrograms, ManyLaunchesDoNotGrowMemory) {
  const long few = PeakOf(8000), many = PeakOf(256'000);
  EXPECT_GT(few, 1000);
  EXPECT_LT(many, few + 4096);
}

}  // namespace bad_programs_test
}  // namespace flagstone
