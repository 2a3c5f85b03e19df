#include "gpu_model/memory/mshr_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace flagstone {
namespace mshr_table_test {

using testing::ElementsAre;
using testing::IsEmpty;

using Table = MshrTable<int>;

// The waiters of the entry for which `ready`, in the order in which they are told.
template <class Ready>
std::vector<int> Told(Table* table, uint16_t mshr, Ready&& ready) {
  std::vector<int> told;
  table->Release(mshr, ready, [&](int waiter) { told.push_back(waiter); });
  return told;
}

std::vector<int> AllTold(Table* table, uint16_t mshr) {
  return Told(table, mshr, [](int) { return true; });
}

TEST(MshrTable, TellsTheWaitersOfEachEntryInOrderOfArrival) {
  Table table(2, 8);
  const uint16_t first = table.Allocate(10);
  const uint16_t second = table.Allocate(20);
  for (int i = 0; i < 4; ++i) {
    table.Add(first, i, kAllSectors);
    table.Add(second, 10 + i, kAllSectors);
  }
  EXPECT_THAT(Told(&table, first, [](int w) { return w % 2 == 1; }), ElementsAre(1, 3));
  table.Add(first, 4, kAllSectors);
  EXPECT_THAT(AllTold(&table, first), ElementsAre(0, 2, 4));
  EXPECT_EQ(table.count(first), 0U);
  EXPECT_THAT(AllTold(&table, first), IsEmpty());
  EXPECT_THAT(AllTold(&table, second), ElementsAre(10, 11, 12, 13));
}

TEST(MshrTable, AWaiterMayBeAddedWhileOthersAreTold) {
  Table table(2, 2048);
  const uint16_t first = table.Allocate(1);
  const uint16_t second = table.Allocate(2);
  constexpr int kWaiters = 700;  // the pool grows meanwhile
  for (int i = 0; i < kWaiters; ++i) table.Add(first, i, kAllSectors);
  int expected = 0;
  table.Release(
      first, [](int) { return true; },
      [&](int waiter) {
        EXPECT_EQ(waiter, expected++);
        table.Add(second, waiter, kAllSectors);
        table.Add(second, -waiter, kAllSectors);
      });
  EXPECT_EQ(expected, kWaiters);
  EXPECT_EQ(AllTold(&table, second).size(), 2U * kWaiters);
}

TEST(MshrTable, OfSectorsCountsAndMergesBySector) {
  Table table(/*mshrs=*/2, /*merges=*/1, MshrUnit::kSector);
  EXPECT_TRUE(table.HasFree(false, 0b0011));
  EXPECT_FALSE(table.HasFree(false, 0b0111)) << "two MSHRs";
  const uint16_t mshr = table.Allocate(1);
  table.Sent(0b0001);
  table.Add(mshr, 1, 0b0001);
  EXPECT_FALSE(table.HasRoom(mshr, 0b0001)) << "one merge a sector";
  EXPECT_TRUE(table.HasRoom(mshr, 0b0010));
  EXPECT_TRUE(table.HasFree(true, 0b0010));
  EXPECT_FALSE(table.HasFree(true, 0b0110));
  table.Came(0b0001);
  EXPECT_THAT(AllTold(&table, mshr), ElementsAre(1));
  EXPECT_TRUE(table.HasRoom(mshr, 0b0001));
  EXPECT_EQ(table.used(), 0U);
}

}  // namespace mshr_table_test
}  // namespace flagstone
