// What a simulated launch counts: typed fields, each with a name, a unit and a sentence
// (StatisticsTable() lists them for `--json`, tables and documentation).
#ifndef FLAGSTONE_GPU_MODEL_STATS_STATISTICS_H_
#define FLAGSTONE_GPU_MODEL_STATS_STATISTICS_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace flagstone {

struct TbStatistics {
  uint64_t count = 0;        // TBs of the launch
  uint64_t issued = 0;       // TBs handed to SMs
  uint64_t completed = 0;    // TBs whose warps have all exited
  uint64_t stolen = 0;       // TBs moved by the task stealer
  uint64_t groups = 0;       // TB groups in the queue image; 0 where the policy has none
  uint64_t wait_cycles = 0;  // SM cycles with a free TB context, no TB offered, TBs unissued
};

struct L1Statistics {
  uint64_t accesses = 0;   // requests after coalescing: 128 B lines, or 32 B sectors where sectored
  uint64_t hits = 0;       // loads whose data was there
  uint64_t mshr_hits = 0;  // merged in a miss that was already in flight
  uint64_t misses = 0;     // sent on to L2: load misses, all stores and atomics
  uint64_t reservation_fails = 0;  // cycles in which a request had to wait for an MSHR or queue
};

struct L2Statistics {
  uint64_t accesses = 0;  // in 32 B sectors
  uint64_t hits = 0;      // present or already in flight, and all that were written
  uint64_t misses = 0;    // fetched from DRAM
};

struct DramStatistics {
  uint64_t reads = 0;  // in 32 B sectors
  uint64_t writes = 0;
  uint64_t row_hits = 0;
};

struct LaunchStatistics {
  uint64_t cycles = 0;               // core cycles from launch to the last store's acceptance
  uint64_t warp_instructions = 0;    // issued, also where every lane's guard is false
  uint64_t thread_instructions = 0;  // active lanes whose guard holds
  uint32_t tbs_per_sm = 0;           // occupancy limit
  TbStatistics tb;
  L1Statistics l1;
  L2Statistics l2;
  DramStatistics dram;
};

// Adds up launches; tbs_per_sm becomes the largest.
LaunchStatistics& operator+=(LaunchStatistics& a, const LaunchStatistics& b);
L1Statistics& operator+=(L1Statistics& a, const L1Statistics& b);
L2Statistics& operator+=(L2Statistics& a, const L2Statistics& b);
DramStatistics& operator+=(DramStatistics& a, const DramStatistics& b);

// One line per field above, in the order of the structs.
struct StatisticsField {
  std::string_view name;      // "l1.hits"
  std::string_view unit;      // "requests"
  std::string_view sentence;  // what is counted
  uint64_t (*get)(const LaunchStatistics& statistics);
};
std::span<const StatisticsField> StatisticsTable();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_STATISTICS_H_
