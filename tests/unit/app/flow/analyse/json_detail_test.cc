#include "app/flow/analyse/json_detail.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace json_detail_test {

// TBs 0 and 2 share 5 units, 1 and 3 share 2, TB 1 reads 7 alone, and all read 11.
SharerSets FourTbs() {
  SharerSets sharers;
  sharers.tb_count = 4;
  sharers.Add(std::vector<uint32_t>{0, 2}, 5);
  sharers.Add(std::vector<uint32_t>{1, 3}, 2);
  sharers.Add(std::vector<uint32_t>{1}, 7);
  sharers.shared_by_all = 11;
  return sharers;
}

TEST(MatrixJson, PlacesPairsByIdAndByGroup) {
  const Json matrix = MatrixJson(FourTbs(), {{{2, 0}, {1, 3}}, false});
  EXPECT_EQ(matrix["cells"], 4);
  EXPECT_EQ(matrix["universal"], 11);
  EXPECT_EQ(matrix["by_id"].dump(), R"({"row":[0,1],"column":[2,3],"weight":[5,2]})");
  EXPECT_EQ(matrix["by_group"].dump(), R"({"row":[0,2],"column":[1,3],"weight":[5,2]})");
  EXPECT_TRUE(MatrixJson(FourTbs(), {})["by_group"].is_null());
}

TEST(MatrixJson, SumsAllPairsOfLargeGridsInItsCells) {
  SharerSets sharers;
  sharers.tb_count = 1024;  // four to a cell
  sharers.Add(std::vector<uint32_t>{0, 1, 2, 4, 5}, 10);
  const Json by_id = MatrixJson(sharers, {})["by_id"];
  // Three pairs within the first cell, one within the second, six between them.
  EXPECT_EQ(by_id.dump(), R"({"row":[0,0,1],"column":[0,1,1],"weight":[30,60,10]})");
}

TEST(SharersJson, CountsUnitsByTheirReadersInPowersOfTwo) {
  EXPECT_EQ(SharersJson(FourTbs()).dump(), "[7,7,11]");
  EXPECT_EQ(SharersJson(SharerSets()).dump(), "[]");
}

TEST(EdgesJson, ListsEachEdgeOnceAndNoneOfLargeGraphs) {
  EXPECT_EQ(EdgesJson(FourTbs()).dump(), "[[0,2,5],[1,3,2]]");
  SharerSets large;
  large.tb_count = 200;
  std::vector<uint32_t> all(150);
  for (uint32_t tb = 0; tb < all.size(); ++tb) all[tb] = tb;
  large.Add(all, 1);
  EXPECT_TRUE(EdgesJson(large).is_null());
}

}  // namespace json_detail_test
}  // namespace flagstone
