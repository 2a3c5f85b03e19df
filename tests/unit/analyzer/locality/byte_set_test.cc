#include "analyzer/locality/byte_set.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/random.h"

namespace flagstone {
namespace byte_set_test {

std::vector<Range> RangesOf(const std::set<uint64_t>& bytes) {
  std::vector<Range> ranges;
  for (const uint64_t byte : bytes) {
    const auto at = static_cast<int64_t>(byte);
    if (ranges.empty() || ranges.back().end != at) ranges.push_back({at, at});
    ++ranges.back().end;
  }
  return ranges;
}

TEST(ByteSet, HasEachByteThatWasAddedOnce) {
  ByteSet set;
  SplitMix64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::set<uint64_t> expected;
    // Of all lengths from single bytes to many sectors, close to each other and far apart.
    const uint64_t extent = uint64_t{1} << (4 + random.Below(14));
    for (uint64_t i = random.Below(300); i > 0; --i) {
      const uint64_t begin = random.Below(extent);
      const uint64_t bytes = 1 + random.Below(uint64_t{1} << random.Below(9));
      set.Add(begin, bytes);
      for (uint64_t b = begin; b < begin + bytes; ++b) expected.insert(b);
    }
    ASSERT_EQ(set.Take(), RangesOf(expected)) << "round " << round;
  }
}

TEST(ByteSet, IsEmptyAfterItWasTaken) {
  ByteSet set;
  set.Add(100, 4);
  set.Add(200, 64);
  EXPECT_EQ(set.Take(), (std::vector<Range>{{100, 104}, {200, 264}}));
  EXPECT_TRUE(set.Take().empty());
}

TEST(ByteSet, JoinsManyLongRanges) {
  ByteSet set;
  for (uint64_t turn = 0; turn < 3; ++turn) {
    for (uint64_t i = 0; i < 20'000; ++i) set.Add(128 * i + 32 * turn, 40);
  }
  const std::vector<Range> ranges = set.Take();
  ASSERT_EQ(ranges.size(), 20'000U);
  EXPECT_EQ(ranges[7], (Range{128 * 7, 128 * 7 + 104}));
}

}  // namespace byte_set_test
}  // namespace flagstone
