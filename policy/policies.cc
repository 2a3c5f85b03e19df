// The rows of the policy table. A new policy is one row here.
#include "policy/policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string>
#include <vector>

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

// The words of StealRule, in its order.
constexpr std::string_view kStealRules[] = {"never", "when-free", "never-first", "when-idle"};
constexpr PolicyParameter kSteal = {"steal", 0, 1, 1, kStealRules};

constexpr std::string_view kManual = "manual";

// A policy whose groups wait in PAVER's queue. Stealing can be turned off where it is on.
Policy ByGroups(std::string_view name, std::string_view summary, PartitionFunction partition,
                bool needs_graph, PolicyParameter parameter = kSteal) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = FindTbScheduler("paver"),
          .partition = partition,
          .needs_graph = needs_graph,
          .parameter = parameter};
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

// A policy of a TB scheduler that goes by registers, not by groups.
Policy ByRegisters(std::string_view name, std::string_view summary,
                   const TbSchedulerDescriptor* tb_scheduler, SettingsFunction settings,
                   PolicyParameter parameter = {}) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = tb_scheduler,
          .partition = nullptr,
          .settings = settings,
          .parameter = parameter};
}

// Rows or columns of the grid for each SM, by the registers of cta_map.
Policy ByMapping(std::string_view name, std::string_view summary, PartitionFunction partition,
                 SettingsFunction settings, bool needs_direction = false) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = FindTbScheduler("cta_map"),
          .partition = partition,
          .needs_direction = needs_direction,
          .settings = settings};
}

// A policy for machines of several nodes.
Policy ForNodes(std::string_view name, std::string_view summary, NodePlanFunction plan,
                bool needs_ladm = false, PolicyParameter parameter = {}) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = FindTbScheduler("numa"),
          .partition = nullptr,
          .parameter = parameter,
          .plan = plan,
          .needs_ladm = needs_ladm};
}

template <NodePlan (*Plan)(const PlacementInput&)>
NodePlan PlanBy(const PlacementInput& input, uint32_t /*parameter*/) {
  return Plan(input);
}

NodePlan PlanInTurn(const PlacementInput& input, uint32_t chunk) {
  return PlanRoundRobin(input, chunk);
}
NodePlan PlanOneByOne(const PlacementInput& input, uint32_t /*parameter*/) {
  return PlanRoundRobin(input, 1);
}
// A policy for several nodes whose TBs wait in a queue of each node.
Policy ForNodesByQueues(std::string_view name, std::string_view summary, NodePlanFunction plan) {
  Policy policy = ForNodes(name, summary, plan);
  policy.tb_scheduler = FindTbScheduler("paver");
  return policy;
}
Policy ByGraph() {
  Policy policy = ForNodesByQueues(
      "paver-node", "nodes: TBs that share data together (PAVER), each page where they refer to it",
      PlanBy<PlanPaver>);
  policy.needs_ladm = policy.needs_footprints = policy.needs_graph = true;
  return policy;
}
Policy ByOwners() {
  Policy policy = ForNodes("lasp-owner", "nodes: lasp, each page where TBs refer to it most",
                           PlanBy<PlanOwner>, true);
  policy.needs_footprints = true;
  return policy;
}
NodePlan PlanLaspTwice(const PlacementInput& input, uint32_t /*parameter*/) {
  return PlanLasp(input, RemoteCaching::kTwice);
}
NodePlan PlanLaspOnce(const PlacementInput& input, uint32_t /*parameter*/) {
  return PlanLasp(input, RemoteCaching::kOnce);
}
NodePlan PlanLaspAsDecided(const PlacementInput& input, uint32_t /*parameter*/) {
  return PlanLasp(input, input.ladm->caching);
}

