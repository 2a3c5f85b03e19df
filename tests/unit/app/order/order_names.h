// A machine, and a name of each kind of order without a deal, some with several parameters.
#ifndef FLAGSTONE_TESTS_UNIT_APP_ORDER_ORDER_NAMES_H_
#define FLAGSTONE_TESTS_UNIT_APP_ORDER_ORDER_NAMES_H_

#include <string>
#include <vector>

#include "app/order/tb_order.h"

namespace flagstone {

inline constexpr OrderMachine kOrderMachine = {.sms = 7, .tbs_per_sm = 3, .chiplets = 4};

inline const std::vector<std::string>& OrderNames() {
  static const std::vector<std::string> kNames = {
      "identity",   "column",   "band:1",   "band:3",   "band:8",   "band:32",
      "band-x:2",   "band-x:5", "tile:2x2", "tile:4x8", "tile:8x4", "tile:3x5x2",
      "tile:4x4x4", "axes:yxz", "axes:zxy", "axes:yzx", "axes:xzy", "axes:zyx",
      "hilbert",    "morton",   "reverse",  "snake"};
  return kNames;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_APP_ORDER_ORDER_NAMES_H_
