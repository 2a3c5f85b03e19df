// The code that is emitted for an order computes it.
#include "app/order/order_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/app/order/order_names.h"

namespace flagstone {
namespace order_code_test {

TEST(OrderCode, ComputesTheOrder) {
  for (const Dim3 grid : {Dim3{31, 29, 2}, Dim3{16, 16, 1}, Dim3{7, 1, 3}, Dim3{64, 3, 4}}) {
    for (const std::string& base : OrderNames()) {
      for (const char* deal : {"", "+sm", "+wave", "+xcd"}) {
        const TbOrder order = ParseTbOrder(base + deal);
        const OrderCode code = MakeOrderCode(order, kOrderMachine, grid);
        const std::vector<uint32_t> table = order.Table(grid, kOrderMachine);
        for (uint32_t tb = 0; tb < grid.Count(); ++tb) {
          const Dim3 work = code.Run(TbCoordinates(tb, grid), grid);
          ASSERT_EQ((work.z * grid.y + work.y) * grid.x + work.x, table[tb]) << order.name;
        }
      }
    }
  }
}

TEST(OrderCode, OfATableLeavesOtherGridsAsTheyAre) {
  const OrderCode code = MakeOrderCode(ParseTbOrder("hilbert"), kOrderMachine, {8, 8, 1});
  const Dim3 work = code.Run({3, 4, 0}, {8, 9, 1});
  EXPECT_EQ(work.x, 3U);
  EXPECT_EQ(work.y, 4U);
}

TEST(OrderCode, HasNoOperationThatDoesNothing) {
  using Op = OrderOperation::Op;
  const OrderValue zero, one = {OrderValue::Kind::kNumber, 1};
  for (const std::string& base : OrderNames()) {
    const OrderCode code = MakeOrderCode(ParseTbOrder(base), kOrderMachine, {8, 8, 1});
    for (const OrderOperation& operation : code.operations) {
      EXPECT_FALSE(operation.b == zero && operation.op == Op::kAdd) << base;
      EXPECT_FALSE(operation.b == one && operation.op == Op::kMultiply) << base;
      EXPECT_FALSE(operation.b == one && operation.op == Op::kDivide) << base;
    }
  }
}

}  // namespace order_code_test
}  // namespace flagstone
