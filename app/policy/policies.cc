// The rows of the policy table. A new policy is one row here, or in node_policies.cc if it is for
// machines of several nodes.
#include "app/policy/policies.h"

#include <utility>
#include <vector>

#include "app/policy/node_policies.h"
#include "app/policy/parameters.h"
#include "base/error.h"
#include "kernels/launch/groups_file.h"

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

TbGroups FromFile(const PartitionInput& input, const PartitionRequest& /*request*/) {
  if (input.file.empty()) ThrowBadInput("policy 'groups': expected groups:FILE");
  return ReadGroups(std::string(input.file), *input.launch, input.number);
}

template <CtaDirection Direction>
TbGroups Along(const PartitionInput& input, const PartitionRequest& request) {
  return GroupsOfCtaMapping(input.grid, Direction, request);
}

TbGroups AlongBest(const PartitionInput& input, const PartitionRequest& request) {
  return GroupsOfCtaMapping(input.grid, input.direction, request);
}

template <CtaMapDirection Direction>
TbSettings MapAlong(const TbLaunchShape& shape, const SettingsInput&) {
  return CtaMapSettings(shape, Direction);
}

TbSettings MapAlongBest(const TbLaunchShape& shape, const SettingsInput& input) {
  switch (input.direction) {
    case CtaDirection::kX:
      return CtaMapSettings(shape, CtaMapDirection::kX);
    case CtaDirection::kY:
      return CtaMapSettings(shape, CtaMapDirection::kY);
    case CtaDirection::kRoundRobin:
      break;
  }
  return CtaMapSettings(shape, CtaMapDirection::kRoundRobin);
}

// A limit of one more than fits lets a pair go to an SM with a single free context: its second TB
// is offered there until the next one is free, and no place stays empty for want of a pair.
TbSettings PairSettings(const TbLaunchShape& shape, const SettingsInput& input) {
  return LimitSettings(shape.tbs_per_sm + (input.parameter == 0 ? 1 : 0));
}

// A policy whose groups wait in PAVER's queue. Stealing can be turned off where it is on.
Policy ByGroups(std::string_view name, std::string_view summary, PartitionFunction partition,
                bool needs_graph, std::vector<PolicyParameter> parameters) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = FindTbScheduler("paver"),
          .partition = partition,
          .needs_graph = needs_graph,
          .parameters = std::move(parameters)};
}

// Its partitioner draws.
Policy Drawing(Policy policy) {
  policy.uses_seed = true;
  return policy;
}

// The groups of another policy, chunk or lrr: the run decides for each launch.
Policy FallingBack(Policy policy) {
  policy.may_fall_back = true;
  return policy;
}

// Of cache-fit: a number, or as many TBs as the L1 has room for.
constexpr std::string_view kFits[] = {"auto"};
TbSettings FitSettings(const TbLaunchShape&, const SettingsInput& input) {
  return LimitSettings(input.parameter == 0 ? input.fitting_tbs : input.parameter);
}
Policy ByFootprints(Policy policy) {
  policy.needs_fit = true;
  return policy;
}

// The groups of a user's file.
Policy ByFile(Policy policy) {
  policy.takes_file = true;
  return policy;
}

// A policy of a TB scheduler that goes by registers, not by groups.
Policy ByRegisters(std::string_view name, std::string_view summary,
                   const TbSchedulerDescriptor* tb_scheduler, SettingsFunction settings,
                   std::vector<PolicyParameter> parameters = {}) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = tb_scheduler,
          .partition = nullptr,
          .settings = settings,
          .parameters = std::move(parameters)};
}

// Rows or columns of the grid for each SM, by the registers of cta_map; without a direction, that
// of the analysis.
Policy ByMapping(std::string_view name, std::string_view summary, PartitionFunction partition,
                 SettingsFunction settings, CtaDirection direction = CtaDirection::kRoundRobin) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = FindTbScheduler("cta_map"),
          .partition = partition,
          .needs_direction = direction == CtaDirection::kRoundRobin,
          .maps_ctas = true,
          .direction = direction,
          .settings = settings};
}

