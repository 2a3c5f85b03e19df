// What the TBs of a launch touch, step by step, as far as groups of them are judged by it.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_GROUP_TOUCHES_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_GROUP_TOUCHES_H_

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "app/order/touch_plan.h"
#include "gpu_model/machines/machine.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// `known`: of loads whose addresses only data tell; null where data are not known.
TouchPlan PlanGroupTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                           const RequestsOfAccess& requests, const KnownAccesses* known,
                           const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_GROUP_TOUCHES_H_
