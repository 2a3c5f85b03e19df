// What one warp's execution of a global access asks of its SM and of the L2, as the coalescer makes
// it.
#ifndef FLAGSTONE_APP_ORDER_WARP_REQUESTS_H_
#define FLAGSTONE_APP_ORDER_WARP_REQUESTS_H_

#include <cstdint>
#include <unordered_map>

#include "analyzer/address/address_form.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct WarpRequests {
  double lines = 0;    // one after the other through the load/store unit
  double sectors = 0;  // of 32 B, in all lines together
};

// By pc, of a full warp without guards: the first one of TB 0. Addresses that follow from ids and
// counters alone are evaluated; those that only data tell are taken for scattered (assumption).
using RequestsOfAccess = std::unordered_map<uint32_t, WarpRequests>;
RequestsOfAccess FindWarpRequests(const AddressAnalysis& addresses, const KernelLaunch& launch);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_WARP_REQUESTS_H_
