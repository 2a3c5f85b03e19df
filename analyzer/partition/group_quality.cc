// How well TB groups keep together what shares data.
#include <span>
#include <vector>

#include "analyzer/partition/partitioners.h"

namespace flagstone {

double KeptWeight(const LocalityGraph& graph, const TbGroups& groups) {
  const std::vector<uint32_t> group_of_tb = GroupOfTb(groups, graph.tb_count);
  double total = 0;  // in doubles: sums of 64-bit weights may not fit in 64 bits
  double kept = 0;
  for (uint32_t tb = 0; tb < graph.tb_count; ++tb) {
    for (uint64_t i = graph.row_start[tb]; i < graph.row_start[tb + 1]; ++i) {
      const auto weight = static_cast<double>(graph.weight[i]);
      total += weight;
      if (group_of_tb[graph.neighbour[i]] == group_of_tb[tb]) kept += weight;
    }
  }
  return total == 0 ? 1 : kept / total;
}

double KeptWeight(const SharerSets& sharers, const TbGroups& groups) {
  const std::vector<uint32_t> group_of_tb = GroupOfTb(groups, sharers.tb_count);
  std::vector<uint32_t> members(groups.groups.size(), 0);  // of the set, by group
  double total = 0;
  double kept = 0;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t units) {
    const auto weight = static_cast<double>(units);
    const auto size = static_cast<double>(tbs.size());
    total += weight * size * (size - 1);
    // Each TB makes a pair with those of its group that came before it.
    uint64_t pairs = 0;
    for (const uint32_t tb : tbs) pairs += members[group_of_tb[tb]]++;
    kept += weight * 2 * static_cast<double>(pairs);
    for (const uint32_t tb : tbs) members[group_of_tb[tb]] = 0;
  });
  return total == 0 ? 1 : kept / total;
}

double UnionRatio(const SharerSets& sharers, const TbGroups& groups) {
  const std::vector<uint32_t> group_of_tb = GroupOfTb(groups, sharers.tb_count);
  std::vector<size_t> last_set(groups.groups.size(), 0);  // by group: the last set it met, from 1
  const auto universal = static_cast<double>(sharers.shared_by_all);
  double read_by_tbs = universal * sharers.tb_count;
  double read_by_groups = 0;
  for (const std::vector<uint32_t>& group : groups.groups) {
    if (!group.empty()) read_by_groups += universal;
  }
  size_t set = 0;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t units) {
    const auto weight = static_cast<double>(units);
    ++set;
    read_by_tbs += weight * static_cast<double>(tbs.size());
    for (const uint32_t tb : tbs) {
      size_t& last = last_set[group_of_tb[tb]];
      if (last == set) continue;
      last = set;
      read_by_groups += weight;
    }
  });
  return read_by_tbs == 0 ? 1 : read_by_groups / read_by_tbs;
}

}  // namespace flagstone
