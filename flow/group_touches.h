// What the TBs of a launch touch, step by step, as far as groups of them are judged by it.
#ifndef FLAGSTONE_FLOW_GROUP_TOUCHES_H_
#define FLAGSTONE_FLOW_GROUP_TOUCHES_H_

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "gpu_model/machines/machine.h"
#include "launch/kernel_launch.h"
#include "order/touch_plan.h"

namespace flagstone {

// `known`: of loads whose addresses only data tell; null where data are not known.
TouchPlan PlanGroupTouches(const AddressAnalysis& addresses, const KernelLaunch& launch,
                           const RequestsOfAccess& requests, const KnownAccesses* known,
                           const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_GROUP_TOUCHES_H_
