// What the loads and atomics of one instruction did in an SM's load/store unit.
#ifndef FLAGSTONE_GPU_MODEL_STATS_LOAD_COUNTS_H_
#define FLAGSTONE_GPU_MODEL_STATS_LOAD_COUNTS_H_

#include <cstdint>

namespace flagstone {

struct LoadCounts {
  uint64_t executed = 0;  // warp instructions that have their data
  uint64_t accesses = 0;  // of the L1, in the units of its statistics; atomics go past it
  uint64_t misses = 0;    // of these
  uint64_t cycles = 0;    // from issue to the last data, summed over `executed`

  LoadCounts& operator+=(const LoadCounts& other) {
    executed += other.executed;
    accesses += other.accesses;
    misses += other.misses;
    cycles += other.cycles;
    return *this;
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_LOAD_COUNTS_H_
