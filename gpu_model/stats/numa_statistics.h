// What a machine of several nodes counts beside the others.
#ifndef FLAGSTONE_GPU_MODEL_STATS_NUMA_STATISTICS_H_
#define FLAGSTONE_GPU_MODEL_STATS_NUMA_STATISTICS_H_

#include <cstdint>

namespace flagstone {

// L2 requests of one class, in sectors. A miss has gone on: to the DRAM, or to the line's home.
struct L2ClassStatistics {
  uint64_t accesses = 0;
  uint64_t hits = 0;
  uint64_t mshr_hits = 0;
  uint64_t misses = 0;
};

// The links of the rings, or of the switch.
struct LinkStatistics {
  uint64_t packets = 0;
  uint64_t bytes = 0;
  uint64_t capacity = 0;
  uint64_t backpressure = 0;
  uint64_t packet_cycles = 0;
};

struct NumaStatistics {
  struct RemoteRead : L2ClassStatistics {
    uint64_t same_gpu = 0, other_gpu = 0;
  };
  struct RemoteAsker : L2ClassStatistics {
    uint64_t bypassed = 0;
  };
  L2ClassStatistics ll;
  RemoteRead lr;
  RemoteAsker rl;
  LinkStatistics ring, crossbar;
  struct {
    uint64_t placed = 0, first_touched = 0;
  } pages;
  uint64_t fault_cycles = 0;
  struct {
    uint64_t sectors = 0, cycles = 0;
  } flush;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_NUMA_STATISTICS_H_
