#include "gpu_model/stats/statistics.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <string_view>

namespace flagstone {
namespace statistics_test {

TEST(Statistics, LaunchesAddUpAndTheLargestOccupancyStays) {
  LaunchStatistics a, b;
  a.cycles = 3;
  a.tbs_per_sm = 6;
  a.l1.misses = 1;
  a.l1.load_latency.Add(40);
  b.cycles = 4;
  b.tbs_per_sm = 2;
  b.l1.misses = 10;
  b.tb.stolen = 5;
  b.l1.load_latency.Add(63);
  a += b;
  EXPECT_EQ(a.cycles, 7U);
  EXPECT_EQ(a.tbs_per_sm, 6U);
  EXPECT_EQ(a.l1.misses, 11U);
  EXPECT_EQ(a.tb.stolen, 5U);
  EXPECT_EQ(a.l1.load_latency.buckets[5], 2U);
  EXPECT_EQ(a.l1.load_latency.cycles, 103U);
}

TEST(Statistics, TheTableHasEachFieldOnceSoThatAddingReachesAll) {
  LaunchStatistics statistics;
  std::set<const uint64_t*> cells;
  for (const StatisticsField& field : StatisticsTable()) {
    for (uint64_t& cell : field.values(statistics)) {
      EXPECT_TRUE(cells.insert(&cell).second) << field.name;
    }
  }
  EXPECT_EQ(cells.size() * sizeof(uint64_t), sizeof(LaunchStatistics))
      << "a field of LaunchStatistics has no row in StatisticsTable()";
}

TEST(Statistics, EveryRowHasItsOwnNameAUnitAndASentence) {
  std::set<std::string_view> names;
  const auto check = [&](const auto& row) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.unit.empty()) << row.name;
    EXPECT_EQ(row.sentence.back(), '.') << row.name;
  };
  for (const StatisticsField& field : StatisticsTable()) check(field);
  for (const StatisticsRate& rate : StatisticsRates()) check(rate);
}

// A name nests by its dots in JSON: none may be a value and a table at once.
TEST(Statistics, NoNameIsThePrefixOfAnother) {
  std::set<std::string> names;
  for (const StatisticsField& field : StatisticsTable()) names.emplace(field.name);
  for (const StatisticsRate& rate : StatisticsRates()) names.emplace(rate.name);
  for (const std::string& name : names) {
    const auto next = names.lower_bound(name + ".");
    EXPECT_FALSE(next != names.end() && next->starts_with(name + ".")) << name << ", " << *next;
  }
}

TEST(LatencyHistogram, HasABucketPerPowerOfTwo) {
  LatencyHistogram histogram;
  for (const uint64_t latency : {0U, 1U, 2U, 3U, 4U, 32767U, 32768U, 65536U, 1U << 20}) {
    histogram.Add(latency);
  }
  EXPECT_EQ(histogram.buckets[0], 2U);
  EXPECT_EQ(histogram.buckets[1], 2U);
  EXPECT_EQ(histogram.buckets[2], 1U);
  EXPECT_EQ(histogram.buckets[14], 1U);
  EXPECT_EQ(histogram.buckets[15], 3U);
  EXPECT_EQ(histogram.count, 9U);
  EXPECT_EQ(std::accumulate(histogram.buckets.begin(), histogram.buckets.end(), uint64_t{0}), 9U);
}

}  // namespace statistics_test
}  // namespace flagstone
