// Where output goes: files, links, devices, FIFOs, stdout.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/file.h"
#include "tests/system/command.h"

namespace flagstone {
namespace output_files_test {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class OutputFiles : public ::testing::Test {
 protected:
  CommandResult Shell(const std::string& command) {
    return RunShell(fmt::format("cd '{}' && flagstone() {{ '{}' \"$@\"; }} && {}",
                                folder_.path().string(), FlagstoneProgram(), command));
  }
  std::string Contents(const std::string& name) { return ReadFile(folder_.File(name)); }
  ScratchFolder folder_;
};

TEST_F(OutputFiles, ADashIsStdoutInPlaceOfTheTable) {
  const std::string json = Shell("flagstone run vecadd -q --json -").out;
  EXPECT_THAT(json, StartsWith("{"));
  EXPECT_THAT(json, HasSubstr("flagstone.run/1"));
  EXPECT_FALSE(std::filesystem::exists(folder_.File("-")));
  EXPECT_THAT(Shell("flagstone compare vecadd --policy lrr -q --csv -").out,
              StartsWith("workload,"));
  const std::string timeline = Shell("flagstone run vecadd -q --timeline -").out;
  EXPECT_THAT(timeline, StartsWith("{"));
  EXPECT_THAT(timeline, Not(HasSubstr("scheduler cycles")));
}

TEST_F(OutputFiles, DevicesAndLinksStay) {
  // A FIFO stands for all that is no regular file: it needs no root to be made.
  const CommandResult result = Shell(
      "mkfifo f && { cat f >got & } && flagstone run vecadd -q --json f >/dev/null && wait && "
      "ln -s real link && flagstone run vecadd -q --json link >/dev/null");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::is_fifo(folder_.File("f")));
  EXPECT_THAT(Contents("got"), HasSubstr("flagstone.run/1"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.File("link")));
  EXPECT_THAT(Contents("real"), HasSubstr("flagstone.run/1"));
  for (const char* const option : {"--json", "--timeline", "--wave", "--checkpoint"}) {
    const CommandResult null = Shell(fmt::format("flagstone run vecadd -q {} /dev/null", option));
    EXPECT_EQ(null.exit_code, 0) << option << null.err;
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null")) << option;
  }
}

TEST_F(OutputFiles, StdoutByItsNameKeepsWhatTheShellHasOpened) {
  Shell("flagstone run vecadd -q --json /dev/stdout >all");
  const std::string all = Contents("all");
  EXPECT_THAT(all, HasSubstr("flagstone.run/1"));
  EXPECT_THAT(all, HasSubstr("scheduler cycles")) << "the page follows in the same file";
  EXPECT_THAT(Shell("flagstone run vecadd -q --json /dev/stdout | cat").out,
              HasSubstr("flagstone.run/1"));
  EXPECT_THAT(Shell("bash -c \"'" + FlagstoneProgram() +
                    "' run vecadd -q --json >(cat >process) >/dev/null; wait \\$!\"; cat process")
                  .out,
              HasSubstr("flagstone.run/1"));
}

// As in a container or a bare root. Needs the right to mount.
TEST_F(OutputFiles, StdoutByItsNameIsStdoutWhereTheDeviceIsMissing) {
  if (Shell("unshare -m mount -t tmpfs none /dev").exit_code != 0) {
    GTEST_SKIP() << "no right to mount an empty /dev";
  }
  const CommandResult result = Shell(fmt::format(
      "unshare -m sh -c \"mount -t tmpfs none /dev && '{}' run vecadd -q --json /dev/stdout && "
      "ls -A /dev >&2\"",
      FlagstoneProgram()));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("flagstone.run/1"));
  EXPECT_EQ(result.err, "") << "a file was made in /dev";
}

TEST_F(OutputFiles, AWaveGoesThroughAFifoWhole) {
  const CommandResult result = Shell(
      "flagstone run vecadd -q --wave whole.fst --wave-to 500 >/dev/null && mkfifo f && "
      "{ cat f >piped.fst & } && flagstone run vecadd -q --wave f --wave-to 500 >/dev/null && "
      "wait");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Contents("piped.fst").size(), Contents("whole.fst").size());
}

TEST_F(OutputFiles, BuffersAreDumpedAsTheirBytes) {
  ASSERT_EQ(Shell("flagstone run vecadd -q --functional --dump-buffer c=c.bin").exit_code, 0);
  EXPECT_GT(Contents("c.bin").size(), 0U);
  EXPECT_EQ(Contents("c.bin").size() % 4, 0U);
  EXPECT_EQ(Shell("flagstone run vecadd -q --functional --dump-buffer c=- | cmp - c.bin").exit_code,
            0);
}

// Needs the right to mount: without it there is no small disk to fill.
TEST_F(OutputFiles, AFullDiskUnderAWaveIsOneLineAndLeavesNothing) {
  std::filesystem::create_directory(folder_.path() / "small");
  const auto on_a_small_disk = [&](const std::string& place, const std::string& file) {
    return Shell(fmt::format(
        "unshare -m sh -c \"d=\\$(mktemp -d -p /var/tmp) && cd \\$d && mount -t tmpfs -o size=4k "
        "none "
        "'{}' && {{ '{}' run matmul -q --wave {}; code=\\$?; ls {} '{}' >&2; cd / && rm -r \\$d; "
        "exit \\$code; }}\"",
        place, FlagstoneProgram(), file, ".", place));
  };
  if (Shell("unshare -m mount -t tmpfs none small").exit_code != 0) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  const std::string small = folder_.File("small");
  for (const auto& [place, file] :
       {std::pair(small, small + "/w.fst"), std::pair(std::string("/tmp"), std::string("w.fst"))}) {
    const CommandResult result = on_a_small_disk(place, file);
    EXPECT_EQ(result.exit_code, 3) << place;
    EXPECT_THAT(result.err, StartsWith("flagstone: cannot write")) << place;
    // What `ls` has shown after that line: two empty folders.
    EXPECT_THAT(result.err, Not(HasSubstr(".fst."))) << place;
    EXPECT_THAT(result.err, Not(HasSubstr(".tmp\n"))) << place;
    EXPECT_THAT(result.err, Not(HasSubstr("\nw.fst"))) << place;
  }
}

}  // namespace output_files_test
}  // namespace flagstone
