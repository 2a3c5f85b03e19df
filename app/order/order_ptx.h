// An order of TBs as PTX.
#ifndef FLAGSTONE_APP_ORDER_ORDER_PTX_H_
#define FLAGSTONE_APP_ORDER_ORDER_PTX_H_

#include <string>

#include "app/order/order_code.h"

namespace flagstone {

std::string OrderTableName(const std::string& entry);
std::string OrderTablePtx(const OrderCode& code, const std::string& name);

// What stands at the beginning of a body: %flagstone_x, _y, _z are the ids whose work is done.
std::string OrderPrologue(const OrderCode& code, const std::string& table);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_ORDER_PTX_H_
