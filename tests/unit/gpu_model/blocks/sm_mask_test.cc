#include "gpu_model/blocks/sm_mask.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace flagstone {
namespace sm_mask_test {

TEST(SmMask, PicksRoundRobinAsASearchOneByOneDoes) {
  SplitMix64 random(3);
  for (int round = 0; round < 20000; ++round) {
    const auto sms = static_cast<uint32_t>(1 + random.Below(kMaxSms));
    SmMask mask = {};
    for (uint32_t sm = 0; sm < sms; ++sm) {
      if (random.Below(1 + random.Below(100)) == 0) SetBit(&mask, sm);
    }
    const auto first = static_cast<uint32_t>(random.Below(sms));
    uint32_t expected = kNoSm;
    for (uint32_t i = 0; i < sms && expected == kNoSm; ++i) {
      if (TestBit(mask, (first + i) % sms)) expected = (first + i) % sms;
    }
    ASSERT_EQ(PickSm(mask, first), expected) << "first " << first << " of " << sms;
  }
}

TEST(SmMask, VisitsItsSmsInOrder) {
  SmMask mask = {};
  for (const uint32_t sm : {0u, 63u, 64u, 127u, 128u, 255u}) SetBit(&mask, sm);
  std::vector<uint32_t> visited;
  ForEachSm(mask, [&](uint32_t sm) { visited.push_back(sm); });
  EXPECT_EQ(visited, (std::vector<uint32_t>{0, 63, 64, 127, 128, 255}));
  EXPECT_EQ(CountSms(mask), 6u);
}

}  // namespace sm_mask_test
}  // namespace flagstone
