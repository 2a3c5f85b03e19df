#include "gpu_model/blocks/warp_scheduler/descriptor.h"

#include <algorithm>

#include "gpu_model/blocks/warp_scheduler/group/group_order.h"

namespace flagstone {
namespace {

using Rule = GroupOrderConfig::Rule;

template <Rule kRule>
std::unique_ptr<WarpScheduler> Model(const WarpSchedulerConfig& config) {
  return std::make_unique<WarpSchedulerModel<GroupOrder>>(
      GroupOrder({.rule = kRule,
                  .num_warps = config.num_warps,
                  .tb_slots = std::clamp(config.tb_slots, 2U, 32U),
                  .patience = config.group_patience}));
}

template <Rule kRule>
WarpSchedulerDescriptor Descriptor(std::string_view name, std::string_view summary,
                                   TbGrouping grouping = TbGrouping::kPolicy) {
  return {.name = name, .summary = summary, .model = Model<kRule>, .grouping = grouping};
}

}  // namespace

const std::vector<WarpSchedulerDescriptor>& GroupDescriptors() {
  static const std::vector<WarpSchedulerDescriptor> kAll = {
      Descriptor<Rule::kTurn>("group-turn", "warps of a TB group in turn, group after group"),
      Descriptor<Rule::kBehind>("group-behind",
                                "of a TB group the warp that is furthest behind, by its loads"),
      Descriptor<Rule::kAge>("group-age",
                             "greedy then oldest, a warp being as old as its TB group"),
      Descriptor<Rule::kTurn>(
          "baws", "pairs of consecutive TBs, their warps in turn (Lee et al., HPCA 2014)",
          TbGrouping::kPairs)};
  return kAll;
}

}  // namespace flagstone
