// The warp schedulers there are: `flagstone list schedulers`, --help and completions take names
// from here. A new one is a line here.
#include <string>

#include "base/error.h"
#include "gpu_model/blocks/warp_scheduler/basic_policies.h"
#include "gpu_model/blocks/warp_scheduler/cache_conscious.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/group/group_order.h"
#include "gpu_model/blocks/warp_scheduler/group/group_warp_scheduler.h"
#include "gpu_model/blocks/warp_scheduler/pas/caps_warp_scheduler.h"
#include "gpu_model/blocks/warp_scheduler/programmable/programmable_warp_scheduler.h"
#include "gpu_model/blocks/warp_scheduler/two_level.h"
#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {
namespace {

using Config = WarpSchedulerConfig;

template <class Policy>
std::unique_ptr<WarpScheduler> Model(Policy policy) {
  return std::make_unique<WarpSchedulerModel<Policy>>(policy);
}

}  // namespace

const std::vector<const WarpSchedulerDescriptor*>& AllWarpSchedulers() {
  // Those without RTL.
  static const WarpSchedulerDescriptor kModels[] = {
      {"lrr", "loose round-robin over the ready warps",
       [](const Config&) { return Model(RoundRobin()); }},
      {"gto", "greedy then oldest: stay with a warp until it stalls, then the oldest ready one",
       [](const Config&) { return Model(GreedyThenOldest()); }},
      {"two-level",
       "a small ready queue; warps that wait for memory give their place to pending ones",
       [](const Config& c) { return Model(TwoLevel(c.two_level_ready)); }},
      {"orch", "two-level, with consecutive warps in different groups that take turns",
       [](const Config& c) { return Model(TwoLevel(c.two_level_ready, c.orch_groups)); }},
      {"swl", "static limit: greedy then oldest among the oldest few warps",
       [](const Config& c) { return Model(StaticLimit(c.swl_warps)); }},
      {"ccws", "cache-conscious: warps that lose their lines keep the others from loading",
       [](const Config& c) { return Model(CacheConscious(c)); },
       /*hears_lost_locality=*/true},
      {"priority-group", "a high-priority group of the oldest warps first, then the others",
       [](const Config& c) { return Model(PriorityGroup(c.priority_warps)); }},
  };
  static const std::vector<const WarpSchedulerDescriptor*> kAll = [] {
    std::vector<const WarpSchedulerDescriptor*> all;
    for (const WarpSchedulerDescriptor& model : kModels) all.push_back(&model);
    for (const WarpSchedulerDescriptor& pas : PasDescriptors()) all.push_back(&pas);
    all.push_back(&ProgrammableDescriptor());
    all.push_back(&GroupWarpsDescriptor());
    for (const WarpSchedulerDescriptor& group : GroupDescriptors()) all.push_back(&group);
    return all;
  }();
  return kAll;
}

const WarpSchedulerDescriptor& FindWarpScheduler(std::string_view name) {
  std::string known;
  for (const WarpSchedulerDescriptor* scheduler : AllWarpSchedulers()) {
    if (scheduler->name == name) return *scheduler;
    known += (known.empty() ? "" : ", ") + std::string(scheduler->name);
  }
  ThrowBadInput("unknown warp scheduler '{}': expected one of {}", name, known);
}

std::unique_ptr<WarpScheduler> MakeWarpScheduler(std::string_view name, const Config& config) {
  std::unique_ptr<WarpScheduler> scheduler = FindWarpScheduler(name).model(config);
  scheduler->Reset();
  return scheduler;
}

}  // namespace flagstone
