// What malloc and free of device code give out and take back.
#include "kernels/launch/heap.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace flagstone {
namespace heap_test {

class HeapTest : public testing::Test {
 protected:
  // A heap that holds this much, with the 16 bytes in front of each block.
  void Make(uint64_t bytes) { address_ = AllocateHeap(bytes, &memory_); }
  uint64_t Take(uint64_t bytes) { return AllocateFrom(memory_.At(address_), bytes); }
  bool Free(uint64_t address) { return FreeInto(memory_.At(address_), address); }

  DeviceMemory memory_;
  uint64_t address_ = 0;
};

TEST_F(HeapTest, GivesOutAlignedBlocksThatDoNotMeetUntilNoneIsLeft) {
  Make(32 + 64 + 48);
  const uint64_t first = Take(16), second = Take(33);
  EXPECT_EQ(first % 16, 0U);
  EXPECT_GT(first, address_);
  EXPECT_EQ(second, first + 32) << "16 bytes, and those in front of the next block";
  EXPECT_EQ(Take(33), 0U) << "48 bytes are left";
  EXPECT_EQ(Take(32), second + 64);
  EXPECT_EQ(Take(1), 0U);
  EXPECT_EQ(Take(0), 0U);
}

TEST_F(HeapTest, RefusesWhatIsLargerThanItself) {
  Make(1024);
  EXPECT_EQ(Take(1024), 0U) << "there is no room for what stands in front";
  EXPECT_EQ(Take(~uint64_t{0}), 0U);
  EXPECT_EQ(Take(~uint64_t{0} - 15), 0U);
  EXPECT_NE(Take(1008), 0U);
}

TEST_F(HeapTest, GivesABlockOutAgainOnceItWasFreed) {
  Make(4096);
  const uint64_t small = Take(16), large = Take(200), last = Take(16);
  EXPECT_TRUE(Free(large));
  const uint64_t smaller = Take(100);
  EXPECT_EQ(smaller, large) << "the whole block, though less was asked for";
  EXPECT_GT(Take(100), last) << "it is in use";
  EXPECT_TRUE(Free(smaller));
  EXPECT_EQ(Take(208), large) << "it has kept its size";
  EXPECT_TRUE(Free(small));
  EXPECT_GT(Take(32), last) << "it is too small";
  EXPECT_EQ(Take(16), small);
}

TEST_F(HeapTest, FindsTheLargeBlockBehindSmallerOnesOfItsSize) {
  Make(4096);
  std::vector<uint64_t> blocks;
  for (const uint64_t bytes : {400U, 300U, 320U}) blocks.push_back(Take(bytes));
  for (const uint64_t block : blocks) EXPECT_TRUE(Free(block));
  EXPECT_EQ(Take(390), blocks[0]);
  EXPECT_EQ(Take(310), blocks[2]);
  EXPECT_EQ(Take(290), blocks[1]);
}

TEST_F(HeapTest, TakesBackOnlyWhatItGaveOutAndOnce) {
  Make(4096);
  const uint64_t first = Take(64), second = Take(64);
  EXPECT_FALSE(Free(first + 16));
  EXPECT_FALSE(Free(first + 1));
  EXPECT_FALSE(Free(second + 80)) << "nobody has it yet";
  EXPECT_FALSE(Free(address_));
  EXPECT_FALSE(Free(0));
  EXPECT_TRUE(Free(first));
  EXPECT_FALSE(Free(first)) << "twice";
  EXPECT_TRUE(Free(second));
  EXPECT_FALSE(Free(second));
  EXPECT_EQ((std::set<uint64_t>{Take(64), Take(64)}), (std::set<uint64_t>{first, second}));
}

}  // namespace heap_test
}  // namespace flagstone
