#include <gtest/gtest.h>

#include "base/paths.h"
#include "launch/workload.h"
#include "tests/base/error_message.h"
#include "tests/base/temporary_folder.h"

namespace flagstone {
namespace {

TEST(WorkloadFolder, ListsTheWorkloadsSorted) {
  EXPECT_EQ(ListWorkloads(),
            (std::vector<std::string>{"hotspot", "matmul", "spmv", "syrk", "vecadd"}));
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
  EXPECT_EQ(BadInputMessage([] { FindWorkload("matmull"); }),
            "unknown workload 'matmull': expected a path to a workload.toml or one of hotspot, "
            "matmul, spmv, syrk, vecadd");
  EXPECT_EQ(BadInputMessage([] { FindWorkload(""); }),
            "unknown workload '': expected a path to a workload.toml or one of hotspot, matmul, "
            "spmv, syrk, vecadd");
}

TEST(WorkloadFolder, SaysThatAPathCannotBeRead) {
  EXPECT_EQ(BadInputMessage([] { Workload::Load("no/workload.toml", "test"); }),
            "cannot read 'no/workload.toml': No such file or directory");
}

}  // namespace
}  // namespace flagstone
