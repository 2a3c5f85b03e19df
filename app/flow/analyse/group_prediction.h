// What grouping TBs saves a launch on a machine, predicted from what its TBs touch: what policy
// `auto` goes by.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_GROUP_PREDICTION_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_GROUP_PREDICTION_H_

#include <span>
#include <string_view>

#include "analyzer/address/address_form.h"
#include "analyzer/locality/footprints.h"
#include "app/order/bounds.h"
#include "app/results/launch_record.h"
#include "gpu_model/machines/machine.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// A policy that `auto` may take, and the groups of TBs that it makes.
struct GroupCandidate {
  std::string_view policy;
  const TbGroups* groups = nullptr;
  bool queued = true;  // they wait in PAVER's queues, which take time to hand them out
};

// Of the candidates that gain it takes the one that is predicted to take the least time; where none
// does, `lrr` runs, and the figures are those of the fastest one. At least one candidate.
// `known`: of loads whose addresses only data tell; null where data are not known.
GroupPrediction PredictGroups(const AddressAnalysis& addresses, const KernelLaunch& launch,
                              const KnownAccesses* known,
                              std::span<const GroupCandidate> candidates,
                              const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_GROUP_PREDICTION_H_
