#include "analyzer/locality/unit_sweep.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"

namespace flagstone {
namespace unit_sweep_test {

std::map<std::vector<uint32_t>, uint64_t> ToMap(const std::vector<UnitSweep::LabelSet>& sets) {
  std::map<std::vector<uint32_t>, uint64_t> map;
  for (const UnitSweep::LabelSet& set : sets) {
    const bool is_new = map.try_emplace({set.labels.begin(), set.labels.end()}, set.units).second;
    EXPECT_TRUE(is_new) << "a set came twice";
  }
  return map;
}

TEST(UnitSweep, CountsUnitsBySetOfLabels) {
  UnitSweep sweep;
  sweep.Add(0, 10, 1);
  sweep.Add(5, 20, 2);
  sweep.Add(30, 35, 1);
  EXPECT_EQ(ToMap(sweep.Run()),
            (std::map<std::vector<uint32_t>, uint64_t>{{{1}, 10}, {{1, 2}, 5}, {{2}, 10}}));
}

TEST(UnitSweep, TakesRangesThatMeetAsApart) {
  UnitSweep sweep;
  sweep.Add(0, 10, 1);
  sweep.Add(10, 20, 2);
  EXPECT_EQ(ToMap(sweep.Run()), (std::map<std::vector<uint32_t>, uint64_t>{{{1}, 10}, {{2}, 10}}));
}

TEST(UnitSweep, FindsNothingInNothing) { EXPECT_TRUE(UnitSweep().Run().empty()); }

TEST(UnitSweep, AgreesWithCountingUnitByUnit) {
  SplitMix64 random(3);
  for (const uint64_t base : {uint64_t{0}, uint64_t{1} << 33}) {
    // Long enough for the radix sort.
    std::map<uint64_t, std::set<uint32_t>> labels;
    UnitSweep sweep;
    for (uint32_t label = 0; label < 300; ++label) {
      uint64_t at = base + random.Below(5000);
      for (int r = 0; r < 8; ++r) {
        const uint64_t end = at + 1 + random.Below(40);
        sweep.Add(at, end, label);
        for (uint64_t u = at; u < end; ++u) labels[u].insert(label);
        at = end + 1 + random.Below(100);
      }
    }
    std::map<std::vector<uint32_t>, uint64_t> expected;
    for (const auto& [unit, set] : labels) ++expected[{set.begin(), set.end()}];
    EXPECT_EQ(ToMap(sweep.Run()), expected);
  }
}

}  // namespace unit_sweep_test
}  // namespace flagstone
