// Counters over time keep their sums, whatever the width of their buckets.
#include "app/results/counters.h"

#include <gtest/gtest.h>

#include <array>

namespace flagstone {
namespace counters_test {

TEST(Counters, TheWidthDoublesAndTheSumsStay) {
  constexpr size_t kMost = 64;
  Counters counters(2, kMost);
  std::array<uint64_t, 2> sums = {};
  const uint64_t cycles = 10 * kMost * Counters::kFirstWidth;
  for (uint64_t cycle = 0; cycle < cycles; cycle += Counters::kFirstWidth) {
    sums[0] += 3;
    sums[1] += cycle;
    counters.Add(cycle, sums);
  }
  EXPECT_EQ(counters.width(), 16 * Counters::kFirstWidth);
  EXPECT_EQ(counters.buckets(), 40U);
  std::array<uint64_t, 2> found = {};
  for (size_t bucket = 0; bucket < counters.buckets(); ++bucket) {
    EXPECT_EQ(counters.At(bucket, 0), 3 * 16U) << bucket;
    for (size_t i = 0; i < 2; ++i) found[i] += counters.At(bucket, i);
  }
  EXPECT_EQ(found, sums);
}

TEST(Counters, CountOnlyWhatCameSinceTheLastCallAndARestartBeginsAtZero) {
  Counters counters(1, 8);
  counters.Add(0, std::array<uint64_t, 1>{5});
  counters.Add(Counters::kFirstWidth, std::array<uint64_t, 1>{7});
  counters.Restart();
  counters.Add(2 * Counters::kFirstWidth, std::array<uint64_t, 1>{4});
  ASSERT_EQ(counters.buckets(), 3U);
  EXPECT_EQ(counters.At(0, 0), 5U);
  EXPECT_EQ(counters.At(1, 0), 2U);
  EXPECT_EQ(counters.At(2, 0), 4U);
}

TEST(RunCounters, KeepSmsApart) {
  RunCounters counters(3);
  std::vector<uint64_t> sums(counters.sms.columns());
  for (size_t i = 0; i < sums.size(); ++i) sums[i] = i;
  counters.sms.Add(0, sums);
  EXPECT_EQ(counters.Sm(0, 0, SmCount::kL1Misses), 1U);
  EXPECT_EQ(counters.Sm(0, 2, SmCount::kL1Accesses), 2 * kSmCounts.size());
  EXPECT_EQ(counters.Sm(0, 2, SmCount::kWarpInstructions), 3 * kSmCounts.size() - 1);
}

}  // namespace counters_test
}  // namespace flagstone
