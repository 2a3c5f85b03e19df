// Who sees the global loads of an SM without being asked for their data: the prefetch unit, the
// victim tags of CCWS, the marks of leading warps of CAPS.
#ifndef FLAGSTONE_GPU_MODEL_SM_LOAD_WATCHER_H_
#define FLAGSTONE_GPU_MODEL_SM_LOAD_WATCHER_H_

#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/ports.h"
#include "gpu_model/memory/packet.h"
#include "gpu_model/sm/memory_instruction.h"

namespace flagstone {

class WarpTable;

// What the memory path tells the warp schedulers in a cycle; kMaxWarps: no warp.
struct WarpSignals {
  uint32_t woken = kMaxWarps;  // its prefetched data has come
  uint32_t lost = kMaxWarps;   // it has missed on a line that others took from it
  WarpMask based = 0;          // they have told the base addresses of their TB
};

// All of one cycle is called in the order of this list. A watcher takes up what it cares about.
class LoadWatcher {
 public:
  virtual ~LoadWatcher() = default;

  virtual void Begin(uint64_t /*now*/) {}
  // A load of the warp goes to the L1 next.
  virtual void Requesting(uint32_t /*warp*/) {}
  // The request at `position` of the oldest watched load has got through.
  virtual void Requested(uint32_t /*position*/, LineNumber /*line*/, bool /*missed*/) {}
  // The load goes into the load/store unit's queue; `addresses` hold for `lanes`.
  virtual void Issued(const MemoryInstruction& /*load*/, const LaneAddresses& /*addresses*/,
                      uint32_t /*lanes*/) {}
  // `tags_free`: demand has left the L1's tags alone in this cycle.
  virtual void EndCycle(const WarpTable& warps, bool tags_free, WarpSignals* signals) = 0;
  // In any part of a cycle, also after EndCycle.
  virtual void EndTb(uint32_t /*tb_slot*/) {}

  // Whether the next cycle is of use without an event from outside.
  virtual bool Active() const { return false; }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_LOAD_WATCHER_H_
