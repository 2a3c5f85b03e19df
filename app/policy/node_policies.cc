#include "app/policy/node_policies.h"

#include <utility>

namespace flagstone {
namespace {

// A policy for machines of several nodes.
Policy ForNodes(std::string_view name, std::string_view summary, NodePlanFunction plan,
                bool needs_ladm = false, std::vector<PolicyParameter> parameters = {}) {
  return {.name = name,
          .summary = summary,
          .tb_scheduler = FindTbScheduler("numa"),
          .partition = nullptr,
          .parameters = std::move(parameters),
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
Policy ByUser() {
  Policy policy = ForNodesByQueues("manual", "nodes: as a file of yours says (manual:FILE)",
                                   PlanBy<PlanManual>);
  policy.takes_file = true;
  return policy;
}
Policy ByGraph() {
  Policy policy = ForNodesByQueues(
      "paver-node", "nodes: TBs that share data together (PAVER), each page where they refer to it",
      PlanBy<PlanPaver>);
  policy.parameters = {{"pages", 0, 1, 0}};  // 1: TBs that share pages, not bytes
  policy.needs_ladm = policy.needs_footprints = policy.needs_graph = policy.uses_seed = true;
  return policy;
}
Policy ByOwners() {
  Policy policy = ForNodes("lasp-owner", "nodes: lasp, each page where TBs refer to it most",
                           PlanBy<PlanOwner>, true);
  policy.needs_footprints = true;
  return policy;
}
// 1: whose wish TBs follow is decided in the paper's order.
constexpr PolicyParameter kPublished = {"published", 0, 1, 0};
const LadmDecision& DecisionOf(const PlacementInput& input, uint32_t published) {
  return published != 0 ? input.ladm->published : *input.ladm;
}
NodePlan PlanLaspTwice(const PlacementInput& input, uint32_t published) {
  return PlanLasp(input, DecisionOf(input, published), RemoteCaching::kTwice);
}
NodePlan PlanLaspOnce(const PlacementInput& input, uint32_t published) {
  return PlanLasp(input, DecisionOf(input, published), RemoteCaching::kOnce);
}
NodePlan PlanLaspAsDecided(const PlacementInput& input, uint32_t published) {
  const LadmDecision& decision = DecisionOf(input, published);
  return PlanLasp(input, decision, decision.caching);
}

}  // namespace

std::vector<Policy> NodePolicies() {
  return {
      ForNodes("rr-node", "nodes: TBs and pages one by one to each in turn", PlanOneByOne),
      ForNodes("xcd", "nodes: TBs in chunks and pages one by one to each in turn (MI300X: chunk=1)",
               PlanInTurn, false, {{"chunk", 1, 65535, 1}}),
      ForNodes("kernel-wide", "nodes: a contiguous part of the grid and of each buffer for each",
               PlanBy<PlanKernelWide>),
      ForNodes("batch-ft", "nodes: batches of TBs in turn, pages where they are first touched",
               PlanBatches, false, {{"tbs", 1, 65535, 8}}),
      ForNodes("coda", "nodes without a hierarchy: pages in turn, TBs by the page they read (CODA)",
               PlanBy<PlanCoda>, true),
      ForNodes("h-coda", "nodes: coda, over the GPUs first and then over their chiplets",
               PlanBy<PlanCoda>, true),
      ForNodes("lasp", "nodes: pages and TBs by each array's locality, remote lines too (LADM)",
               PlanLaspAsDecided, true, {kPublished}),
      ForNodes("lasp-rtwice", "nodes: lasp, remote lines cached here and at home", PlanLaspTwice,
               true, {kPublished}),
      ForNodes("lasp-ronce", "nodes: lasp, remote lines cached here alone", PlanLaspOnce, true,
               {kPublished}),
      ByOwners(),
      ByGraph(),
      ByUser(),
  };
}

}  // namespace flagstone