std::vector<Policy> MakePolicies() {
  return {
      Policy{"lrr", "loose round-robin over SMs, TBs in id order (the baseline)",
             FindTbScheduler("lrr"), nullptr},
      ByGroups("mst", "maximum-spanning-tree order: one group per SM, then single TBs (PAVER, 4.1)",
               OfGraph<PartitionByMst>, true, {}),
      ByGroups("kway", "k-way partition: one part per SM, with task stealing (PAVER, 4.2)",
               OfGraph<PartitionByKway>, true),
      ByGroups("rb",
               "recursive bisection down to what one SM holds, with task stealing (PAVER, 4.3)",
               OfGraph<PartitionByRecursiveBisection>, true),
      ByGroups("rb-strict",
               "rb until a group holds fewer TBs than an SM (Algorithm 1's strict '<')",
               OfGraph<PartitionByStrictBisection>, true),
      ByGroups("hilbert", "groups along a Hilbert curve over the grid, without a look at addresses",
               OfGrid<PartitionByHilbert>, false),
      ByGroups("tile", "rectangular tiles of the grid, without a look at addresses",
               OfGrid<PartitionByTiles>, false),
      ByGroups("traffic", "groups whose TBs together read the fewest distinct data, by swaps",
               Traffic, false),
      FallingBack(ByGroups("auto", "kway or chunk where the analysis predicts a gain, else lrr",
                           OfGraph<PartitionByKway>, true)),
      ByMapping("cta-x", "whole rows of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
                Along<CtaDirection::kX>, MapAlong<CtaMapDirection::kX>),
      ByMapping("cta-y", "whole columns of the grid to an SM (Liu, Liu, Wang, Algorithm 3)",
                Along<CtaDirection::kY>, MapAlong<CtaMapDirection::kY>),
      ByMapping("cta-auto", "cta-x, cta-y or round-robin, by the reuse distances (Algorithm 1)",
                AlongBest, MapAlongBest, true),
      ByRegisters("bcs",
                  "pairs of consecutive TBs, when an SM has room for both (block CTA scheduling)",
                  FindTbScheduler("bcs"), PairSettings, {"throttle", 0, 1, 1}),
      ByFootprints(ByRegisters("cache-fit", "round-robin under a limit of TBs per SM (PAVER, 6.3)",
                               FindTbScheduler("cache_fit"), FitSettings,
                               {"tbs", 1, 255, 1, kFits})),
      ByRegisters(
          "chunk", "a contiguous part of the grid for each SM", FindTbScheduler("chunk"),
          [](const TbLaunchShape& shape, const SettingsInput&) { return ChunkSettings(shape); }),
      ByRegisters("swizzle", "the grid in bands of rows, each column after column",
                  FindTbScheduler("swizzle"),
                  [](const TbLaunchShape& shape, const SettingsInput& input) {
                    return SwizzleSettings(shape, input.parameter);
                  },
                  // 8 rows, as Triton's matrix multiplication has it by default.
                  {"rows", 1, 65535, 8}),
      ForNodes("rr-node", "nodes: TBs and pages one by one to each in turn", PlanOneByOne),
      ForNodes("xcd", "nodes: TBs in chunks and pages one by one to each in turn (MI300X: chunk=1)",
               PlanInTurn, false, {"chunk", 1, 65535, 1}),
      ForNodes("kernel-wide", "nodes: a contiguous part of the grid and of each buffer for each",
               PlanBy<PlanKernelWide>),
      ForNodes("batch-ft", "nodes: batches of TBs in turn, pages where they are first touched",
               PlanBatches, false, {"tbs", 1, 65535, 8}),
      ForNodes("coda", "nodes without a hierarchy: pages in turn, TBs by the page they read (CODA)",
               PlanBy<PlanCoda>, true),
      ForNodes("h-coda", "nodes: coda, over the GPUs first and then over their chiplets",
               PlanBy<PlanCoda>, true),
      ForNodes("lasp", "nodes: pages and TBs by each array's locality, remote lines too (LADM)",
               PlanLaspAsDecided, true),
      ForNodes("lasp-rtwice", "nodes: lasp, remote lines cached here and at home", PlanLaspTwice,
               true),
      ForNodes("lasp-ronce", "nodes: lasp, remote lines cached here alone", PlanLaspOnce, true),
      ByOwners(),
      ByGraph(),
      ForNodesByQueues(kManual, "nodes: as a file of yours says (manual:FILE)", PlanBy<PlanManual>),
  };
}

