// Which orders are tried on a machine.
#include "app/order/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

}  // namespace candidates_test
}  // namespace flagstone
