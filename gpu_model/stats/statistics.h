// What a simulated launch counts. A new statistic is a field of a struct here and a row of the
// table in statistics.cc, which adding up, `--json` and `flagstone list statistics` follow.
#ifndef FLAGSTONE_GPU_MODEL_STATS_STATISTICS_H_
#define FLAGSTONE_GPU_MODEL_STATS_STATISTICS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "gpu_model/stats/energy_statistics.h"
#include "gpu_model/stats/latency_histogram.h"
#include "gpu_model/stats/numa_statistics.h"
#include "gpu_model/stats/prefetch_statistics.h"
#include "gpu_model/stats/sm_statistics.h"

namespace flagstone {

// The meaning and unit of each field stand in the table.
struct TbStatistics {
  uint64_t count = 0;
  uint64_t issued = 0;
  uint64_t completed = 0;
  uint64_t stolen = 0;
  uint64_t groups = 0;
  uint64_t wait_cycles = 0;
};

// Why a request to a cache had to wait.
struct ReservationFails {
  uint64_t mshr = 0;
  uint64_t merge = 0;
  uint64_t way = 0;
  uint64_t queue = 0;
};
struct L1Fails : ReservationFails {
  uint64_t load_slot = 0;
};

// Misses, by why the data was not there (gpu_model/memory/miss_classes.h).
struct MissClassCounts {
  uint64_t cold = 0;
  uint64_t capacity = 0;
  uint64_t conflict = 0;
};
struct L1MissClasses : MissClassCounts {
  uint64_t written = 0;
};

struct L1Statistics {
  uint64_t accesses = 0;
  uint64_t hits = 0;
  uint64_t mshr_hits = 0;
  uint64_t misses = 0;
  uint64_t reservation_fails = 0;
  uint64_t loads = 0;
  uint64_t stores = 0;
  uint64_t atomics = 0;
  uint64_t bypassed = 0;
  L1Fails fails;
  L1MissClasses classes;  // where they are asked for
  LatencyHistogram load_latency;
};

// One direction.
struct NetworkStatistics {
  uint64_t packets = 0;
  uint64_t flits = 0;
  uint64_t packet_cycles = 0;
  uint64_t backpressure = 0;
};
struct NocStatistics {
  NetworkStatistics request;
  NetworkStatistics reply;
};

struct L2Statistics {
  uint64_t accesses = 0;
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t atomics = 0;
  uint64_t mshr_hits = 0;
  uint64_t write_backs = 0;
  ReservationFails fails;
  MissClassCounts classes;  // where they are asked for
  LatencyHistogram latency;
};

struct DramStatistics {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t row_hits = 0;
  uint64_t row_misses = 0;
  uint64_t row_conflicts = 0;
  uint64_t activations = 0;
  uint64_t requests = 0;
  uint64_t queue_cycles = 0;
  uint64_t bus_cycles = 0;
  uint64_t channel_cycles = 0;
  LatencyHistogram latency;
};

struct LaunchStatistics {
  uint64_t tbs_per_sm = 0;
  uint64_t cycles = 0;
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
  TbStatistics tb;
  SmStatistics sm;
  L1Statistics l1;
  NocStatistics noc;
  L2Statistics l2;
  DramStatistics dram;
  NumaStatistics numa;
  PrefetchStatistics prefetch;
  EnergyStatistics energy;
};

// Adds up parts of a launch, or launches, row by row of the table.
LaunchStatistics& operator+=(LaunchStatistics& a, const LaunchStatistics& b);

// A row: a field, which is one number, or the buckets of a histogram.
struct StatisticsField {
  enum class Total : uint8_t { kSum, kLargest };

  std::string_view name;      // the path of the field: "l1.fails.mshr"
  std::string_view unit;      // "requests"
  std::string_view sentence;  // what is counted
  std::span<uint64_t> (*values)(LaunchStatistics& statistics);
  bool without_timing = false;  // also known when a launch is only executed
  Total total = Total::kSum;
  bool on_request = false;  // misses by class

  std::span<const uint64_t> Get(const LaunchStatistics& statistics) const {
    return values(const_cast<LaunchStatistics&>(statistics));
  }
  void Add(const LaunchStatistics& more, LaunchStatistics* sum) const;
  bool histogram() const;
};
std::span<const StatisticsField> StatisticsTable();

// A quotient of two fields, undefined where the second is 0.
struct StatisticsRate {
  std::string_view name;
  std::string_view unit;
  std::string_view sentence;
  uint64_t (*part)(const LaunchStatistics& statistics);
  uint64_t (*whole)(const LaunchStatistics& statistics);
};
std::span<const StatisticsRate> StatisticsRates();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_STATISTICS_H_
