// PAVER's k-way scheduler (section 4.2), one part per SM, and the same parts by bisection.
#include "analyzer/partition/kway.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/partition/metis_partition.h"
#include "analyzer/partition/partitioners.h"
#include "analyzer/partition/prim_order.h"
#include "analyzer/partition/recursive_bisection.h"
#include "analyzer/partition/size_repair.h"

namespace flagstone {
namespace {

using TbParts = std::vector<std::vector<uint32_t>>;

TbParts RunKway(const partition::PartGraph& graph, uint32_t parts, uint64_t seed) {
  std::vector<uint32_t> targets(parts, graph.Size() / parts);
  for (uint32_t part = 0; part < graph.Size() % parts; ++part) ++targets[part];
  std::vector<int32_t> where =
      partition::RunMetis(graph, targets, partition::MetisMethod::kKway, seed);
  partition::RepairSizes(graph, targets, where);
  TbParts groups(parts);
  for (uint32_t vertex = 0; vertex < graph.Size(); ++vertex) {
    groups[static_cast<size_t>(where[vertex])].push_back(graph.tb[vertex]);
  }
  return groups;
}

TbParts InOrder(TbParts parts) {
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.front() < b.front(); });
  return parts;
}

// One part for each SM, of the TBs' graph, as `cut` makes them.
TbGroups OnePartPerSm(const LocalityGraph& graph, const PartitionRequest& request,
                      TbParts (*cut)(partition::PartGraph, uint32_t, uint64_t)) {
  partition::CheckRequest(request);
  TbGroups groups;
  groups.steal_enable = true;
  const uint32_t tbs = graph.tb_count;
  if (tbs == 0) return groups;
  groups.groups = cut(partition::MakePartGraph(graph), std::min(tbs, request.sms), request.seed);
  partition::PrimSorter sorter(graph);
  for (std::vector<uint32_t>& group : groups.groups) sorter.Sort(group);
  return groups;
}

}  // namespace

namespace partition {

TbParts CutKway(PartGraph graph, uint32_t parts, uint64_t seed) {
  const bool cuts = parts > 1 && graph.HasEdges() && graph.Size() >= kMinMetisVertices;
  return cuts ? InOrder(RunKway(graph, parts, seed))
              : CutByBisection(std::move(graph), parts, seed);
}

TbParts CutByBisection(PartGraph graph, uint32_t parts, uint64_t seed) {
  return InOrder(BisectIntoLeaves(std::move(graph), parts, seed));
}

}  // namespace partition

TbGroups PartitionByKway(const LocalityGraph& graph, const PartitionRequest& request) {
  return OnePartPerSm(graph, request, partition::CutKway);
}

TbGroups PartitionByBisection(const LocalityGraph& graph, const PartitionRequest& request) {
  return OnePartPerSm(graph, request, partition::CutByBisection);
}

}  // namespace flagstone
