// What grouping TBs saves a launch on a machine, predicted from what its TBs touch: what policy
// `auto` goes by.
#ifndef FLAGSTONE_FLOW_GROUP_PREDICTION_H_
#define FLAGSTONE_FLOW_GROUP_PREDICTION_H_

#include <string>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "gpu_model/machines/machine.h"
#include "launch/kernel_launch.h"
#include "launch/tb_groups.h"
#include "order/bounds.h"
#include "record/launch_record.h"

namespace flagstone {

// `known`: of loads whose addresses only data tell; null where data are not known.
GroupPrediction PredictGroups(const AddressAnalysis& addresses, const KernelLaunch& launch,
                              const KnownAccesses* known, const TbGroups& groups,
                              const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_GROUP_PREDICTION_H_