std::vector<Policy> MakePolicies() {
  std::vector<Policy> policies = {
      Policy{"lrr", "loose round-robin over SMs, TBs in id order (the baseline)",
             FindTbScheduler("lrr"), nullptr},
      ByGroups("mst", "maximum-spanning-tree order: one group per SM, then single TBs (PAVER, 4.1)",
               OfGraph<PartitionByMst>, true, {kWeights}),
      Drawing(ByGroups("kway", "k-way partition: one part per SM, with task stealing (PAVER, 4.2)",
                       OfGraph<PartitionByKway>, true, {kSteal, kWeights})),
      Drawing(ByGroups("bisect", "one part per SM as kway has, cut by recursive bisection",
                       OfGraph<PartitionByBisection>, true, {kSteal, kWeights})),
      Drawing(ByGroups(
          "rb", "recursive bisection down to what one SM holds, with task stealing (PAVER, 4.3)",
          OfGraph<PartitionByRecursiveBisection>, true, {kSteal, kWeights, kLeaves, kOrder})),
      Drawing(ByGroups("rb-strict",
                       "rb until a group holds fewer TBs than an SM (Algorithm 1's strict '<')",
                       OfGraph<PartitionByStrictBisection>, true, {kSteal, kWeights})),
      ByGroups("hilbert", "groups along a Hilbert curve over the grid, without a look at addresses",
               OfGrid<PartitionByHilbert>, false, {kSteal}),
      ByGroups("tile", "rectangular tiles of the grid, without a look at addresses",
               OfGrid<PartitionByTiles>, false, {kSteal}),
      Drawing(ByGroups("traffic",
                       "groups whose TBs together read the fewest distinct data, by swaps", Traffic,
                       false, {kSteal, kWeights})),
      ByFile(ByGroups("groups", "groups of TBs as a file of yours says (groups:FILE)", FromFile,
                      false, {})),
      Drawing(
          FallingBack(ByGroups("auto", "bisect, rb or chunk where a gain is predicted, else lrr",
                               OfGraph<PartitionByBisection>, true, {kSteal, kTimedWeights}))),
      ByMapping("cta-x", "whole rows of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
                Along<CtaDirection::kX>, MapAlong<CtaMapDirection::kX>, CtaDirection::kX),
      ByMapping("cta-y", "whole columns of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
                Along<CtaDirection::kY>, MapAlong<CtaMapDirection::kY>, CtaDirection::kY),
      ByMapping("cta-auto", "cta-x, cta-y or round-robin, by the reuse distances (Algorithm 1)",
                AlongBest, MapAlongBest),
      ByRegisters("bcs",
                  "pairs of consecutive TBs, when an SM has room for both (block CTA scheduling)",
                  FindTbScheduler("bcs"), PairSettings, {{"throttle", 0, 1, 1}}),
      ByFootprints(ByRegisters("cache-fit", "round-robin under a limit of TBs per SM (PAVER, 6.3)",
                               FindTbScheduler("cache_fit"), FitSettings,
                               {{"tbs", 1, 255, 1, kFits}})),
      ByRegisters(
          "chunk", "a contiguous part of the grid for each SM", FindTbScheduler("chunk"),
          [](const TbLaunchShape& shape, const SettingsInput&) { return ChunkSettings(shape); }),
      ByRegisters("swizzle", "the grid in bands of rows, each column after column",
                  FindTbScheduler("swizzle"),
                  [](const TbLaunchShape& shape, const SettingsInput& input) {
                    return SwizzleSettings(shape, input.parameter);
                  },
                  // 8 rows, as Triton's matrix multiplication has it by default.
                  {{"rows", 1, 65535, 8}}),
  };
  for (Policy& policy : NodePolicies()) policies.push_back(std::move(policy));
  return policies;
}

}  // namespace

std::span<const Policy> Policies() {
  static const std::vector<Policy> kPolicies = MakePolicies();
  return kPolicies;
}

}  // namespace flagstone
