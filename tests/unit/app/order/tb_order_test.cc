// Orders are bijections on grids of any size.
#include "app/order/tb_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "tests/unit/app/order/order_names.h"

namespace flagstone {
namespace tb_order_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

bool IsBijection(const std::vector<uint32_t>& table) {
  std::vector<bool> seen(table.size(), false);
  for (const uint32_t tb : table) {
    if (tb >= table.size() || seen[tb]) return false;
    seen[tb] = true;
  }
  return true;
}

// All grids up to 64 x 64 x 4, each with some of the orders, so that each order meets each extent.
TEST(TbOrder, IsABijectionOnEveryGrid) {
  const std::vector<std::string> deals = {"", "+sm", "+wave", "+xcd"};
  size_t turn = 0;
  for (uint32_t z = 1; z <= 4; ++z) {
    for (uint32_t y = 1; y <= 64; ++y) {
      for (uint32_t x = 1; x <= 64; ++x) {
        for (int i = 0; i < 3; ++i, ++turn) {
          const std::string name =
              OrderNames()[turn % OrderNames().size()] + deals[turn / 7 % deals.size()];
          ASSERT_TRUE(IsBijection(ParseTbOrder(name).Table({x, y, z}, kOrderMachine)))
              << name << " on " << x << " x " << y << " x " << z;
        }
      }
    }
  }
}

TEST(TbOrder, OfEachNameIsABijectionOnGridsThatNoTileDivides) {
  for (const Dim3 grid : {Dim3{1, 1, 1}, Dim3{13, 1, 1}, Dim3{1, 17, 3}, Dim3{31, 29, 2},
                          Dim3{64, 64, 4}, Dim3{5, 3, 4}}) {
    for (const std::string& base : OrderNames()) {
      for (const char* deal : {"", "+sm", "+wave", "+xcd"}) {
        const TbOrder order = ParseTbOrder(base + deal);
        EXPECT_TRUE(IsBijection(order.Table(grid, kOrderMachine))) << order.name;
      }
    }
  }
}

TEST(TbOrder, FollowsItsName) {
  const auto table = [](const char* name, const Dim3& grid) {
    return ParseTbOrder(name).Table(grid, {.sms = 2, .tbs_per_sm = 2});
  };
  EXPECT_THAT(table("identity", {3, 2}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(table("column", {3, 2}), ElementsAre(0, 3, 1, 4, 2, 5));
  // Bands of two rows, the last one of one row: column after column in each.
  EXPECT_THAT(table("band:2", {3, 3}), ElementsAre(0, 3, 1, 4, 2, 5, 6, 7, 8));
  EXPECT_THAT(table("band-x:2", {3, 2}), ElementsAre(0, 1, 3, 4, 2, 5));
  EXPECT_THAT(table("tile:2x2", {3, 2}), ElementsAre(0, 1, 3, 4, 2, 5));
  EXPECT_THAT(table("axes:zxy", {2, 1, 2}), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(table("morton", {4, 2}), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
  // SM 0 gets TBs 0, 2, 4 of the launch: the first half of the grid.
  EXPECT_THAT(table("identity+sm", {6, 1}), ElementsAre(0, 3, 1, 4, 2, 5));
  // Four TBs start together: SM 0 gets the first two of them.
  EXPECT_THAT(table("identity+wave", {6, 1}), ElementsAre(0, 2, 1, 3, 4, 5));
}

TEST(TbOrder, OfAnUnknownNameSaysWhatIsExpected) {
  for (const char* name : {"", "bands:2", "band", "band:0", "band:2x", "tile:2", "tile:2x2x2x2",
                           "axes:xxy", "axes:xy", "identity+gpu", "hilbert:2"}) {
    try {
      ParseTbOrder(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_THAT(error.what(), HasSubstr("expected identity, column, band:N"));
    }
  }
}

}  // namespace tb_order_test
}  // namespace flagstone
