// Kernel launch -> address forms -> sharer sets -> locality graph -> TB groups, in one call: the
// analyzer's half of the way of the data.
#ifndef FLAGSTONE_APP_FLOW_ANALYSE_ANALYZE_H_
#define FLAGSTONE_APP_FLOW_ANALYSE_ANALYZE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/coalescing/coalescing.h"
#include "analyzer/cta_mapping/cta_mapping.h"
#include "analyzer/cta_mapping/warp_group.h"
#include "analyzer/ladm/ladm.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "analyzer/partition/partitioners.h"
#include "analyzer/placement/placed.h"
#include "app/policy/policy.h"
#include "app/results/launch_record.h"
#include "gpu_model/machines/machine.h"
#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/occupancy.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

struct AnalysisRequest {
  const MachineConfig* machine = nullptr;
  const Policy* policy = nullptr;
  uint64_t number = 0;  // of the launch, among the workload's
  Granularity granularity = Granularity::kByte;
  Universal universal = Universal::kLeftOut;  // of the statistics
  uint64_t seed = 1;
  // Those that no TB scheduler needs.
  bool other_analyses = false;  // coalescing, CTA mapping, LADM
  bool by_warp = false;         // how warps share data
  // Only to be read: where a grid is too large to be handled, what there is will do.
  bool partial = false;
  enum class Depth : uint8_t { kAddresses, kLocality, kGroups };
  Depth depth = Depth::kGroups;  // how far to go
  bool wants_graph = false;      // also where the policy goes without
  // The data as the launch finds them, to execute it on (and so change them) for the loads whose
  // addresses are not affine. Null: only what is known statically, other loads are left out.
  DeviceMemory* known_data = nullptr;
  FunctionalControl execution;  // of that
  // Hears of each part of the analysis when it begins: at most kParts of a launch.
  std::function<void(std::string_view part)> begins;
  static constexpr uint64_t kParts = 6;
};

struct LaunchAnalysis {
  Occupancy occupancy;
  AddressAnalysis addresses;
  Footprints footprints;
  SharerSets sharers;
  std::optional<SharerSets> timed_sharers;  // where the policy goes by them, as its graph does
  LocalityGraph graph;                      // empty unless the policy needs it or it was asked for
  LocalityStatistics statistics;
  std::optional<DataDistribution> distribution;  // where other analyses were asked for
  std::vector<std::string> problems;             // what could not be analysed, a line each
  std::optional<CtaMapping> cta_mapping;         // where the policy or the caller asked for it
  std::vector<WarpGroup> warp_groups;            // where the caller asked for other analyses
  TbGroups groups;                               // empty for policies that need none
  std::optional<GroupPrediction> prediction;     // where the policy may fall back
  double kept_weight = 0;
  double union_ratio = 1;
  std::vector<LoadCoalescing> coalescing;  // of the loads in program order, where asked for
  LadmAnalysis ladm;                       // where asked for
  std::optional<Placed> placed;            // likewise, for a machine of several nodes
  struct Seconds {                         // wall clock
    double addresses = 0, graph = 0, partition = 0;
    double execution = 0;                              // on known data
    double coalescing = 0, cta_mapping = 0, ladm = 0;  // where they are only to be read
    double statistics = 0;                             // what is said of sharing and groups
    double ToRead() const { return coalescing + cta_mapping + ladm + statistics; }
    // What a launch waits for.
    double Total() const { return addresses + execution + graph + partition; }
  } seconds;
};

PartitionRequest MakePartitionRequest(const AnalysisRequest& request, const Occupancy& occupancy);
// Of the SMs of one node.
PartitionRequest PartitionOfNode(const MachineConfig& machine, const KernelLaunch& launch,
                                 uint64_t seed);
// Refers to `analysis`.
PartitionInput MakePartitionInput(const KernelLaunch& launch, const LaunchAnalysis& analysis,
                                  const AnalysisRequest& request);

// `memory` only names arrays by their address.
LaunchAnalysis AnalyzeLaunch(const KernelLaunch& launch, const DeviceMemory& memory,
                             const AnalysisRequest& request);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_ANALYSE_ANALYZE_H_
