// Orders are bijections on grids of any size, and the code that is emitted for them computes them.
#include "app/order/tb_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "app/order/candidates.h"
#include "app/order/order_code.h"
#include "base/error.h"

namespace flagstone {
namespace tb_order_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr OrderMachine kMachine = {.sms = 7, .tbs_per_sm = 3, .chiplets = 4};

const std::vector<std::string>& Bases() {
  static const std::vector<std::string> kBases = {
      "identity", "column",   "band:1",   "band:3",   "band:8",     "band:32",    "band-x:2",
      "band-x:5", "tile:2x2", "tile:4x8", "tile:8x4", "tile:3x5x2", "tile:4x4x4", "axes:yxz",
      "axes:zxy", "axes:yzx", "axes:xzy", "axes:zyx", "hilbert",    "morton"};
  return kBases;
}

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
          const std::string name = Bases()[turn % Bases().size()] + deals[turn / 7 % deals.size()];
          ASSERT_TRUE(IsBijection(ParseTbOrder(name).Table({x, y, z}, kMachine)))
              << name << " on " << x << " x " << y << " x " << z;
        }
      }
    }
  }
}

TEST(TbOrder, OfEachNameIsABijectionOnGridsThatNoTileDivides) {
  for (const Dim3 grid : {Dim3{1, 1, 1}, Dim3{13, 1, 1}, Dim3{1, 17, 3}, Dim3{31, 29, 2},
                          Dim3{64, 64, 4}, Dim3{5, 3, 4}}) {
    for (const std::string& base : Bases()) {
      for (const char* deal : {"", "+sm", "+wave", "+xcd"}) {
        const TbOrder order = ParseTbOrder(base + deal);
        EXPECT_TRUE(IsBijection(order.Table(grid, kMachine))) << order.name;
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

TEST(OrderCode, ComputesTheOrder) {
  for (const Dim3 grid : {Dim3{31, 29, 2}, Dim3{16, 16, 1}, Dim3{7, 1, 3}, Dim3{64, 3, 4}}) {
    for (const std::string& base : Bases()) {
      for (const char* deal : {"", "+sm", "+wave", "+xcd"}) {
        const TbOrder order = ParseTbOrder(base + deal);
        const OrderCode code = MakeOrderCode(order, kMachine, grid);
        const std::vector<uint32_t> table = order.Table(grid, kMachine);
        for (uint32_t tb = 0; tb < grid.Count(); ++tb) {
          const Dim3 work = code.Run(TbCoordinates(tb, grid), grid);
          ASSERT_EQ((work.z * grid.y + work.y) * grid.x + work.x, table[tb]) << order.name;
        }
      }
    }
  }
}

TEST(OrderCode, OfATableLeavesOtherGridsAsTheyAre) {
  const OrderCode code = MakeOrderCode(ParseTbOrder("hilbert"), kMachine, {8, 8, 1});
  const Dim3 work = code.Run({3, 4, 0}, {8, 9, 1});
  EXPECT_EQ(work.x, 3U);
  EXPECT_EQ(work.y, 4U);
}

TEST(OrderCode, HasNoOperationThatDoesNothing) {
  using Op = OrderOperation::Op;
  const OrderValue zero, one = {OrderValue::Kind::kNumber, 1};
  for (const std::string& base : Bases()) {
    const OrderCode code = MakeOrderCode(ParseTbOrder(base), kMachine, {8, 8, 1});
    for (const OrderOperation& operation : code.operations) {
      EXPECT_FALSE(operation.b == zero && operation.op == Op::kAdd) << base;
      EXPECT_FALSE(operation.b == one && operation.op == Op::kMultiply) << base;
      EXPECT_FALSE(operation.b == one && operation.op == Op::kDivide) << base;
    }
  }
}

TEST(CandidateOrders, BeginWithIdentityAndHoldNoOrderTwice) {
  const std::vector<Dim3> grids = {{16, 16, 1}};
  const std::vector<OrderMachine> machines = {kMachine};
  const std::vector<TbOrder> orders = CandidateOrders(grids, machines);
  ASSERT_GT(orders.size(), 30U);
  EXPECT_EQ(orders.front().name, "identity");
  std::set<std::vector<uint32_t>> tables;
  for (const TbOrder& order : orders) {
    EXPECT_TRUE(tables.insert(order.Table(grids[0], kMachine)).second) << order.name;
  }
}

TEST(CandidateOrders, OfASingleTbAreIdentityAlone) {
  EXPECT_EQ(CandidateOrders({{1, 1, 1}}, {kMachine}).size(), 1U);
}

}  // namespace tb_order_test
}  // namespace flagstone
