// Latencies in powers of two.
#ifndef FLAGSTONE_GPU_MODEL_STATS_LATENCY_HISTOGRAM_H_
#define FLAGSTONE_GPU_MODEL_STATS_LATENCY_HISTOGRAM_H_

#include <array>
#include <bit>
#include <cstdint>

namespace flagstone {

// Bucket b counts those of 2^b to 2^(b+1) - 1 cycles, the last one all that are longer, the first
// one 0 and 1.
struct LatencyHistogram {
  static constexpr uint32_t kBuckets = 16;
  std::array<uint64_t, kBuckets> buckets = {};
  uint64_t count = 0;
  uint64_t cycles = 0;  // summed

  void Add(uint64_t latency) {
    const auto width = static_cast<uint32_t>(std::bit_width(latency));
    ++buckets[width == 0 ? 0 : (width > kBuckets ? kBuckets : width) - 1];
    ++count;
    cycles += latency;
  }
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_LATENCY_HISTOGRAM_H_
