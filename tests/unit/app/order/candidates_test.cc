// Which orders are tried on a machine.
#include "app/order/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/unit/app/order/order_names.h"

namespace flagstone {
namespace candidates_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> NamesOn(const OrderMachine& machine) {
  std::vector<std::string> names;
  for (const TbOrder& order : CandidateOrders({{16, 16, 1}}, {machine})) {
    names.push_back(order.name);
  }
  return names;
}

TEST(CandidateOrders, GiveAnSmNeighboursWhereTbsAreDealtInTurn) {
  EXPECT_THAT(NamesOn({.sms = 4, .tbs_per_sm = 2, .chiplets = 1}),
              AllOf(Contains("identity+sm"), Contains(HasSubstr("+wave"))));
}

TEST(CandidateOrders, CountOnNoSmWhereTheDealingIsUnknown) {
  EXPECT_THAT(NamesOn({.sms = 4, .tbs_per_sm = 2, .chiplets = 1, .in_turn = false}),
              AllOf(Contains("band:4"), Each(Not(HasSubstr("+")))));
}

TEST(CandidateOrders, BeginWithIdentityAndHoldNoOrderTwice) {
  const std::vector<Dim3> grids = {{16, 16, 1}};
  const std::vector<OrderMachine> machines = {kOrderMachine};
  const std::vector<TbOrder> orders = CandidateOrders(grids, machines);
  ASSERT_GT(orders.size(), 30U);
  EXPECT_EQ(orders.front().name, "identity");
  std::set<std::vector<uint32_t>> tables;
  for (const TbOrder& order : orders) {
    EXPECT_TRUE(tables.insert(order.Table(grids[0], kOrderMachine)).second) << order.name;
  }
}

TEST(CandidateOrders, OfASingleTbAreIdentityAlone) {
  EXPECT_EQ(CandidateOrders({{1, 1, 1}}, {kOrderMachine}).size(), 1U);
}

}  // namespace candidates_test
}  // namespace flagstone
