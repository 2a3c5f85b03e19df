// What becomes of prefetches into the L1s.
#ifndef FLAGSTONE_GPU_MODEL_STATS_PREFETCH_STATISTICS_H_
#define FLAGSTONE_GPU_MODEL_STATS_PREFETCH_STATISTICS_H_

#include <cstdint>

#include "gpu_model/stats/latency_histogram.h"

namespace flagstone {

// Prefetches that did not enter the L1.
struct PrefetchDrops {
  uint64_t present = 0;
  uint64_t in_flight = 0;
  uint64_t passed = 0;
  uint64_t withdrawn = 0;
};

// Cycles in which a prefetch stood before the L1.
struct PrefetchWaits {
  uint64_t demand = 0;
  uint64_t mshr = 0;
  uint64_t way = 0;
  uint64_t queue = 0;
};

// The meaning and unit of each field stand in the table of statistics.cc.
struct PrefetchStatistics {
  uint64_t issued = 0;
  uint64_t used = 0;
  uint64_t late = 0;
  uint64_t early_evicted = 0;
  uint64_t too_early = 0;
  uint64_t overwritten = 0;
  uint64_t merged = 0;
  uint64_t demand_fetches = 0;
  uint64_t demand_misses = 0;
  uint64_t throttle_events = 0;
  uint64_t wakes = 0;
  PrefetchDrops dropped;
  PrefetchWaits waits;
  LatencyHistogram distance;
};

// Of one static global load, all SMs together: the same figures as above.
struct LoadPrefetches {
  uint32_t pc = 0;
  uint32_t line = 0;      // of the PTX file
  bool indirect = false;  // never prefetched: the address depends on loaded data
  uint64_t demand_fetches = 0;
  uint64_t issued = 0;
  uint64_t used = 0;
  uint64_t late = 0;
  uint64_t early_evicted = 0;
  uint64_t too_early = 0;
  uint64_t distance_cycles = 0;

  LoadPrefetches& operator+=(const LoadPrefetches& other) {
    demand_fetches += other.demand_fetches;
    issued += other.issued;
    used += other.used;
    late += other.late;
    early_evicted += other.early_evicted;
    too_early += other.too_early;
    distance_cycles += other.distance_cycles;
    return *this;
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_PREFETCH_STATISTICS_H_
