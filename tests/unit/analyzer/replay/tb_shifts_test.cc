// Which TBs do the same elsewhere, of launches whose addresses are made up.
#include "analyzer/replay/tb_shifts.h"

#include <gtest/gtest.h>

namespace flagstone::replay {
namespace tb_shifts_test {

constexpr Dim3 kGrid = {8, 6, 1};

// TB (x, y) reads what `address` says, and its neighbours once more.
template <class Address>
TbShifts Find(Address address) {
  return TbShifts(kGrid, 1, [address](uint32_t tb) {
    const uint64_t first = address(tb % kGrid.x, tb / kGrid.x);
    return TbShifts::Tb{{0, 0, 0xffffffff, 7, first}, {0, 1, 0xffffffff, 7, first + 128}};
  });
}
uint32_t Id(uint32_t x, uint32_t y) { return y * kGrid.x + x; }

TEST(TbShifts, OfAddressesThatGoWithTheCoordinates) {
  TbShifts shifts = Find([](uint32_t x, uint32_t y) { return 1000 + 512 * x + 4096 * y; });
  EXPECT_EQ(shifts.Of(0, {3, 2, 0}), 3 * 512 + 2 * 4096);
  EXPECT_EQ(shifts.KindOf(Id(1, 1)), shifts.KindOf(Id(6, 4)));
  EXPECT_EQ(shifts.KindOf(Id(0, 1)), shifts.KindOf(Id(1, 1)));
}

// The first TBs of rows have no neighbour.
TEST(TbShifts, OfTbsThatDoSomethingElseAtABorderAreApart) {
  TbShifts shifts =
      Find([](uint32_t x, uint32_t y) { return x == 0 ? 7 : 1000 + 512 * x + 4096 * y; });
  EXPECT_NE(shifts.KindOf(Id(0, 1)), shifts.KindOf(Id(1, 1)));
  EXPECT_EQ(shifts.KindOf(Id(1, 1)), shifts.KindOf(Id(6, 4)));
}

// Swapped halves of the grid: neighbours move alike, but not all of them.
TEST(TbShifts, ComparesTwoOfAKindThatAreFarApart) {
  TbShifts shifts = Find([](uint32_t x, uint32_t) { return 1000 + 512 * (x ^ 4); });
  EXPECT_NE(shifts.KindOf(Id(1, 1)), shifts.KindOf(Id(6, 1)));
}

TEST(TbShifts, OfAnAxisAlongWhichTbsDifferAreEachTheirOwn) {
  TbShifts shifts = Find([](uint32_t x, uint32_t y) { return 1000 + 512 * x + 4096 * y * y * y; });
  EXPECT_NE(shifts.KindOf(Id(2, 2)), shifts.KindOf(Id(2, 3)));
  TbShifts other = Find([](uint32_t x, uint32_t y) { return 1000 + 512 * x + 4096 * y; });
  EXPECT_EQ(other.KindOf(Id(2, 2)), other.KindOf(Id(2, 3)));
}

// Of a product whose rows go by halves, the columns do the same elsewhere.
TEST(TbShifts, FindsTheOneAxisOfTwoAlongWhichTbsAreAlike) {
  TbShifts shifts = Find([](uint32_t x, uint32_t y) { return 1000 + 512 * x + 4096 * (y / 2); });
  EXPECT_EQ(shifts.KindOf(Id(2, 2)), shifts.KindOf(Id(5, 2)));
  EXPECT_NE(shifts.KindOf(Id(2, 2)), shifts.KindOf(Id(2, 3)));
}

}  // namespace tb_shifts_test
}  // namespace flagstone::replay
