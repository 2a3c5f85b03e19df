#include "app/cli/workload_list.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace flagstone {
namespace workload_list_test {

Json Item(const std::string& name, const Json& papers, const Json& kernels) {
  return {{"name", name},
          {"papers", papers},
          {"kernels", kernels},
          {"tbs_test", 16},
          {"tbs_paper", 3907},
          {"loads", {{"uniform", 1}, {"affine", 22}, {"deterministic", 3}, {"indirect", 4}}}};
}

TEST(WorkloadTable, ShowsPapersKernelsTbsAndLoadClasses) {
  const std::string table =
      WorkloadTable(Json::array({Item("bfs", {"PAVER BFS"}, {"expand", "advance"})}));
  EXPECT_EQ(table.substr(0, table.find("TBs: of")),
            "name  papers     kernels          TBs test  TBs paper     loads\n"
            "----  ---------  ---------------  --------  ---------  --------\n"
            "bfs   PAVER BFS  expand, advance        16      3,907  1/22/3/4\n");
}

TEST(WorkloadTable, GoesOnInTheNextLineAndCutsWhatNoLineHolds) {
  const std::string table = WorkloadTable(Json::array(
      {Item("x", {"PAVER BFS", "CAPS BFS", "LADM BFS"}, {"k_" + std::string(40, 'n'), "z"}),
       Item("none", Json::array(), {"k"})}));
  EXPECT_EQ(table.substr(0, table.find("TBs: of")),
            "name  papers                kernels                 TBs test  TBs paper     loads\n"
            "----  --------------------  ----------------------  --------  ---------  --------\n"
            "x     PAVER BFS, CAPS BFS,  k_nnnnnnnnnnnnnnnnn...        16      3,907  1/22/3/4\n"
            "      LADM BFS              z\n"
            "none                        k                             16      3,907  1/22/3/4\n");
}

TEST(WorkloadItems, HoldEveryWorkloadsFigures) {
  const Json items = WorkloadItems();
  bool found = false;
  for (const Json& item : items) {
    EXPECT_FALSE(item["kernels"].empty()) << item["name"];
    EXPECT_FALSE(item["summary"].get<std::string>().empty()) << item["name"];
    if (item["name"] != "bfs") continue;
    found = true;
    EXPECT_EQ(item["kernels"], Json({"bfs_expand", "bfs_advance"})) << "each once, in order";
    EXPECT_EQ(item["tbs_paper"], 3907);
    EXPECT_EQ(item["tbs_test"], 16);
    EXPECT_EQ(item["threads_per_tb"], 256);
    EXPECT_EQ(item["launches"], 2);
    // The frontier, bounds and cost by thread, the edges and their targets' marks by what is
    // loaded; and one mark by thread in the second kernel.
    EXPECT_EQ(item["loads"],
              Json({{"uniform", 0}, {"affine", 7}, {"deterministic", 0}, {"indirect", 2}}));
  }
  EXPECT_TRUE(found);
}

TEST(WorkloadTable, FitsAHundredColumnsWithAllWorkloads) {
  std::istringstream lines(WorkloadTable(WorkloadItems()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace workload_list_test
}  // namespace flagstone
