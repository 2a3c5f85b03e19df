// The hardware blocks of the SMs in one simulation: which bodies they get, where they are seen.
#ifndef FLAGSTONE_SYSTEMC_SM_BLOCKS_H_
#define FLAGSTONE_SYSTEMC_SM_BLOCKS_H_

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "gpu_model/sm/sm_core.h"
#include "systemc/block_paths.h"
#include "systemc/cosim/block_factory.h"
#include "systemc/simulation.h"

namespace flagstone {

class SmBlocks {
 public:
  // Both must outlive it. Throws kBadInput for an unknown name, and for a machine or launch that
  // the prefetcher does not fit.
  SmBlocks(const SimulateOptions& options, const LaunchRequest& request, const Occupancy& occupancy,
           const uint64_t* core_cycle);

  // Adds the blocks that have RTL, which a wave can show: "gpu.sm3.prefetcher".
  void AddPaths(std::vector<std::string>* paths) const;
  // Gives the SMs their bodies; this object must outlive them.
  void Plug(SmSetup* setup);
  uint64_t LockstepCycles() const;  // compared, all blocks together

 private:
  bool HasPrefetcher() const { return prefetcher_ != kNoPrefetcher; }
  // By the SM's number in the GPU.
  std::string PrefetcherPath(uint32_t sm) const;
  std::string WarpSchedulerPath(uint32_t sm, uint32_t index) const;
  BodyOptions Options(const std::string& path);

  const SimulateOptions& options_;
  const LaunchRequest& request_;
  const BlockPaths paths_;
  std::string warp_scheduler_, prefetcher_;
  WarpSchedulerConfig scheduling_;
  PrefetcherConfig prefetching_;
  std::vector<uint32_t> tb_groups_;  // as SmSetup::tb_groups
  const uint64_t* core_cycle_;
  std::deque<LockstepReport> reports_;  // one for each body: SMs may run on several threads
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_SM_BLOCKS_H_
