#include "gpu_model/memory/page_translation.h"

#include <gtest/gtest.h>

#include "gpu_model/memory/physical_line.h"

namespace flagstone {
namespace page_translation_test {

Packet PacketOf(LineNumber line) {
  Packet packet;
  packet.line = line;
  return packet;
}

TEST(PageTranslation, WithoutATableLinesKeepTheirNumbers) {
  PageTranslation translation(nullptr, 0, 100);
  Packet packet = PacketOf(7);
  EXPECT_TRUE(translation.Translate(&packet, 1));
  EXPECT_EQ(packet.line, 7U);
  EXPECT_EQ(translation.fault_cycles(), 0U);
}

TEST(PageTranslation, AFirstTouchHoldsBackWhatComesAfterItToo) {
  NumaConfig numa;
  numa.gpus = 2;
  DeviceMemory memory;
  const uint64_t touched = memory.Allocate("touched", 4096);
  const uint64_t placed = memory.Allocate("placed", 4096);
  PageTable pages(numa);
  pages.Place(memory, {.pages = {{"placed", GpuFirst(4096)}}, .first_touch = true});
  PageTranslation translation(&pages, 1, 100);

  Packet first = PacketOf(LineOf(touched)), second = PacketOf(LineOf(placed));
  EXPECT_FALSE(translation.Translate(&first, 10));
  EXPECT_FALSE(translation.Translate(&second, 109));
  EXPECT_EQ(translation.fault_cycles(), 100U);
  EXPECT_TRUE(translation.Translate(&first, 110));
  EXPECT_EQ(HomeOf(first.line), 1U);  // where it was touched
  EXPECT_EQ(first.origin, 1U);
  EXPECT_TRUE(translation.Translate(&second, 110));
  EXPECT_EQ(HomeOf(second.line), 0U);
  EXPECT_EQ(translation.fault_cycles(), 100U);
}

}  // namespace page_translation_test
}  // namespace flagstone
