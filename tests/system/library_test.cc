// Programs of others, built against an installation alone: a kernel's TBs go through the TB
// scheduler of the library to the end (tests/system/library).
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/system/command.h"

namespace flagstone {
namespace library_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kClients = "tests/system/library";

std::string ReadText(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Standard output of a command that has to succeed.
std::string Output(const std::string& command) {
  const CommandResult result = RunShell(command);
  EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.out << result.err;
  return result.out;
}

// An installation, made once for all tests of the file.
class Library : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new ScratchFolder;
    const std::string build = std::filesystem::path(FlagstoneProgram()).parent_path();
    Output(fmt::format("cmake --install '{}' --prefix '{}'", build, Prefix()));
  }
  static void TearDownTestSuite() { delete scratch_; }
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a library with sanitizers runs in programs with sanitizers only";
#endif
    for (const char* tool : {"cc", "c++", "cmake", "pkg-config", "verilator"}) {
      const CommandResult found = RunShell(fmt::format("command -v {}", tool));
      if (found.exit_code != 0) GTEST_SKIP() << "needs " << tool;
    }
    const CommandResult tlm = RunShell(
        "echo '#include <tlm_utils/simple_target_socket.h>' | "
        "c++ -E -x c++ $(pkg-config --cflags systemc) - > /dev/null");
    if (tlm.exit_code != 0) GTEST_SKIP() << "needs libsystemc-dev";
  }

  static std::string Prefix() { return scratch_->File("prefix"); }
  // Where clients are built, and the kernel that they run.
  static std::string Clients() { return scratch_->File("clients"); }
  static std::string Kernel() { return Prefix() + "/share/flagstone/workloads/syrk/kernel.ptx"; }

 private:
  static inline ScratchFolder* scratch_ = nullptr;
};

TEST_F(Library, RunsAKernelsTbsInACProgramThatPkgConfigFindsItFor) {
  const std::string program = Prefix() + "/c_client";
  Output(fmt::format(
      "export PKG_CONFIG_PATH='{0}/lib/pkgconfig' && cc -std=c99 -Wall -Wextra -pedantic -Werror "
      "{1}/c_client.c {1}/dispatch.c {1}/simulator.c "
      "$(pkg-config --cflags --libs flagstone_blocks) -Wl,-rpath,'{0}/lib' -o '{2}'",
      Prefix(), kClients, program));
  for (const char* body : {"model", "rtl", "lockstep"}) {
    EXPECT_EQ(Output(fmt::format("cd / && '{}' '{}' {}", program, Kernel(), body)),
              "256 TBs, each once, in 721 cycles\n256 TBs, each once, in 721 cycles\n")
        << body;
  }
  const CommandResult broken = RunShell(fmt::format("'{}' {}/dispatch.c model", program, kClients));
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("ptx:2:1: expected '.version'"));

  // The RTL is the installation's.
  const std::string rtl = Prefix() + "/share/flagstone/rtl/paver_wide/paver_wide_tb_scheduler.sv";
  Output(fmt::format("cp '{0}' '{0}.good' && echo nonsense >> '{0}'", rtl));
  const CommandResult other = RunShell(fmt::format("'{}' '{}' rtl", program, Kernel()));
  Output(fmt::format("mv '{0}.good' '{0}'", rtl));
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("Verilating paver_wide_tb_scheduler failed"));
}

TEST_F(Library, RunsThemInACProgramThatHoldsItsArchive) {
  const std::string build = std::filesystem::path(FlagstoneProgram()).parent_path();
  const std::string program = Prefix() + "/static_client";
  Output(fmt::format("cmake --build '{}' -t flagstone_static_library", build));
  Output(fmt::format(
      "export PKG_CONFIG_PATH='{0}/lib/pkgconfig' && cc -std=c99 {1}/c_client.c {1}/dispatch.c "
      "{1}/simulator.c $(pkg-config --cflags --libs --static flagstone_blocks | sed "
      "'s|-lflagstone_blocks|{2}/libflagstone_blocks.a|') -o '{3}'",
      Prefix(), kClients, build, program));
  EXPECT_THAT(Output(fmt::format("ldd '{}'", program)), Not(HasSubstr("flagstone_blocks")));
  EXPECT_THAT(Output(fmt::format("FLAGSTONE_HOME='{}/share/flagstone' '{}' '{}' lockstep", Prefix(),
                                 program, Kernel())),
              HasSubstr("256 TBs, each once, in 721 cycles"));
}

TEST_F(Library, RunsThemInProgramsThatFindPackageFindsItFor) {
  Output(fmt::format("cmake -S {} -B '{}' -DCMAKE_PREFIX_PATH='{}' -DCMAKE_BUILD_TYPE=Debug",
                     kClients, Clients(), Prefix()));
  Output(fmt::format("cmake --build '{}'", Clients()));
  const auto run = [](const char* client, const char* body) {
    return Output(fmt::format("cd / && SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 '{}/{}' '{}' {}",
                              Clients(), client, Kernel(), body));
  };
  for (const char* body : {"model", "lockstep"}) {
    EXPECT_EQ(run("cpp_client", body),
              "16 TBs, each once, in 191 cycles\n16 TBs, each once, in 191 cycles\n");
    EXPECT_EQ(run("systemc_client", body), "256 TBs, each once, in 1004 cycles\n");
  }
  EXPECT_EQ(run("c_client", "model"),
            "256 TBs, each once, in 721 cycles\n256 TBs, each once, in 721 cycles\n");
}

TEST_F(Library, ExportsTheFunctionsOfItsHeaderAloneUnderANameWithItsAbi) {
  const std::string library = Prefix() + "/lib/libflagstone_blocks.so";
  const std::string header = ReadText(Prefix() + "/include/flagstone/blocks.h");
  static const std::regex kDeclared(R"(\b(flagstone_\w+)\([a-z])");
  std::set<std::string> declared, exported;
  for (std::sregex_iterator it(header.begin(), header.end(), kDeclared), end; it != end; ++it) {
    declared.insert((*it)[1]);
  }
  std::istringstream names(
      Output(fmt::format("nm -D --defined-only '{}' | cut -d' ' -f3", library)));
  for (std::string name; names >> name;) exported.insert(name);
  EXPECT_EQ(exported, declared);
  EXPECT_GE(declared.size(), 25U);
  static const std::regex kAbi(R"(#define FLAGSTONE_BLOCKS_ABI (\d+)\n)");
  std::smatch abi;
  ASSERT_TRUE(std::regex_search(header, abi, kAbi));
  EXPECT_THAT(Output(fmt::format("objdump -p '{}'", library)),
              HasSubstr(fmt::format("libflagstone_blocks.so.{}\n", abi[1].str())));
}

TEST(LibraryPage, HasTheDispatchFunctionThatTheClientsUse) {
  const std::string page = ReadText("docs/library.md");
  const std::string code = ReadText(std::string(kClients) + "/dispatch.c");
  EXPECT_LE(std::count(code.begin(), code.end(), '\n'), 60);
  EXPECT_THAT(page, HasSubstr("```c\n" + code + "```\n"));
}

}  // namespace library_test
}  // namespace flagstone
