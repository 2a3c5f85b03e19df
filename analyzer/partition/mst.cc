// PAVER's maximum-spanning-tree scheduler (section 4.1).
#include <algorithm>
#include <numeric>
#include <utility>

#include "analyzer/partition/partitioners.h"
#include "analyzer/partition/recursive_bisection.h"

namespace flagstone {

TbGroups PartitionByMst(const LocalityGraph& graph, const PartitionRequest& request) {
  partition::CheckRequest(request);
  TbGroups groups;
  const uint32_t tbs = graph.tb_count;
  if (tbs == 0) return groups;
  std::vector<uint32_t> order(tbs);
  std::iota(order.begin(), order.end(), 0U);
  order = PrimOrder(graph, std::move(order));
  const uint32_t first_size = std::min(request.tbs_per_sm, (tbs - 1) / request.sms + 1);
  for (uint32_t begin = 0; begin < tbs;) {
    const uint32_t wanted = groups.groups.size() < request.sms ? first_size : 1;
    const uint32_t end = std::min(tbs, begin + wanted);
    groups.groups.emplace_back(order.begin() + begin, order.begin() + end);
    begin = end;
  }
  return groups;
}

}  // namespace flagstone
