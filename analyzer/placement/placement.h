// Where TBs run and pages lie on a machine of several nodes, by the rules of LADM (MICRO 2020) and
// of those it is compared with. docs/ladm.md says what the paper leaves open.
#ifndef FLAGSTONE_ANALYZER_PLACEMENT_PLACEMENT_H_
#define FLAGSTONE_ANALYZER_PLACEMENT_PLACEMENT_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/ladm/ladm.h"
#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"
#include "analyzer/partition/partitioners.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/node_plan.h"

namespace flagstone {

struct PlacementInput {
  NodeShape nodes;
  uint64_t page_bytes = 4096;
  const KernelLaunch* launch = nullptr;
  const DeviceMemory* memory = nullptr;
  // For those that need them.
  const LadmAnalysis* ladm = nullptr;
  const Footprints* loads = nullptr;
  const Footprints* stores = nullptr;
  const LocalityGraph* graph = nullptr;
  PartitionRequest of_node = {};  // SMs, and TBs of each
  std::string_view file;          // a user's
};

// TBs, `chunk` at a time, and pages, one by one, to the nodes in turn.
NodePlan PlanRoundRobin(const PlacementInput& input, uint32_t chunk);
// A contiguous part of the grid and of each buffer for each node (Milic et al., MICRO 2017).
NodePlan PlanKernelWide(const PlacementInput& input);
// Batches of `tbs` TBs in turn, pages where they are first touched (Arunkumar et al., ISCA 2017).
NodePlan PlanBatches(const PlacementInput& input, uint32_t tbs);
// Pages in turn, and TBs in units that read one page where the largest array has an element for
// each thread (Kim et al., TACO 2018). Needs the analysis.
NodePlan PlanCoda(const PlacementInput& input);
// LADM's: each array as its locality wishes, TBs as that of one of them does. Needs the analysis.
NodePlan PlanLasp(const PlacementInput& input);
// By another decision than the analysis's, or with another caching.
NodePlan PlanLasp(const PlacementInput& input, const LadmDecision& decision, RemoteCaching caching);

// LASP's TBs; of what the footprints tell, each page where most bytes of it are referred to, the
// rest as LASP has it. Needs the analysis and the footprints.
NodePlan PlanOwner(const PlacementInput& input);

// The locality graph cut by METIS into GPUs, each GPU's part into chiplets, and each chiplet's into
// PAVER's groups; pages as PlanOwner has them. Needs the analysis, footprints and graph.
NodePlan PlanPaver(const PlacementInput& input);

// What the user's file says (docs/ladm.md): TBs in its order, one by one to the SMs of their node;
// TBs and pages that it does not name: a contiguous part for each node. Throws kBadInput
// ("FILE:LINE: ...").
NodePlan PlanManual(const PlacementInput& input);

// Adds owners to a plan whose TBs have their nodes: as PlanOwner says. Needs the footprints.
void AddOwners(const PlacementInput& input, NodePlan* plan);

// How LASP deals out an array and the elements that share it.
struct LaspDeal {
  TbMap tbs;
  DealUnits pages;  // bytes
  // By page, where equal units of whole pages would drift away from the elements.
  std::vector<uint8_t> owners;
};
LaspDeal DealOfArray(const PlacementInput& input, const LadmArgument& array);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_PLACEMENT_PLACEMENT_H_
