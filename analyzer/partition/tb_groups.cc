// Quality and soundness of TB groups.
#include "analyzer/partition/tb_groups.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr uint32_t kNoGroup = ~uint32_t{0};

std::vector<uint32_t> GroupOfTb(const TbGroups& groups, uint32_t tb_count) {
  std::vector<uint32_t> group_of_tb(tb_count, kNoGroup);
  for (uint32_t group = 0; group < groups.groups.size(); ++group) {
    for (const uint32_t tb : groups.groups[group]) {
      if (tb >= tb_count) ThrowInternal("group {} holds TB {} of {}", group, tb, tb_count);
      if (group_of_tb[tb] != kNoGroup) {
        ThrowInternal("TB {} is in group {} and again in group {}", tb, group_of_tb[tb], group);
      }
      group_of_tb[tb] = group;
    }
  }
  for (uint32_t tb = 0; tb < tb_count; ++tb) {
    if (group_of_tb[tb] == kNoGroup) ThrowInternal("TB {} is in no group", tb);
  }
  return group_of_tb;
}

}  // namespace

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

double UnionRatio(const SharerSets& sharers, const TbGroups& groups) {
  const std::vector<uint32_t> group_of_tb = GroupOfTb(groups, sharers.tb_count);
  std::vector<size_t> last_set(groups.groups.size(), 0);  // by group: 1 + the last set it met
  const auto universal = static_cast<double>(sharers.shared_by_all);
  double read_by_tbs = universal * sharers.tb_count;
  double read_by_groups = 0;
  for (const std::vector<uint32_t>& group : groups.groups) {
    if (!group.empty()) read_by_groups += universal;
  }
  for (size_t set = 0; set < sharers.sets.size(); ++set) {
    const auto weight = static_cast<double>(sharers.sets[set].weight);
    for (const uint32_t tb : sharers.sets[set].tbs) {
      read_by_tbs += weight;
      const uint32_t group = group_of_tb[tb];
      if (last_set[group] == set + 1) continue;
      last_set[group] = set + 1;
      read_by_groups += weight;
    }
  }
  return read_by_tbs == 0 ? 1 : read_by_groups / read_by_tbs;
}

void CheckCoversOnce(const TbGroups& groups, uint32_t tb_count) { GroupOfTb(groups, tb_count); }

std::string DumpGroups(const TbGroups& groups) {
  std::string text = fmt::format("groups: {}, task stealing {}\n", groups.groups.size(),
                                 groups.steal_enable ? "on" : "off");
  for (size_t i = 0; i < groups.groups.size(); ++i) {
    const std::vector<uint32_t>& group = groups.groups[i];
    fmt::format_to(std::back_inserter(text), "group {} ({} TB{}): {}\n", i, group.size(),
                   group.size() == 1 ? "" : "s", fmt::join(group, " "));
  }
  return text;
}

}  // namespace flagstone
