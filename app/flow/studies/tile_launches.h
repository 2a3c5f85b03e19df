// Launches of persistent kernels (app/order/tile_loop.h) as launches of a TB for each tile, whose
// orders are ranked as those of other launches are; and the order written back into their loops.
// Internal to this folder.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_TILE_LAUNCHES_H_
#define FLAGSTONE_APP_FLOW_STUDIES_TILE_LAUNCHES_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/flow/studies/order_study.h"
#include "app/order/tile_loop.h"
#include "kernels/launch/workload.h"

namespace flagstone {

// Must outlive the use of the launches that it has changed.
class TileLaunches {
 public:
  // Puts a launch of as many TBs as there are tiles in the place of each launch of `bound` that
  // loops over them.
  TileLaunches(const Workload& workload, BoundWorkload* bound);

  // The loop of a launch, and how many TBs go through it; null: it has none.
  struct Looping {
    TileLoop loop;
    uint32_t tbs = 0;
  };
  const Looping* Of(size_t launch) const;

 private:
  std::map<const ptx::Kernel*, std::shared_ptr<const ptx::Module>> modules_;  // of one turn
  std::map<size_t, Looping> launches_;
};

// By module, its text with the tiles of persistent kernels in this order; the others' as it is.
std::vector<std::string> WithTileOrders(const Workload& workload, const OrderStudy& study,
                                        const TbOrder& order);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_TILE_LAUNCHES_H_
