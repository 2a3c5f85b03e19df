// Counters of a timeline: sums per bucket of equal width, which doubles as the run grows.
#ifndef FLAGSTONE_SYSTEMC_TIMELINE_COUNTERS_H_
#define FLAGSTONE_SYSTEMC_TIMELINE_COUNTERS_H_

#include <cstdint>
#include <vector>

#include "gpu_model/stats/statistics.h"

namespace flagstone {

class TimelineCounters {
 public:
  static constexpr uint64_t kFirstWidth = 1024;  // core cycles
  static constexpr size_t kMaxBuckets = 4096;

  struct Bucket {
    uint64_t l1_accesses = 0, l1_misses = 0;
    uint64_t l2_accesses = 0, l2_misses = 0;
    uint64_t loads = 0, load_cycles = 0;  // loads that ended, and their latencies summed
    uint64_t dram_sectors = 0;
    uint64_t active_sms = 0, samples = 0;  // SMs with a TB, summed over the samples
  };

  // The sums since the last call, or since the last Restart, go into the bucket of `cycle`.
  void Add(uint64_t cycle, const LaunchStatistics& sums, uint32_t active_sms);
  // A launch begins: its sums begin at zero.
  void Restart() { last_ = {}; }

  uint64_t width() const { return width_; }
  const std::vector<Bucket>& buckets() const { return buckets_; }  // the first begins at cycle 0

 private:
  void HalveTheNumber();

  uint64_t width_ = kFirstWidth;
  std::vector<Bucket> buckets_;
  Bucket last_;  // the sums at the last call
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_TIMELINE_COUNTERS_H_
