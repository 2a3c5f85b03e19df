// The prefetchers that follow strides of loads: within a warp, between warps, and both.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_STRIDE_POLICIES_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_STRIDE_POLICIES_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/prefetcher/caps/caps_tables.h"
#include "gpu_model/blocks/prefetcher/prefetcher_model.h"

namespace flagstone {

// Assumptions that all of these share, so that they differ from CAPS in what they predict alone:
// they look at loads of one to four coalesced requests, as CAPS does, but do not know which loads
// are indirect; four loads have entries, the one written longest ago gives way; a stride counts
// once it was seen twice in a row, and a stride of 0 needs no prefetch. The first request gives the
// stride, which then holds for all.

// INTRA (CAPS paper, section III.A; Baer and Chen, Supercomputing 1991): a load that a warp repeats
// at a regular stride brings the data of its next execution. Four loads of each warp have entries.
class IntraWarpStride {
 public:
  explicit IntraWarpStride(const PrefetcherConfig& config) : address_bits_(config.addr_bits) {}

  void Load(const PrefetcherIn& in, PrefetchQueue* queue) { Predict(in, queue); }
  // Whether the load has a stride, 0 or not.
  bool Predict(const PrefetcherIn& in, PrefetchQueue* queue);
  void Miss(const PrefetcherIn& /*in*/, PrefetchQueue* /*queue*/) {}
  void EndCtas(uint32_t slots);

 private:
  struct Entry {
    bool valid = false;
    uint64_t pc = 0;
    uint64_t written = 0;
    uint32_t slot = 0;
    uint64_t addr = 0;  // of the last execution
    int64_t stride = 0;
    bool has_stride = false;
  };

  uint32_t address_bits_;
  std::array<std::array<Entry, kCapsEntries>, 64> warps_ = {};
  uint64_t writes_ = 0;
};

// INTER (CAPS paper, section III.B): a load that warps execute at a regular stride brings the data
// of the warps that follow on the SM, as if all belonged to one TB. Assumption: of the next four,
// as far as they live.
class InterWarpStride {
 public:
  static constexpr uint32_t kWarps = 4;

  explicit InterWarpStride(const PrefetcherConfig& config)
      : address_bits_(config.addr_bits), cta_slots_(config.cta_slots) {}

  void Load(const PrefetcherIn& in, PrefetchQueue* queue) { Predict(in, queue, true); }
  // Learns from the load; predicts only if asked to.
  void Predict(const PrefetcherIn& in, PrefetchQueue* queue, bool prefetch);
  void Miss(const PrefetcherIn& /*in*/, PrefetchQueue* /*queue*/) {}
  void EndCtas(uint32_t /*slots*/) {}

 private:
  struct Entry {
    bool valid = false;
    uint64_t pc = 0;
    uint64_t written = 0;
    uint32_t warp = 0;  // of the last execution, as is the address
    uint64_t addr = 0;
    int64_t stride = 0;  // from a warp to the next
    bool has_stride = false;
  };

  uint32_t address_bits_;
  uint32_t cta_slots_;
  std::array<Entry, kCapsEntries> loads_ = {};
  uint64_t writes_ = 0;
};

// MTA (CAPS paper, section VI.B; Lee et al., MICRO 2010, its hardware prefetcher): INTRA for loads
// that repeat regularly within a warp, INTER for the others. Assumption: with the tables of both.
class ManyThreadAware {
 public:
  explicit ManyThreadAware(const PrefetcherConfig& config) : intra_(config), inter_(config) {}

  void Load(const PrefetcherIn& in, PrefetchQueue* queue) {
    const bool repeats = intra_.Predict(in, queue);
    inter_.Predict(in, queue, !repeats);
  }
  void Miss(const PrefetcherIn& /*in*/, PrefetchQueue* /*queue*/) {}
  void EndCtas(uint32_t slots) { intra_.EndCtas(slots); }

 private:
  IntraWarpStride intra_;
  InterWarpStride inter_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_STRIDE_POLICIES_H_
