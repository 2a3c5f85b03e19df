#include "gpu_model/sm/coalescer.h"

#include <gtest/gtest.h>

namespace flagstone {
namespace coalescer_test {

constexpr uint32_t kAllLanes = 0xffffffff;
constexpr uint64_t kBase = 0x1'0000'0000;

LaneAddresses Strided(uint64_t base, uint64_t stride) {
  LaneAddresses addresses;
  for (uint32_t lane = 0; lane < 32; ++lane) addresses[lane] = base + lane * stride;
  return addresses;
}

uint32_t Sectors(const CoalescedRequests& requests) {
  uint32_t sectors = 0;
  for (uint32_t i = 0; i < requests.count; ++i) sectors += SectorCount(requests.sectors[i]);
  return sectors;
}

struct Case {
  uint64_t base, stride;
  uint32_t lines, sectors;
};

TEST(Coalescer, CountsLinesAndSectorsOfStridedWarps) {
  // Kim et al., Table 3: consecutive 4, stride of 4 words 16, of 32 words 32, one place 1 sector.
  const Case cases[] = {{0, 4, 1, 4},  {0, 16, 4, 16}, {0, 128, 32, 32}, {0, 0, 1, 1},
                        {64, 4, 2, 4}, {16, 4, 2, 5},  {0, 8, 2, 8},     {0, 1024, 32, 32}};
  for (const Case& c : cases) {
    CoalescedRequests requests;
    Coalesce(Strided(kBase + c.base, c.stride), kAllLanes, &requests);
    EXPECT_EQ(requests.count, c.lines) << c.base << " " << c.stride;
    EXPECT_EQ(Sectors(requests), c.sectors) << c.base << " " << c.stride;
  }
}

TEST(Coalescer, CountsTheLanesThatShareAnAddress) {
  LaneAddresses addresses = Strided(kBase, 0);
  CoalescedRequests requests;
  AtomicConflicts conflicts;
  const auto count = [&](uint32_t lanes) {
    Coalesce(addresses, lanes, &requests);
    CountConflicts(addresses, lanes, requests, &conflicts);
  };
  count(kAllLanes);
  EXPECT_EQ(conflicts[0], 31U);
  count(0b1011);
  EXPECT_EQ(conflicts[0], 2U);
  addresses = Strided(kBase, 4);
  count(kAllLanes);
  EXPECT_EQ(conflicts[0], 0U);
  // Two lines: three lanes on one address of the second, two on one of the first.
  for (uint32_t lane = 0; lane < 32; ++lane) addresses[lane] = kBase + lane * 8;
  addresses[20] = addresses[25] = addresses[30];
  addresses[3] = addresses[4];
  count(kAllLanes);
  EXPECT_EQ(requests.count, 2U);
  EXPECT_EQ(conflicts[0], 1U);
  EXPECT_EQ(conflicts[1], 2U);
}

TEST(Coalescer, KeepsTheOrderOfTheLowestLaneAndMergesAcrossLanes) {
  LaneAddresses addresses = Strided(kBase, 0);
  addresses[0] = kBase + 128;
  addresses[1] = kBase;
  addresses[2] = kBase + 128 + 96;
  CoalescedRequests requests;
  Coalesce(addresses, 0b111, &requests);
  ASSERT_EQ(requests.count, 2U);
  EXPECT_EQ(requests.lines[0], LineOf(kBase + 128));
  EXPECT_EQ(requests.sectors[0], 0b1001);
  EXPECT_EQ(requests.sectors[1], 0b0001);
}

TEST(Coalescer, IgnoresLanesThatDoNotExecute) {
  CoalescedRequests requests;
  Coalesce(Strided(kBase, 128), 0x8001, &requests);
  EXPECT_EQ(requests.count, 2U);
  Coalesce(Strided(kBase, 128), 1, &requests);
  EXPECT_EQ(requests.count, 1U);
  EXPECT_EQ(requests.lines[0], LineOf(kBase));
}

TEST(BankCycles, CountsTheMostWordsInOneBank) {
  EXPECT_EQ(BankCycles(Strided(0, 4), kAllLanes, 4, false), 1U);
  EXPECT_EQ(BankCycles(Strided(0, 8), kAllLanes, 4, false), 2U);
  EXPECT_EQ(BankCycles(Strided(0, 16), kAllLanes, 4, false), 4U);
  EXPECT_EQ(BankCycles(Strided(0, 128), kAllLanes, 4, false), 32U);
  EXPECT_EQ(BankCycles(Strided(0, 132), kAllLanes, 4, false), 1U);  // padded rows
}

TEST(BankCycles, OneWordForAllLanesIsABroadcastButNotForAtomics) {
  EXPECT_EQ(BankCycles(Strided(0, 0), kAllLanes, 4, false), 1U);
  EXPECT_EQ(BankCycles(Strided(0, 0), kAllLanes, 4, true), 32U);
  EXPECT_EQ(BankCycles(Strided(0, 1), kAllLanes, 1, false), 1U);
}

TEST(BankCycles, WideAccessesTakeACycleForEach128Bytes) {
  EXPECT_EQ(BankCycles(Strided(0, 8), kAllLanes, 8, false), 2U);
  EXPECT_EQ(BankCycles(Strided(0, 16), kAllLanes, 16, false), 4U);
}

}  // namespace coalescer_test
}  // namespace flagstone
