// A PTX file with a TB order applied: every read of %ctaid gives the TB whose work is done instead.
#ifndef FLAGSTONE_APP_ORDER_EMIT_PTX_H_
#define FLAGSTONE_APP_ORDER_EMIT_PTX_H_

#include <map>
#include <string>
#include <string_view>

#include "app/order/order_code.h"

namespace flagstone {

// `text` with the order of each entry applied to its kernel and to the device functions that it
// calls. Entries that are not named stay as they are, but for those that share such a function.
// Throws kBadInput with file and line for kernels of clusters, whose TBs have to stay together, for
// a vector read of %ctaid, and for a device function that reads %ctaid where the orders of the
// entries that call it differ.
std::string ApplyOrder(std::string_view text, const std::string& file,
                       const std::map<std::string, OrderCode>& orders);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_EMIT_PTX_H_
