#include "systemc/block_bodies.h"

#include <string>

#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "systemc/block_paths.h"

namespace flagstone {

std::vector<BlockBody> BodiesOf(const SimulateOptions& options) {
  const std::string engine(ToString(options.engine));
  const BlockPaths paths(options.machine);
  std::vector<BlockBody> bodies = {{paths.OfEachNode("tb_scheduler"), engine}};
  if (paths.several()) {
    bodies.push_back({BlockPaths::TbRoot(), engine});
    bodies.push_back({paths.OfEachNode("l2_policy"), engine});
  }
  const std::string& prefetcher = options.machine.sm.prefetcher;
  if (prefetcher != kNoPrefetcher) {
    bodies.push_back({paths.OfEachNode("sm*.prefetcher"),
                      FindPrefetcher(prefetcher).HasRtl() ? engine : "model"});
  }
  if (FindWarpScheduler(options.machine.sm.warp_scheduler).HasRtl()) {
    bodies.push_back({paths.OfEachNode("sm*.warp_scheduler*"), engine});
  }
  return bodies;
}

}  // namespace flagstone
