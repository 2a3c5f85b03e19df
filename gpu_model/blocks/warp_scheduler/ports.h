// Ports of a warp scheduler: which of the warps that can issue does so in the next cycle.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PORTS_H_

#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/event_rule.h"

namespace flagstone {

inline constexpr uint32_t kMaxWarps = 64;
inline constexpr uint32_t kStartedNumberBits = 4;

// One bit per warp slot of the SM. A scheduler's masks hold bits of its own warps only.
using WarpMask = uint64_t;

// Order within one cycle: `finished` before `started` (a slot may be used again at once), both
// before what the levels say.
struct WarpSchedulerIn {
  // Levels, as they are after this cycle's issue.
  WarpMask eligible = 0;    // its next instruction could issue in the next cycle
  WarpMask stalled = 0;     // its next instruction waits for data from memory (a long latency)
  WarpMask barrier = 0;     // waits at a barrier
  WarpMask wants_load = 0;  // its next instruction loads from or stores to global or local memory
  WarpMask leading = 0;     // the lowest warp of its TB, until that has told the base addresses
  // Pulses of this cycle.
  WarpMask started = 0;  // a warp begins in this slot; several in one cycle: lowest slot is oldest
  uint32_t started_group = 0;  // of their TB: TBs of one group have one number
  // The same in kStartedNumberBits: the SM counts groups as their TBs come to it, so that TBs of a
  // group that come in a row have one number.
  uint32_t started_number = 0;
  WarpMask finished = 0;      // the warp of this slot has exited
  bool issued_valid = false;  // the granted warp has issued (one instruction, or two)
  uint32_t issued_warp = 0;
  // The instruction, of two the first, loads from or stores to global or local memory.
  bool issued_load = false;
  bool wake_valid = false;  // prefetched data of this warp has come; never without a prefetcher
  uint32_t wake_warp = 0;
  bool lost_locality_valid = false;  // this warp missed on a line that it lost from the L1 (CCWS)
  uint32_t lost_locality_warp = 0;
  bool epoch = false;  // an epoch ends: at equal distances, for schedulers that compare (pas+)
  bool group_valid = false;  // software writes how many warps of this scheduler go first
  uint32_t group_size = 0;
};

struct WarpSchedulerOut {
  bool grant_valid = false;
  uint32_t grant_warp = 0;
  // With the levels of the last tick and without a pulse, a tick would change nothing.
  bool quiescent = true;
};

inline bool SameLevels(const WarpSchedulerIn& a, const WarpSchedulerIn& b) {
  return a.eligible == b.eligible && a.stalled == b.stalled && a.barrier == b.barrier &&
         a.wants_load == b.wants_load && a.leading == b.leading;
}
inline bool HasPulse(const WarpSchedulerIn& in) {
  return (in.started | in.finished) != 0 || in.issued_valid || in.wake_valid ||
         in.lost_locality_valid || in.epoch || in.group_valid;
}

// A grant made from cycle t's `eligible` acts in t + 1, and is void if the warp can no longer issue
// then; `issued` tells what became of it. Every scheduler, C++ or RTL, pays this cycle. An idle
// tick is `quiescent && !HasPulse(in) && SameLevels(in, <those of the last tick>)`; after Reset()
// the levels of the last tick are zero.
using WarpScheduler = Block<WarpSchedulerIn, WarpSchedulerOut>;

inline constexpr EventRule<WarpSchedulerIn, WarpSchedulerOut> kWarpSchedulerEvents = {
    [](const WarpSchedulerOut& out, const WarpSchedulerIn& in, const WarpSchedulerIn& last) {
      return out.quiescent && !HasPulse(in) && SameLevels(in, last);
    },
    /*compares_last=*/true};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PORTS_H_
