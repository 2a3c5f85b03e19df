// PAVER's k-way scheduler (section 4.2): one part per SM.
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

// METIS's k-way method needs many TBs for each part. With few it returns empty or lopsided parts,
// and even after their repair bisection keeps more weight in a tenth of the time (a 20 x 20 stencil
// on 15 SMs: 0.82 of the weight against 0.70); from about 64 on they are equal.
constexpr uint32_t kMinTbsPerPart = 64;

std::vector<std::vector<uint32_t>> RunKway(const partition::PartGraph& graph, uint32_t parts,
                                           uint64_t seed) {
  std::vector<uint32_t> targets(parts, graph.Size() / parts);
  for (uint32_t part = 0; part < graph.Size() % parts; ++part) ++targets[part];
  std::vector<int32_t> where =
      partition::RunMetis(graph, targets, partition::MetisMethod::kKway, seed);
  partition::RepairSizes(graph, targets, where);
  std::vector<std::vector<uint32_t>> groups(parts);
  for (uint32_t vertex = 0; vertex < graph.Size(); ++vertex) {
    groups[static_cast<size_t>(where[vertex])].push_back(graph.tb[vertex]);
  }
  return groups;
}

}  // namespace

namespace partition {

std::vector<std::vector<uint32_t>> CutKway(PartGraph graph, uint32_t parts, uint64_t seed) {
  const bool suits_kway = parts > 1 && graph.HasEdges() && graph.Size() / parts >= kMinTbsPerPart;
  std::vector<std::vector<uint32_t>> cut =
      suits_kway ? RunKway(graph, parts, seed) : BisectIntoLeaves(std::move(graph), parts, seed);
  std::sort(cut.begin(), cut.end(),
            [](const auto& a, const auto& b) { return a.front() < b.front(); });
  return cut;
}

}  // namespace partition

TbGroups PartitionByKway(const LocalityGraph& graph, const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  groups.steal_enable = true;
  const uint32_t tbs = graph.tb_count;
  if (tbs == 0) return groups;
  groups.groups =
      partition::CutKway(partition::MakePartGraph(graph), std::min(tbs, request.sms), request.seed);
  partition::PrimSorter sorter(graph);
  for (std::vector<uint32_t>& group : groups.groups) sorter.Sort(group);
  return groups;
}

}  // namespace flagstone
