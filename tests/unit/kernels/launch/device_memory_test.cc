#include "kernels/launch/device_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/base/error_message.h"

namespace flagstone {
namespace device_memory_test {

constexpr uint64_t kBase = MemoryLayout().base;

TEST(DeviceMemory, AlignsRegionsAndLeavesAGapAfterEach) {
  DeviceMemory memory;
  EXPECT_EQ(memory.Allocate("one_byte", 1), kBase);
  EXPECT_EQ(memory.Allocate("empty", 0), kBase + 512);
  EXPECT_EQ(memory.Allocate("full_granule", 256), kBase + 768);
  EXPECT_EQ(memory.Allocate("one_more", 257), kBase + 1280);
  EXPECT_EQ(memory.Allocate("last", 8), kBase + 2048);
}

TEST(DeviceMemory, BeginsWithZeros) {
  DeviceMemory memory;
  memory.Allocate("a", 1000);
  for (const std::byte byte : memory.Bytes(memory.Named("a"))) ASSERT_EQ(byte, std::byte{0});
}

TEST(DeviceMemory, KeepsContentsAndAddressesWhenItGrows) {
  DeviceMemory memory;
  const uint64_t address = memory.Allocate("a", 4);
  *memory.At(address + 3) = std::byte{42};
  memory.Allocate("b", 1 << 20);
  EXPECT_EQ(*memory.At(address + 3), std::byte{42});
  EXPECT_EQ(memory.Named("a").address, address);
}

TEST(DeviceMemory, BeginsWithZerosWhereACopyOfLessWasAssigned) {
  DeviceBytes bytes, few;
  bytes.Resize(100);
  bytes.data()[60] = std::byte{42};
  few.Resize(50);
  bytes = few;
  ASSERT_EQ(bytes.size(), 50U);
  bytes.Resize(100);
  EXPECT_EQ(bytes.data()[60], std::byte{0});
}

TEST(DeviceMemory, MovesNothingOfWhatWasExpected) {
  DeviceMemory memory;
  memory.Expect(std::vector<uint64_t>{1, 1 << 20});
  const std::byte* first = memory.At(memory.Allocate("a", 1));
  memory.Allocate("b", 1 << 20);
  EXPECT_EQ(memory.At(memory.Named("a").address), first);
}

// Holds is the simulator's fast path; Find is the definition.
TEST(DeviceMemory, HoldsExactlyWhatLiesInOneRegion) {
  DeviceMemory memory;
  for (const uint64_t size : {0U, 1U, 7U, 255U, 256U, 257U, 511U, 512U, 700U}) {
    memory.Allocate("r" + std::to_string(size), size);
  }
  const uint64_t end = memory.regions().back().address + 700 + 1024;
  uint64_t held = 0;
  for (uint64_t address = kBase - 300; address < end; ++address) {
    for (const uint64_t size : {1U, 2U, 4U, 8U, 16U, 32U, 128U, 255U, 256U, 257U, 512U}) {
      const auto* region = memory.Find(address, size);
      ASSERT_EQ(memory.Holds(address, size), region != nullptr) << address - kBase << " " << size;
      if (region != nullptr) ++held;
    }
  }
  uint64_t expected = 0;  // size - n + 1 places for n bytes in a region
  for (const uint64_t region : {1U, 7U, 255U, 256U, 257U, 511U, 512U, 700U}) {
    for (const uint64_t n : {1U, 2U, 4U, 8U, 16U, 32U, 128U, 255U, 256U, 257U, 512U}) {
      if (region >= n) expected += region - n + 1;
    }
  }
  EXPECT_EQ(held, expected);
}

TEST(DeviceMemory, CatchesAnAccessJustOutsideARegion) {
  DeviceMemory memory;
  const uint64_t a = memory.Allocate("a", 1024);
  const uint64_t b = memory.Allocate("b", 1024);
  EXPECT_TRUE(memory.Holds(a + 1020, 4));
  EXPECT_FALSE(memory.Holds(a + 1021, 4)) << "straddles the end";
  EXPECT_FALSE(memory.Holds(a + 1024, 1));
  EXPECT_FALSE(memory.Holds(b - 1, 1));
  EXPECT_FALSE(memory.Holds(b - 1, 2)) << "straddles the begin";
  EXPECT_TRUE(memory.Holds(b, 4));
}

TEST(DeviceMemory, SurvivesAddressesThatWouldWrapAround) {
  DeviceMemory memory;
  memory.Allocate("a", 64);
  EXPECT_FALSE(memory.Holds(0, 4));
  EXPECT_FALSE(memory.Holds(~uint64_t{0}, 4));
  EXPECT_FALSE(memory.Holds(kBase - 1, 2));
  EXPECT_FALSE(memory.Holds(kBase + 60, ~uint64_t{0}));
  EXPECT_EQ(memory.Find(~uint64_t{0}, ~uint64_t{0}), nullptr);
}

TEST(DeviceMemory, FindsTheRegionOfAnAccess) {
  DeviceMemory memory;
  memory.Allocate("a", 64);
  const uint64_t b = memory.Allocate("b", 64, /*writable=*/false);
  ASSERT_NE(memory.Find(b + 32, 32), nullptr);
  EXPECT_EQ(memory.Find(b + 32, 32)->name, "b");
  EXPECT_FALSE(memory.Find(b + 32, 32)->writable);
  EXPECT_TRUE(memory.Named("a").writable);
}

TEST(DeviceMemory, ListsTheBuffersWhenANameIsUnknown) {
  DeviceMemory memory;
  memory.Allocate("a", 4);
  memory.Allocate("b", 4);
  EXPECT_EQ(BadInputMessage([&] { memory.Named("c"); }),
            "unknown buffer 'c': expected one of a, b");
}

TEST(DeviceMemory, RejectsMoreThanItsLimitInAllBuffersTogether) {
  DeviceMemory memory;
  memory.Allocate("a", 4);
  // What is expected is less than what was asked for.
  const std::string message =
      BadInputMessage([&] { memory.Allocate("b", DeviceMemory::kMaxBytes); });
  const std::string expected = ": expected at most ";
  EXPECT_TRUE(message.starts_with("'b' needs 17179869184 bytes of device memory and a gap"))
      << message;
  EXPECT_TRUE(message.ends_with(", what is free of 17179869184")) << message;
  EXPECT_LT(std::stoull(message.substr(message.find(expected) + expected.size())),
            DeviceMemory::kMaxBytes);
  EXPECT_EQ(memory.regions().size(), 1U);
}

TEST(DeviceMemory, UsesAgainWhatWasTakenAwayAndBeginsItWithZeros) {
  DeviceMemory memory;
  const uint64_t first = memory.Allocate("first", 1000);
  const uint64_t second = memory.Allocate("second", 1000);
  *memory.At(first + 999) = std::byte{7};
  memory.Free(first);
  EXPECT_EQ(memory.Find(first, 1), nullptr);
  EXPECT_FALSE(memory.Holds(first, 4));
  EXPECT_NE(memory.Allocate("larger", 2000), first);
  EXPECT_EQ(memory.Allocate("smaller", 900), first);
  EXPECT_TRUE(memory.Holds(first + 896, 4));
  EXPECT_FALSE(memory.Holds(first + 897, 4));
  EXPECT_EQ(*memory.At(first + 899), std::byte{0});
  EXPECT_EQ(memory.Named("second").address, second);
  EXPECT_TRUE(std::is_sorted(memory.regions().begin(), memory.regions().end(),
                             [](const auto& a, const auto& b) { return a.address < b.address; }));
}

TEST(DeviceMemory, TakesPlacesThatTheCallerChoosesUnlessSomethingIsThere) {
  DeviceMemory memory;
  memory.AllocateAt("a", kBase + 4096, 300);
  EXPECT_THAT(BadInputMessage([&] { memory.AllocateAt("b", kBase + 4096 + 512, 8); }),
              testing::HasSubstr("lies where 'a' is"));
  memory.AllocateAt("b", kBase + 4096 + 768, 8);
  EXPECT_THAT(BadInputMessage([&] { memory.AllocateAt("c", kBase + 100, 8); }),
              testing::HasSubstr("expected a multiple of 256"));
  EXPECT_EQ(memory.Allocate("d", 3000), kBase);
}

TEST(DeviceMemory, KeepsQueuesApartFromBuffers) {
  MemoryLayout layout;
  layout.queue_bytes = 4096;
  DeviceMemory memory(64, layout);
  EXPECT_EQ(memory.Allocate("a", 8), kBase + 4096);
  EXPECT_EQ(memory.AllocateQueue("queue", 100), kBase);
  EXPECT_EQ(memory.AllocateQueue("queue", 100), kBase + 512);
  EXPECT_EQ(memory.Allocate("b", 8), kBase + 4096 + 512);
  EXPECT_THROW(memory.AllocateQueue("queue", 4096), Error);
}

TEST(DeviceMemory, FillsTheRoomOfTheQueuesToItsLastByte) {
  MemoryLayout layout;
  layout.queue_bytes = 4096;
  layout.gap = 256;
  DeviceMemory memory(64, layout);
  EXPECT_EQ(memory.AllocateQueue("all", 4096 - 256), kBase);
  EXPECT_THROW(memory.AllocateQueue("one more", 1), Error);
  DeviceMemory other(64, layout);
  EXPECT_THROW(other.AllocateQueue("too large", 4096 - 255), Error);
}

TEST(DeviceMemory, PutsWhatIsApartAtTheEndOfTheQueuesRoom) {
  MemoryLayout layout;
  layout.queue_bytes = 4096;
  for (const bool buffer_first : {false, true}) {
    DeviceMemory memory(64, layout);
    if (buffer_first) memory.Allocate("a", 8);
    EXPECT_EQ(memory.AllocateQueue("queue", 100), kBase);
    EXPECT_EQ(memory.AllocateApart("barrier", 256), kBase + 4096 - 512);
    EXPECT_EQ(memory.AllocateApart("heap", 2000), kBase + 4096 - 512 - 2304);
    EXPECT_TRUE(memory.IsAmongQueues(memory.Named("heap")));
    const uint64_t other = memory.AllocateApart("too large", 1024);
    EXPECT_EQ(other, kBase + 4096 + (buffer_first ? 512 : 0));
    EXPECT_FALSE(memory.IsAmongQueues(memory.Named("too large")));
    EXPECT_EQ(memory.AllocateQueue("queue 2", 500), kBase + 512);
    EXPECT_THROW(memory.AllocateQueue("queue 3", 1), Error);
  }
  DeviceMemory none;
  none.Allocate("a", 8);
  EXPECT_EQ(none.AllocateApart("barrier", 256), kBase + 512);
}

TEST(DeviceMemory, WritesThroughToAMappingAndACopyOfItDoesNot) {
  std::vector<std::byte> mapping(1 << 16);
  DeviceMemory memory(mapping, MemoryLayout());
  const uint64_t a = memory.Allocate("a", 8);
  *memory.At(a) = std::byte{1};
  EXPECT_EQ(mapping[0], std::byte{1});
  DeviceMemory copy = memory;
  *copy.At(a) = std::byte{2};
  EXPECT_EQ(mapping[0], std::byte{1});
  memory = copy;
  EXPECT_EQ(mapping[0], std::byte{2});
  EXPECT_THROW(memory.Allocate("b", 1 << 17), Error);
}

}  // namespace device_memory_test
}  // namespace flagstone
