// Counters over time: sums per bucket of equal width, which doubles as the run grows.
#ifndef FLAGSTONE_APP_RESULTS_COUNTERS_H_
#define FLAGSTONE_APP_RESULTS_COUNTERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace flagstone {

class Counters {
 public:
  static constexpr uint64_t kFirstWidth = 1024;  // core cycles

  Counters(size_t columns, size_t most_buckets)
      : columns_(columns), most_buckets_(most_buckets), last_(columns) {}

  // What each column has counted since the last call, or since the last Restart, goes into the
  // bucket of `cycle`. `sums`: one for each column.
  void Add(uint64_t cycle, std::span<const uint64_t> sums);
  // A launch begins: its sums begin at zero.
  void Restart() { last_.assign(columns_, 0); }

  uint64_t width() const { return width_; }
  size_t columns() const { return columns_; }
  size_t buckets() const { return values_.size() / columns_; }  // the first begins at cycle 0
  uint64_t At(size_t bucket, size_t column) const { return values_[bucket * columns_ + column]; }

 private:
  void HalveTheNumber();

  size_t columns_, most_buckets_;
  uint64_t width_ = kFirstWidth;
  std::vector<uint64_t> values_;  // bucket by bucket
  std::vector<uint64_t> last_;    // the sums at the last call
};

// What is counted of the GPU, in the order of the columns. Loads count when they end, with their
// latencies summed; SMs with a TB are summed over the samples.
enum class GpuCount : uint8_t {
  kL1Accesses,
  kL1Misses,
  kL2Accesses,
  kL2Misses,
  kLoads,
  kLoadCycles,
  kDramSectors,
  kActiveSms,
  kSamples,
};
inline constexpr std::array<std::string_view, 9> kGpuCounts = {
    "l1_accesses", "l1_misses",    "l2_accesses", "l2_misses", "loads",
    "load_cycles", "dram_sectors", "active_sms",  "samples"};

// And of each SM.
enum class SmCount : uint8_t { kL1Accesses, kL1Misses, kLoads, kLoadCycles, kWarpInstructions };
inline constexpr std::array<std::string_view, 5> kSmCounts = {"l1_accesses", "l1_misses", "loads",
                                                              "load_cycles", "warp_instructions"};

// All counters over time of a run, whose cycles go on from launch to launch.
struct RunCounters {
  static constexpr size_t kMostGpuBuckets = 4096;
  static constexpr size_t kMostSmBuckets = 512;

  explicit RunCounters(uint32_t sm_count)
      : gpu(kGpuCounts.size(), kMostGpuBuckets), sms(sm_count * kSmCounts.size(), kMostSmBuckets) {}

  uint64_t Gpu(size_t bucket, GpuCount count) const {
    return gpu.At(bucket, static_cast<size_t>(count));
  }
  uint64_t Sm(size_t bucket, size_t sm, SmCount count) const {
    return sms.At(bucket, sm * kSmCounts.size() + static_cast<size_t>(count));
  }

  Counters gpu;
  Counters sms;                   // SM by SM, kSmCounts of each
  std::optional<Counters> links;  // of several nodes: bytes over each, as NodesRecord::links
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_COUNTERS_H_
