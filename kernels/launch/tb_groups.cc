// Soundness and text of TB groups.
#include "kernels/launch/tb_groups.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error.h"

namespace flagstone {

std::vector<uint32_t> GroupOfTb(const TbGroups& groups, uint32_t tb_count) {
  constexpr uint32_t kNoGroup = ~uint32_t{0};
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
