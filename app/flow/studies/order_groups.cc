// Orders of app/flow/studies/order_study.h that follow the analyzer's groups of TBs.
#include <algorithm>

#include "app/flow/analyse/analyze.h"
#include "app/flow/studies/order_study.h"
#include "app/policy/policies.h"

namespace flagstone {
namespace {

bool Knows(const TbOrder& order, const Dim3& grid) {
  return std::any_of(order.groups.begin(), order.groups.end(), [&](const TbOrder::Grouped& known) {
    return known.grid.x == grid.x && known.grid.y == grid.y && known.grid.z == grid.z;
  });
}

}  // namespace

void FindGroups(const OrderRequest& request, const BoundWorkload& bound,
                std::vector<TbOrder>* orders) {
  for (size_t i = 0; i < orders->size(); ++i) {
    TbOrder& order = (*orders)[i];
    if (order.base != TbOrder::Base::kGroups) continue;
    // The same groups under another deal.
    const auto same =
        std::find_if(orders->begin(), orders->begin() + static_cast<ptrdiff_t>(i),
                     [&](const TbOrder& o) { return o.BaseName() == order.BaseName(); });
    if (&*same != &order) {
      order.groups = same->groups;
      continue;
    }
    AnalysisRequest analysis;
    analysis.machine = &request.options.machine;
    analysis.policy = &FindPolicy(order.BaseName());
    for (const KernelLaunch& launch : bound.launches) {
      if (Knows(order, launch.grid)) continue;
      TbOrder::Grouped grouped = {launch.grid, {}};
      for (const auto& group : AnalyzeLaunch(launch, bound.memory, analysis).groups.groups) {
        grouped.tbs.insert(grouped.tbs.end(), group.begin(), group.end());
      }
      order.groups.push_back(std::move(grouped));
    }
  }
}

}  // namespace flagstone
