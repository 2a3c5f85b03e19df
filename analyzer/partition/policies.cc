// The rows of the policy table. A new policy is one row here.
#include "analyzer/partition/policies.h"

#include <array>
#include <string>

#include "base/error.h"

namespace flagstone {
namespace {

template <TbGroups (*Partition)(const LocalityGraph&, const PartitionRequest&)>
TbGroups OfGraph(const PartitionInput& input, const PartitionRequest& request) {
  return Partition(*input.graph, request);
}

template <TbGroups (*Partition)(const Dim3&, const PartitionRequest&)>
TbGroups OfGrid(const PartitionInput& input, const PartitionRequest& request) {
  return Partition(input.grid, request);
}

TbGroups Traffic(const PartitionInput& input, const PartitionRequest& request) {
  return PartitionByTraffic(input.grid, *input.sharers, request);
}

template <CtaDirection Direction>
TbGroups Along(const PartitionInput& input, const PartitionRequest& request) {
  return GroupsOfCtaMapping(input.grid, Direction, request);
}

TbGroups AlongBest(const PartitionInput& input, const PartitionRequest& request) {
  return GroupsOfCtaMapping(input.grid, input.direction, request);
}

constexpr std::array kPolicies = {
    Policy{"lrr", "loose round-robin over SMs, TBs in id order (the baseline)",
           DispatcherKind::kLrr, nullptr},
    Policy{"mst", "maximum-spanning-tree order: one group per SM, then single TBs (PAVER, 4.1)",
           DispatcherKind::kPaver, OfGraph<PartitionByMst>, true},
    Policy{"kway", "k-way partition: one part per SM, with task stealing (PAVER, 4.2)",
           DispatcherKind::kPaver, OfGraph<PartitionByKway>, true},
    Policy{"rb", "recursive bisection down to what one SM holds, with task stealing (PAVER, 4.3)",
           DispatcherKind::kPaver, OfGraph<PartitionByRecursiveBisection>, true},
    Policy{"rb-strict", "rb until a group holds fewer TBs than an SM (Algorithm 1's strict '<')",
           DispatcherKind::kPaver, OfGraph<PartitionByStrictBisection>, true},
    Policy{"hilbert", "groups along a Hilbert curve over the grid, without a look at addresses",
           DispatcherKind::kPaver, OfGrid<PartitionByHilbert>},
    Policy{"tile", "rectangular tiles of the grid, without a look at addresses",
           DispatcherKind::kPaver, OfGrid<PartitionByTiles>},
    Policy{"traffic", "groups whose TBs together read the fewest distinct data, by swaps",
           DispatcherKind::kPaver, Traffic},
    Policy{"cta-x", "whole rows of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
           DispatcherKind::kPaver, Along<CtaDirection::kX>},
    Policy{"cta-y", "whole columns of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
           DispatcherKind::kPaver, Along<CtaDirection::kY>},
    Policy{"cta-auto", "cta-x, cta-y or round-robin, by the reuse distances (Algorithm 1)",
           DispatcherKind::kPaver, AlongBest, false, true},
};

}  // namespace

std::string_view ToString(DispatcherKind dispatcher) {
  switch (dispatcher) {
    case DispatcherKind::kLrr:
      return "lrr";
    case DispatcherKind::kPaver:
      return "paver";
  }
  return "?";
}

std::span<const Policy> Policies() { return kPolicies; }

const Policy& FindPolicy(std::string_view name) {
  std::string known;
  for (const Policy& policy : kPolicies) {
    if (policy.name == name) return policy;
    if (!known.empty()) known += ' ';
    known += policy.name;
  }
  ThrowBadInput("policy '{}' is unknown, expected one of: {}", name, known);
}

}  // namespace flagstone
