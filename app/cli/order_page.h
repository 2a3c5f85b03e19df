// What `flagstone order` prints: the orders side by side, and which one to take.
#ifndef FLAGSTONE_APP_CLI_ORDER_PAGE_H_
#define FLAGSTONE_APP_CLI_ORDER_PAGE_H_

#include <cstddef>

#include "app/flow/studies/order_study.h"

namespace flagstone {

// The best `shown` of them; identity, and those that are simulated, in any case.
void PrintOrderPage(const OrderStudy& study, size_t shown);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_ORDER_PAGE_H_
