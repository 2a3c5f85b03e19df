#include "gpu_model/blocks/warp_scheduler/factory.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"
#include "gpu_model/blocks/caps/pas_names.h"
#include "gpu_model/blocks/warp_scheduler/basic_policies.h"
#include "gpu_model/blocks/warp_scheduler/cache_conscious.h"
#include "gpu_model/blocks/warp_scheduler/two_level.h"
#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {
namespace {

template <class Policy>
std::unique_ptr<WarpScheduler> Model(Policy policy) {
  return std::make_unique<WarpSchedulerModel<Policy>>(policy);
}

struct Maker {
  std::string_view name;
  std::unique_ptr<WarpScheduler> (*make)(const WarpSchedulerConfig&);
};
using Config = WarpSchedulerConfig;
std::unique_ptr<WarpScheduler> Pas(std::string_view name, const Config& config) {
  return Model(PrefetchAware(*PasConfig(name, config)));
}
constexpr std::array kMakers = {
    Maker{"lrr", [](const Config&) { return Model(RoundRobin()); }},
    Maker{"gto", [](const Config&) { return Model(GreedyThenOldest()); }},
    Maker{"two-level", [](const Config& c) { return Model(TwoLevel(c.two_level_ready)); }},
    Maker{"orch",
          [](const Config& c) { return Model(TwoLevel(c.two_level_ready, c.orch_groups)); }},
    Maker{"swl", [](const Config& c) { return Model(StaticLimit(c.swl_warps)); }},
    Maker{"ccws", [](const Config& c) { return Model(CacheConscious(c)); }},
    Maker{"priority-group", [](const Config& c) { return Model(PriorityGroup(c.priority_warps)); }},
    Maker{"pas", [](const Config& c) { return Pas("pas", c); }},
    Maker{"pas-lrr", [](const Config& c) { return Pas("pas-lrr", c); }},
    Maker{"pas-gto", [](const Config& c) { return Pas("pas-gto", c); }},
};
static_assert(std::equal(kMakers.begin(), kMakers.end(), std::begin(kWarpSchedulers),
                         std::end(kWarpSchedulers),
                         [](const Maker& maker, const WarpSchedulerName& known) {
                           return maker.name == known.name;
                         }));

}  // namespace

std::unique_ptr<WarpScheduler> MakeWarpScheduler(std::string_view name,
                                                 const WarpSchedulerConfig& config) {
  std::string known;
  for (const Maker& maker : kMakers) {
    if (maker.name == name) return maker.make(config);
    known += (known.empty() ? "" : ", ") + std::string(maker.name);
  }
  ThrowBadInput("unknown warp scheduler '{}': expected one of {}", name, known);
}

}  // namespace flagstone
