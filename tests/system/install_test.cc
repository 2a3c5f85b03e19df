// An installed command finds its workloads, machines and RTL beside itself.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/command.h"

namespace flagstone {
namespace install_test {

using ::testing::HasSubstr;

TEST(Install, TheInstalledCommandRunsWithoutTheSourceTree) {
  const ScratchFolder scratch;
  const std::string build = std::filesystem::path(FlagstoneProgram()).parent_path().string();
  const CommandResult install =
      RunShell(fmt::format("cmake --install '{}' --prefix '{}'", build, scratch.path().string()));
  ASSERT_EQ(install.exit_code, 0) << install.err;
  EXPECT_TRUE(
      std::filesystem::exists(scratch.path() / "share/flagstone/workloads/matmul/kernel.ptx"));
  EXPECT_TRUE(
      std::filesystem::exists(scratch.path() / "share/flagstone/gpu_model/machines/fermi.toml"));
  EXPECT_TRUE(
      std::filesystem::exists(scratch.path() / "share/flagstone/rtl/paver/paver_tb_scheduler.sv"));
  // The command names the files that it opens; all of them lie in the installation.
  const CommandResult run = RunShell(fmt::format(
      "cd / && '{}/bin/flagstone' run vecadd --machine tiny -q", scratch.path().string()));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("passed"));
  // All that experiments read is there, and one of them runs.
  for (const auto& entry : std::filesystem::recursive_directory_iterator("experiments")) {
    const std::string extension = entry.path().extension().string();
    const bool read = extension != ".md" && extension != ".cu" &&
                      entry.path().string().find("on_gpu") == std::string::npos;
    if (entry.is_directory() || !read) continue;
    EXPECT_TRUE(std::filesystem::exists(scratch.path() / "share/flagstone" / entry.path()))
        << entry.path();
  }
  const CommandResult peer = RunShell(fmt::format(
      "cd / && '{}/bin/flagstone' reproduce peer-effects --engine model -q --store none",
      scratch.path().string()));
  EXPECT_EQ(peer.exit_code, 0) << peer.out << peer.err;
  EXPECT_THAT(peer.out, HasSubstr("cycles speed-up"));
  // So does the Python module, with the command that was installed with it.
  const CommandResult python = RunShell(fmt::format(
      "cd / && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{}/lib/python3/dist-packages' python3 -c "
      "\"import flagstone; print(flagstone.run('vecadd', machine='tiny', store='none', "
      "engine='model').workload, flagstone.program())\"",
      scratch.path().string()));
  EXPECT_EQ(python.out, fmt::format("vecadd {}/bin/flagstone\n", scratch.path().string()))
      << python.err;
  const CommandResult broken = RunShell(
      fmt::format("FLAGSTONE_HOME=/ '{}/bin/flagstone' run vecadd", scratch.path().string()));
  EXPECT_EQ(broken.exit_code, 2);
}

}  // namespace install_test
}  // namespace flagstone
