#include "gpu_model/stats/statistics.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace flagstone {
namespace {

TEST(Statistics, LaunchesAddUpAndTheLargestOccupancyStays) {
  LaunchStatistics a, b;
  a.cycles = 3;
  a.tbs_per_sm = 6;
  a.l1.misses = 1;
  b.cycles = 4;
  b.tbs_per_sm = 2;
  b.l1.misses = 10;
  b.tb.stolen = 5;
  b.dram.row_hits = 7;
  a += b;
  EXPECT_EQ(a.cycles, 7U);
  EXPECT_EQ(a.tbs_per_sm, 6U);
  EXPECT_EQ(a.l1.misses, 11U);
  EXPECT_EQ(a.tb.stolen, 5U);
  EXPECT_EQ(a.dram.row_hits, 7U);
}

TEST(Statistics, AddingReachesEveryFieldOfTheTable) {
  LaunchStatistics ones;
  ones.cycles = ones.warp_instructions = ones.thread_instructions = ones.tbs_per_sm = 1;
  ones.tb = {1, 1, 1, 1, 1, 1};
  ones.l1 = {1, 1, 1, 1, 1};
  ones.l2 = {1, 1, 1};
  ones.dram = {1, 1, 1};
  LaunchStatistics sum = ones;
  sum += ones;
  for (const StatisticsField& field : StatisticsTable()) {
    EXPECT_EQ(field.get(sum), field.name == "tbs_per_sm" ? 1U : 2U) << field.name;
  }
}

TEST(Statistics, EveryFieldHasItsOwnNameAUnitAndASentence) {
  std::set<std::string_view> names;
  for (const StatisticsField& field : StatisticsTable()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_FALSE(field.unit.empty()) << field.name;
    EXPECT_EQ(field.sentence.back(), '.') << field.name;
  }
}

}  // namespace
}  // namespace flagstone
