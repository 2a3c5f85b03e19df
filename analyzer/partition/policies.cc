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

constexpr uint32_t kSwizzleBandRows = 8;  // as Triton's matrix multiplication has it by default

// A policy of a dispatcher that goes by registers, not by groups.
constexpr Policy ByRegisters(std::string_view name, std::string_view summary, Dispatcher dispatcher,
                             SettingsFunction settings) {
  return {name, summary, dispatcher, nullptr, false, false, settings};
}

constexpr std::array kPolicies = {
    Policy{"lrr", "loose round-robin over SMs, TBs in id order (the baseline)", Dispatcher::kLrr,
           nullptr},
    Policy{"mst", "maximum-spanning-tree order: one group per SM, then single TBs (PAVER, 4.1)",
           Dispatcher::kPaver, OfGraph<PartitionByMst>, true},
    Policy{"kway", "k-way partition: one part per SM, with task stealing (PAVER, 4.2)",
           Dispatcher::kPaver, OfGraph<PartitionByKway>, true},
    Policy{"rb", "recursive bisection down to what one SM holds, with task stealing (PAVER, 4.3)",
           Dispatcher::kPaver, OfGraph<PartitionByRecursiveBisection>, true},
    Policy{"rb-strict", "rb until a group holds fewer TBs than an SM (Algorithm 1's strict '<')",
           Dispatcher::kPaver, OfGraph<PartitionByStrictBisection>, true},
    Policy{"hilbert", "groups along a Hilbert curve over the grid, without a look at addresses",
           Dispatcher::kPaver, OfGrid<PartitionByHilbert>},
    Policy{"tile", "rectangular tiles of the grid, without a look at addresses", Dispatcher::kPaver,
           OfGrid<PartitionByTiles>},
    Policy{"traffic", "groups whose TBs together read the fewest distinct data, by swaps",
           Dispatcher::kPaver, Traffic},
    Policy{"cta-x", "whole rows of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
           Dispatcher::kPaver, Along<CtaDirection::kX>},
    Policy{"cta-y", "whole columns of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
           Dispatcher::kPaver, Along<CtaDirection::kY>},
    Policy{"cta-auto", "cta-x, cta-y or round-robin, by the reuse distances (Algorithm 1)",
           Dispatcher::kPaver, AlongBest, false, true},
    ByRegisters("bcs",
                "pairs of consecutive TBs, when an SM has room for both (block CTA scheduling)",
                Dispatcher::kBcs,
                [](const TbLaunchShape& shape) { return LimitSettings(shape.tbs_per_sm); }),
    ByRegisters("chunk", "a contiguous part of the grid for each SM", Dispatcher::kChunk,
                ChunkSettings),
    ByRegisters(
        "swizzle", "the grid in bands of 8 rows, each column after column", Dispatcher::kSwizzle,
        [](const TbLaunchShape& shape) { return SwizzleSettings(shape, kSwizzleBandRows); }),
};

}  // namespace

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
