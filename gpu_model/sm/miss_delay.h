// The time that a miss spends in the L1 before it may leave the SM (sm.l1.miss_latency).
#ifndef FLAGSTONE_GPU_MODEL_SM_MISS_DELAY_H_
#define FLAGSTONE_GPU_MODEL_SM_MISS_DELAY_H_

#include <cstddef>
#include <cstdint>

#include "base/ring.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// Stands beside the queue of a cache's misses and holds a cycle for each of them, from when it
// first sees them there. Atomics go past the cache: they wait only behind the misses before them.
class MissDelay {
 public:
  // `latency`: cycles; 0: misses leave at once. `places`: of the queue.
  MissDelay(uint32_t latency, size_t places) : latency_(latency), leaving_(places) {}

  // Whether the first of the misses may leave. Takes note of new ones.
  bool MayLeave(const Ring<Packet>& misses, uint64_t now) {
    if (latency_ == 0) return !misses.empty();
    while (leaving_.size() < misses.size()) {
      const bool past = misses[leaving_.size()].kind == PacketKind::kAtomic;
      leaving_.Push(past ? now : now + latency_);
    }
    return !leaving_.empty() && leaving_.front() <= now;
  }
  // The first one has left.
  void Left() {
    if (latency_ != 0) leaving_.Pop();
  }
  // Whether it knows of all of them, of at least one: then the first may leave in cycle Next().
  bool KnowsAll(const Ring<Packet>& misses) const {
    return !leaving_.empty() && leaving_.size() >= misses.size();
  }
  uint64_t Next() const { return leaving_.front(); }

 private:
  uint32_t latency_;
  Ring<uint64_t> leaving_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_MISS_DELAY_H_
