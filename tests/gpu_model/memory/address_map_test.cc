#include "gpu_model/memory/address_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace flagstone {
namespace {

MachineConfig Machine(uint32_t slices, uint32_t channels) {
  MachineConfig machine;
  machine.l2.slices = slices;
  machine.dram.channels = channels;
  return machine;
}

TEST(AddressMap, GlobalIsTheInverseOfSlice) {
  const AddressMap map(Machine(12, 6));
  for (LineNumber line = 1 << 25; line < (1 << 25) + 10'000; ++line) {
    const auto place = map.Slice(line);
    ASSERT_LT(place.slice, 12U);
    ASSERT_EQ(map.Global(place.slice, place.local), line);
  }
}

TEST(AddressMap, PowerOfTwoStridesUseAllSlices) {
  const AddressMap map(Machine(48, 24));
  for (uint32_t stride : {8U, 64U, 1024U}) {
    std::vector<int> count(48, 0);
    for (uint32_t i = 0; i < 4800; ++i) ++count[map.Slice(i * stride).slice];
    EXPECT_GT(*std::min_element(count.begin(), count.end()), 50) << stride;
    EXPECT_LT(*std::max_element(count.begin(), count.end()), 200) << stride;
  }
}

TEST(AddressMap, LinesOfAChannelFillItsRowsBeforeTheNextBank) {
  const AddressMap map(Machine(12, 6));
  // 2,048 B rows = 16 lines, 8 of each of the channel's two slices.
  const auto first = map.Dram(0, 0);
  for (uint32_t slice = 0; slice < 2; ++slice) {
    for (LineNumber local = 0; local < 8; ++local) {
      EXPECT_EQ(map.Dram(slice, local).bank, first.bank);
      EXPECT_EQ(map.Dram(slice, local).row, first.row);
    }
  }
  EXPECT_NE(map.Dram(0, 8).bank, first.bank);
}

}  // namespace
}  // namespace flagstone
