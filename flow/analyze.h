// Kernel launch -> address forms -> sharer sets -> locality graph -> TB groups, in one call: the
// analyzer's half of the way of the data.
#ifndef FLAGSTONE_FLOW_ANALYZE_H_
#define FLAGSTONE_FLOW_ANALYZE_H_

#include <cstdint>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/coalescing/coalescing.h"
#include "analyzer/ladm/ladm.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "analyzer/partition/policies.h"
#include "analyzer/partition/tb_groups.h"
#include "gpu_model/machines/machine.h"
#include "launch/device_memory.h"
#include "launch/kernel_launch.h"
#include "systemc/simulation.h"

namespace flagstone {

struct AnalysisRequest {
  const MachineConfig* machine = nullptr;
  const Policy* policy = nullptr;
  Granularity granularity = Granularity::kElement;
  uint64_t seed = 1;
  bool other_analyses = false;  // those that no TB scheduler needs: coalescing, LADM
  bool wants_graph = false;     // also where the policy goes without
};

PartitionRequest MakePartitionRequest(const AnalysisRequest& request, const Occupancy& occupancy);

struct LaunchAnalysis {
  Occupancy occupancy;
  AddressAnalysis addresses;
  Footprints footprints;
  SharerSets sharers;
  LocalityGraph graph;  // empty unless the policy needs it or it was asked for
  LocalityStatistics statistics;
  TbGroups groups;  // empty for policies that need none
  double kept_weight = 0;
  double union_ratio = 1;
  std::vector<LoadCoalescing> coalescing;  // of the loads in program order, where asked for
  LadmAnalysis ladm;                       // where asked for
  struct Seconds {                         // wall clock
    double addresses = 0, graph = 0, partition = 0;
    double other = 0;  // other_analyses
    double Total() const { return addresses + graph + partition; }
  } seconds;
};

LaunchAnalysis AnalyzeLaunch(const KernelLaunch& launch, const DeviceMemory& memory,
                             const AnalysisRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_ANALYZE_H_
