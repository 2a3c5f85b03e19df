// The quick ways to a block's ports say the same as the field tables.
#include "systemc/cosim/any_block.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "systemc/cosim/block_registry.h"

namespace flagstone {
namespace any_block_test {

// Bit `at` of a port, as its lanes have it.
uint64_t BitOf(const AnyBlock& block, uint32_t port, uint32_t at) {
  const uint32_t width = block.inputs()[port].width, bit = at % width;
  return block.Input(port, at / width)[bit / 64] >> (bit % 64) & 1;
}

TEST(AnyBlock, MovesLanesAndWholePortsOfEachBlockAsItsFieldsDo) {
  SplitMix64 random(1);
  for (const BlockRow& row : BlockRows()) {
    const auto block = row.make(ChooseParameters(row, {}), Engine::kModel, {});
    for (uint32_t i = 0; i < block->inputs().size(); ++i) {
      const AnyPort& port = block->inputs()[i];
      const uint32_t bits = port.width * port.lanes;
      std::vector<uint64_t> words((bits + 63) / 64);
      for (uint64_t& word : words) word = random.Next();
      block->SetInputWords(i, words.data());
      for (uint32_t at = 0; at < bits; ++at) {
        ASSERT_EQ(BitOf(*block, i, at), words[at / 64] >> (at % 64) & 1) << row.name << port.name;
      }
      for (uint32_t lane = 0; lane < port.lanes && port.width <= 64; ++lane) {
        const uint64_t value = random.Next() & MaskOf(port.width);
        block->SetInputLane(i, lane, value);
        ASSERT_EQ(block->Input(i, lane)[0], value) << row.name << port.name;
      }
    }
  }
}

}  // namespace any_block_test
}  // namespace flagstone
