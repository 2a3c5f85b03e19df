#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/paths.h"
#include "kernels/launch/workload.h"
#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace workload_folder_test {

TEST(WorkloadFolder, ListsTheWorkloadsSorted) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(DataFolder() / "workloads")) {
    if (std::filesystem::exists(entry.path() / "workload.toml")) {
      folders.push_back(entry.path().filename().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  EXPECT_EQ(ListWorkloads(), folders);
  EXPECT_TRUE(std::binary_search(folders.begin(), folders.end(), "matmul"));
}

TEST(WorkloadFolder, FindsAWorkloadByItsName) {
  EXPECT_EQ(FindWorkload("matmul"), DataFolder() / "workloads" / "matmul" / "workload.toml");
}

TEST(WorkloadFolder, TakesAPathToAFileOrToItsFolder) {
  const TemporaryFolder folder;
  const auto file = folder.Write("mine.toml", "");
  EXPECT_EQ(FindWorkload(file.string()), file);
  EXPECT_EQ(FindWorkload(folder.path().string()), folder.path() / "workload.toml");
  EXPECT_EQ(FindWorkload("mine.toml"), "mine.toml");
}

TEST(WorkloadFolder, ListsTheKnownOnesForAnUnknownName) {
  const std::string known = fmt::format("{}", fmt::join(ListWorkloads(), ", "));
  EXPECT_EQ(BadInputMessage([] { FindWorkload("matmull"); }),
            "unknown workload 'matmull': expected a path to a workload.toml or one of " + known);
  EXPECT_EQ(BadInputMessage([] { FindWorkload(""); }),
            "expected a workload's name or path, found nothing");
}

TEST(WorkloadFolder, SaysThatAPathCannotBeRead) {
  EXPECT_EQ(BadInputMessage([] { Workload::Load("no/workload.toml", "test"); }),
            "cannot read 'no/workload.toml': No such file or directory");
}

}  // namespace workload_folder_test
}  // namespace flagstone
