// The groups of accesses that TBs of a box have, from what the first of these TBs executes.
// Internal to this folder.
#ifndef FLAGSTONE_APP_ORDER_SHIFTED_GROUPS_H_
#define FLAGSTONE_APP_ORDER_SHIFTED_GROUPS_H_

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/address/address_form.h"
#include "app/order/executed_tb.h"
#include "app/order/shifted_accesses.h"

namespace flagstone::order {

struct ShiftedBox {
  TbBox tbs;
  ExecutedTb first;
  // Bytes, by pc: by coordinate in the box along each axis.
  std::map<uint32_t, std::array<std::vector<int64_t>, 3>> shifts;
};

struct GroupingOfShifted {
  std::map<uint32_t, const AddressForm*> access_of;  // by pc
  uint32_t warps = 1;                                // of a TB
  uint32_t parts = 1;
  uint32_t unit_bytes = 32;
};

// Appends the groups of a box to those of all; their steps have to be set.
void AddGroupsOf(const ShiftedBox& box, const GroupingOfShifted& grouping, ShiftedAccesses* all);

}  // namespace flagstone::order

#endif  // FLAGSTONE_APP_ORDER_SHIFTED_GROUPS_H_
