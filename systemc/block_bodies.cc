#include "systemc/block_bodies.h"

#include <string>

#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"

namespace flagstone {

std::vector<BlockBody> BodiesOf(const SimulateOptions& options) {
  const std::string engine(ToString(options.engine));
  const bool several = options.machine.numa.Nodes() > 1;
  const std::string sms = several ? "gpu.node*.sm*" : "gpu.sm*";
  std::vector<BlockBody> bodies = {
      {several ? "gpu.node*.tb_scheduler" : "gpu.tb_scheduler", engine}};
  if (several) {
    bodies.push_back({"gpu.tb_root", engine});
    bodies.push_back({"gpu.node*.l2_policy", engine});
  }
  const std::string& prefetcher = options.PrefetcherName();
  if (prefetcher != kNoPrefetcher) {
    bodies.push_back({sms + ".prefetcher", FindPrefetcher(prefetcher).HasRtl() ? engine : "model"});
  }
  if (FindWarpScheduler(options.WarpSchedulerName()).HasRtl()) {
    bodies.push_back({sms + ".warp_scheduler*", engine});
  }
  return bodies;
}

}  // namespace flagstone
