// The orders that are tried on a launch.
#ifndef FLAGSTONE_APP_ORDER_CANDIDATES_H_
#define FLAGSTONE_APP_ORDER_CANDIDATES_H_

#include <vector>

#include "app/order/tb_order.h"

namespace flagstone {

// Orders for a workload whose launches have these grids; identity first. An order that is the same
// as one before it on every grid is left out.
std::vector<TbOrder> CandidateOrders(const std::vector<Dim3>& grids,
                                     const std::vector<OrderMachine>& machines);

// Whether the order leaves the TBs of all these grids where they are.
bool IsIdentity(const TbOrder& order, const std::vector<Dim3>& grids,
                const std::vector<OrderMachine>& machines);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_CANDIDATES_H_