// "swizzle:rows=4" as a policy of its own.
Policy WithParameter(const Policy& policy, std::string_view setting) {
  const PolicyParameter& parameter = policy.parameter;
  if (parameter.name.empty()) {
    ThrowBadInput("policy '{}' has no parameter, so ':{}' says nothing", policy.name, setting);
  }
  Policy result = policy;
  const size_t equals = std::min(setting.find('='), setting.size());
  const std::string_view digits = setting.substr(std::min(equals + 1, setting.size()));
  const auto word = std::find(parameter.words.begin(), parameter.words.end(), digits);
  if (setting.substr(0, equals) == parameter.name && word != parameter.words.end()) {
    result.parameter.value = static_cast<uint32_t>(word - parameter.words.begin());
    return result;
  }
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), result.parameter.value);
  const bool good = setting.substr(0, equals) == parameter.name && error == std::errc{} &&
                    end == digits.data() + digits.size() &&
                    result.parameter.value >= parameter.low &&
                    result.parameter.value <= parameter.high;
  if (!good) {
    const std::string words =
        parameter.words.empty() ? "" : fmt::format(", or {}", fmt::join(parameter.words, ", "));
    ThrowBadInput("policy '{}:{}': expected {}:{}=N, N from {} to {}{}", policy.name, setting,
                  policy.name, parameter.name, parameter.low, parameter.high, words);
  }
  return result;
}

}  // namespace

std::span<const Policy> Policies() {
  static const std::vector<Policy> kPolicies = MakePolicies();
  return kPolicies;
}

void RequireFits(const Policy& policy, const MachineConfig& machine) {
  const uint32_t nodes = machine.numa.Nodes();
  if ((policy.plan != nullptr) != (nodes > 1)) {
    std::string fitting;
    for (const Policy& other : Policies()) {
      if ((other.plan != nullptr) != (nodes > 1)) continue;
      if (!fitting.empty()) fitting += ' ';
      fitting += other.name;
    }
    ThrowBadInput("policy '{}' on machine {} of {} node{}: expected one of: {}", policy.name,
                  machine.name, nodes, nodes == 1 ? "" : "s", fitting);
  }
  if (policy.Stealing() > StealRule::kWhenFree && machine.tb_queue_block == TbQueueBlock::kPaver) {
    ThrowBadInput(
        "policy '{}' on machine {}: expected steal={} or steal={}, as paver steals, or "
        "tb_queue_block = \"paver_wide\"",
        policy.name, machine.name, kStealRules[0], kStealRules[1]);
  }
  if (policy.name == "coda" && machine.numa.gpus > 1 && machine.numa.chiplets > 1) {
    ThrowBadInput("policy 'coda' on machine {} of {} GPUs of {} chiplets: expected h-coda",
                  machine.name, machine.numa.gpus, machine.numa.chiplets);
  }
}

StealRule Policy::Stealing() const {
  return parameter.name == kSteal.name ? static_cast<StealRule>(parameter.value)
                                       : StealRule::kWhenFree;
}

TbGroups Policy::Groups(const PartitionInput& input, const PartitionRequest& request) const {
  TbGroups groups = partition(input, request);
  if (parameter.name == kSteal.name && parameter.value == 0) groups.steal_enable = false;
  return groups;
}

std::string_view FileOfPolicy(std::string_view name) {
  const size_t colon = name.find(':');
  return name.substr(0, colon) == kManual ? name.substr(std::min(colon, name.size() - 1) + 1)
                                          : std::string_view{};
}

const Policy& FindPolicy(std::string_view name) {
  // What was asked for with a parameter; a map's elements stay where they are.
  static std::map<std::string, Policy, std::less<>> with_parameters;
  const std::string_view base = name.substr(0, name.find(':'));
  std::string known;
  for (const Policy& policy : Policies()) {
    if (policy.name == name) return policy;
    if (policy.name == base && base == kManual) {
      const auto [it, added] = with_parameters.try_emplace(std::string(name), policy);
      it->second.name = it->first;
      it->second.file = FileOfPolicy(it->first);
      return it->second;
    }
    if (policy.name == base) {
      const auto [it, added] = with_parameters.try_emplace(
          std::string(name), WithParameter(policy, name.substr(base.size() + 1)));
      it->second.name = it->first;
      return it->second;
    }
    if (!known.empty()) known += ' ';
    known += policy.name;
  }
  ThrowBadInput("policy '{}' is unknown, expected one of: {}", name, known);
}

}  // namespace flagstone
