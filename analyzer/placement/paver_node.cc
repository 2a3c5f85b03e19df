// PAVER's locality graph as placement: TBs that share data on one GPU, and of these on one chiplet.
#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/partition/kway.h"
#include "analyzer/partition/prim_order.h"
#include "analyzer/partition/recursive_bisection.h"
#include "analyzer/placement/placement.h"

namespace flagstone {
namespace {

using TbParts = std::vector<std::vector<uint32_t>>;

// Where there are fewer TBs than parts, the last parts are empty.
TbParts CutIntoParts(partition::PartGraph graph, uint32_t parts, uint64_t seed) {
  const uint32_t filled = std::min(parts, graph.Size());
  TbParts cut;
  if (filled != 0) cut = partition::CutKway(std::move(graph), filled, seed);
  cut.resize(parts);
  return cut;
}

}  // namespace

NodePlan PlanPaver(const PlacementInput& input) {
  partition::CheckRequest(input.of_node);
  const uint64_t seed = input.of_node.seed;
  NodePlan plan = PlanLasp(input);
  const partition::PartGraph whole = partition::MakePartGraph(*input.graph);
  partition::PrimSorter sorter(*input.graph);
  for (const auto& of_gpu : CutIntoParts(whole, input.nodes.gpus, seed)) {
    // Of the whole graph the vertices are the TBs.
    for (const auto& of_chiplet :
         CutIntoParts(partition::Extract(whole, of_gpu), input.nodes.chiplets, seed)) {
      TbGroups& queue = plan.queues.emplace_back();
      queue.steal_enable = true;
      if (of_chiplet.empty()) continue;
      const auto tbs = static_cast<uint32_t>(of_chiplet.size());
      queue.groups = partition::BisectIntoLeaves(partition::Extract(whole, of_chiplet),
                                                 partition::LeafCount(tbs, input.of_node), seed);
      for (std::vector<uint32_t>& group : queue.groups) sorter.Sort(group);
    }
  }
  AddOwners(input, &plan);
  return plan;
}

}  // namespace flagstone
