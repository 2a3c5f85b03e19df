#include "base/paths.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace paths_test {

class Paths : public testing::Test {
 protected:
  ~Paths() override { unsetenv("FLAGSTONE_HOME"); }
};

TEST_F(Paths, FindsTheSourceTreeWhenNotInstalled) {
  unsetenv("FLAGSTONE_HOME");
  EXPECT_TRUE(std::filesystem::exists(DataFolder() / "workloads" / "vecadd" / "kernel.ptx"));
}

TEST_F(Paths, PrefersTheFolderThatTheUserNames) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "workloads");
  setenv("FLAGSTONE_HOME", folder.path().c_str(), 1);
  EXPECT_EQ(DataFolder(), folder.path());
}

TEST_F(Paths, RejectsANamedFolderWithoutWorkloads) {
  const TemporaryFolder folder;
  setenv("FLAGSTONE_HOME", folder.path().c_str(), 1);
  EXPECT_EQ(BadInputMessage([] { DataFolder(); }),
            "FLAGSTONE_HOME is '" + folder.path().string() + "', which has no folder 'workloads'");
}

}  // namespace paths_test
}  // namespace flagstone
