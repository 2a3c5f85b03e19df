// Quality and soundness of TB groups.
#include "analyzer/partition/tb_groups.h"

#include <fmt/format.h>

#include <iterator>
#include <span>

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
