// What the targets `package` and `bundle` pack runs in an empty folder, from any place, without the
// environment of a user.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/system/command.h"

namespace flagstone {
namespace package_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string BuildFolder() { return std::filesystem::path(FlagstoneProgram()).parent_path(); }

// Standard output of a command that has to succeed.
std::string Output(const std::string& command) {
  const CommandResult result = RunShell(command);
  EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.out << result.err;
  return result.out;
}

// The one file of the build folder that matches, newly made by `target`.
std::string Pack(const std::string& target, const std::string& pattern) {
  const std::string files = fmt::format("{}/{}", BuildFolder(), pattern);
  Output(fmt::format("rm -f {}; cmake --build '{}' -t {}", files, BuildFolder(), target));
  std::string file = Output("echo -n " + files);
  EXPECT_TRUE(std::filesystem::exists(file)) << file;
  return file;
}

void ExpectRuns(const std::string& program) {
  const std::string bare = fmt::format("cd / && env -i '{}' ", program);
  EXPECT_THAT(Output(bare + "list"), HasSubstr("vecadd"));
  EXPECT_THAT(Output(bare + "run vecadd --engine model -q"), HasSubstr("passed"));
  EXPECT_THAT(Output(bare + "analyze syrk -q"), HasSubstr("syrk"));
  EXPECT_THAT(Output(bare + "run vecadd --engine model -q --report -"), HasSubstr("d3js.org"));
}

// A C program compiles against flagstone-dev beside it, and runs.
void ExpectLibrary(const ScratchFolder& scratch) {
  const std::string dev = Output(fmt::format("echo -n {}/flagstone-dev_*.deb", BuildFolder()));
  EXPECT_THAT(Output(fmt::format("dpkg-deb --field '{}' Depends", dev)),
              HasSubstr("flagstone (= "));
  EXPECT_FALSE(std::filesystem::exists(scratch.File("usr/include")));
  Output(fmt::format("dpkg-deb --extract '{}' '{}'", dev, scratch.path().string()));
#ifndef __SANITIZE_ADDRESS__  // such a library runs in a program with sanitizers only
  Output(fmt::format(
      "cd '{0}' && echo '#include <flagstone/blocks.h>\nint main(void) {{ size_t n; return "
      "flagstone_kinds(&n) == 0; }}' > c.c && export PKG_CONFIG_PATH='{0}/lib/pkgconfig' && "
      "cc c.c $(pkg-config --cflags --libs flagstone_blocks) -o c && LD_LIBRARY_PATH='{0}/lib' ./c",
      scratch.File("usr")));
#endif
}

TEST(Package, RunsWhereItIsUnpackedAndNamesWhatItNeeds) {
  const ScratchFolder scratch;
  const std::string package = Pack("package", "flagstone_*.deb");
  EXPECT_THAT(Output(fmt::format("dpkg-deb --field '{}' Depends", package)),
              AllOf(HasSubstr("libsystemc"), HasSubstr("node-d3")));
  EXPECT_THAT(Output(fmt::format("dpkg-deb --field '{}' Recommends", package)),
              HasSubstr("verilator"));
  Output(fmt::format("dpkg-deb --extract '{}' '{}'", package, scratch.path().string()));
  ExpectRuns(scratch.File("usr/bin/flagstone"));
  for (const char* page : {"flagstone.1", "flagstone-run.1", "flagstone-store.1"}) {
    EXPECT_TRUE(std::filesystem::exists(scratch.File(fmt::format("usr/share/man/man1/{}", page))))
        << page;
  }
  ExpectLibrary(scratch);
}

TEST(Bundle, RunsWhereItIsUnpackedWithLibrariesOfItsOwn) {
  const ScratchFolder scratch;
  const std::string bundle = Pack("bundle", "flagstone-*.tar.gz");
  Output(fmt::format("tar xzf '{}' -C '{}' --strip-components=1", bundle, scratch.path().string()));
  const std::string program = scratch.File("bin/flagstone");
  ExpectRuns(program);
  EXPECT_TRUE(std::filesystem::exists(scratch.File("share/flagstone/app/report/d3.min.js")));
  // Lines of ldd: `libfmt.so.9 => /where/lib/libfmt.so.9 (0x...)`.
  std::istringstream libraries(Output(fmt::format("env -i /usr/bin/ldd '{}'", program)));
  int own = 0;
  for (std::string line; std::getline(libraries, line);) {
    const size_t arrow = line.find(" => ");
    const size_t name = line.find_first_not_of(" \t");
    if (arrow == std::string::npos || line.substr(name).starts_with("libc.so") ||
        line.substr(name).starts_with("libm.so")) {
      continue;
    }
    EXPECT_THAT(line.substr(arrow + 4), StartsWith(scratch.path().string())) << line;
    ++own;
  }
  EXPECT_GE(own, 5);
}

}  // namespace package_test
}  // namespace flagstone
