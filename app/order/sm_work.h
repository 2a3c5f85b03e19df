// What a launch asks of an SM whatever the order of its TBs, from the code and its trip counts.
#ifndef FLAGSTONE_APP_ORDER_SM_WORK_H_
#define FLAGSTONE_APP_ORDER_SM_WORK_H_

#include "analyzer/address/address_form.h"
#include "app/order/warp_requests.h"
#include "gpu_model/machines/machine.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Of one warp; a loop whose trip count is not known counts as one turn. A warp goes through the
// code in order, and waits where an instruction needs a result that is not there yet.
struct SmWork {
  double instructions = 0;
  double pipe = 0;        // cycles of a scheduler's pipe: of the one that is needed the longest
  double load_store = 0;  // cycles of the load/store unit
  double requested_bytes = 0;  // by global loads
  double chain = 0;            // cycles of a warp that is alone, with global loads that take none
  double rounds = 0;           // global loads that it waits for one after the other
};

// Throws kBadInput with file and line for an instruction that the simulator does not know.
SmWork FindSmWork(const KernelLaunch& launch, const AddressAnalysis& addresses,
                  const RequestsOfAccess& requests, const SmConfig& sm);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_SM_WORK_H_
