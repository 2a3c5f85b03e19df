// What grouping TBs saves a launch on a machine, predicted by replay: what policy `auto` goes by.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_GROUP_PREDICTION_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_GROUP_PREDICTION_H_

#include <span>
#include <string_view>

#include "analyzer/replay/traces.h"
#include "app/results/launch_record.h"
#include "gpu_model/machines/machine.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/tb_groups.h"

namespace flagstone {

// A policy that `auto` may take, and the groups of TBs that it makes.
struct GroupCandidate {
  std::string_view policy;
  const TbGroups* groups = nullptr;
  bool queued = true;  // they wait in PAVER's queues, which take time to hand them out
};

// It takes the candidate that is predicted to take the least time, and `lrr` unless that is less
// than lrr's by more than the margin; then the figures are those of the fastest one. At
// least one candidate. Where loads are left out nothing is known, and `lrr` runs.
GroupPrediction PredictGroups(replay::Traces* traces, const DeviceMemory& memory,
                              std::span<const GroupCandidate> candidates,
                              const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_GROUP_PREDICTION_H_
