// An order as source code, to be put into a kernel by hand.
#ifndef FLAGSTONE_APP_ORDER_EMIT_SOURCE_H_
#define FLAGSTONE_APP_ORDER_EMIT_SOURCE_H_

#include <string>

#include "app/order/order_code.h"

namespace flagstone {

// A device function that gives the kernel's blockIdx; a table, if there is one, is __constant__
// where it fits in 64 KiB.
std::string EmitCuda(const OrderCode& code);
// A device function of a persistent kernel's tile index and the number of tiles.
std::string EmitCudaTiles(const OrderCode& code);
// A Python function of the program ids; a table is a tensor that the caller passes.
std::string EmitTriton(const OrderCode& code);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_EMIT_SOURCE_H_
