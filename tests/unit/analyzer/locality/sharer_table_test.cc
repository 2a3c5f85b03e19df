// Sharer sets as they come from several arrays and places, the same ones summed up.
#include "analyzer/locality/sharer_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace sharer_table_test {

TEST(SharerTable, SumsUpSetsThatComeAgain) {
  SharerSets sharers;
  sharers.tb_count = 4;
  SharerTable table(sharers);
  table.AddSet(std::vector<uint32_t>{1, 3}, 5, 2);
  table.AddSet(std::vector<uint32_t>{0, 2}, 3, 0);
  table.AddSet(std::vector<uint32_t>{1, 3}, 4, 1);
  ASSERT_EQ(sharers.families.size(), 2U);
  EXPECT_EQ(sharers.families[0].anchor, 1U);
  EXPECT_EQ(sharers.families[0].weight, 9U);
  EXPECT_EQ(sharers.families[0].several_warps, 3U);
  EXPECT_EQ(sharers.families[1].weight, 3U);
}

TEST(SharerTable, KeepsFamiliesApartThatRepeatDifferently) {
  SharerSets sharers;
  sharers.tb_count = 40;
  SharerTable table(sharers);
  SharerFamily family;
  family.weight = 1;
  for (const uint32_t step : {2U, 4U, 2U}) {
    family.count = {5, 1, 1};
    family.step = {step, 7, 7};  // the steps of axes along which it does not repeat do not matter
    table.Add(family, std::vector<uint32_t>{0, 1});
    family.step = {step, 9, 9};
    table.Add(family, std::vector<uint32_t>{0, 1});
  }
  ASSERT_EQ(sharers.families.size(), 2U);
  EXPECT_EQ(sharers.families[0].weight, 4U);
  EXPECT_EQ(sharers.families[1].weight, 2U);
}

TEST(SharerTable, CountsWhatAllTbsReadAsOneNumber) {
  SharerSets sharers;
  sharers.tb_count = 3;
  SharerTable table(sharers);
  for (const uint64_t units : {uint64_t{5}, uint64_t{7}}) {
    table.AddSet(std::vector<uint32_t>{0, 1, 2}, units, units - 4);
  }
  EXPECT_TRUE(sharers.families.empty());
  EXPECT_EQ(sharers.shared_by_all, 12U);
  EXPECT_EQ(sharers.shared_by_all_several_warps, 4U);
}

}  // namespace sharer_table_test
}  // namespace flagstone
