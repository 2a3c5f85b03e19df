// The prefetchers that follow misses of the L1: next line, and locality-aware.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_MISS_POLICIES_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_MISS_POLICIES_H_

#include <array>
#include <bit>
#include <cstdint>

#include "gpu_model/blocks/prefetcher/prefetcher_model.h"

namespace flagstone {

// NLP (CAPS paper, sections III.C and VI.B): a missed line brings the next one. Assumption: one,
// where section III says one or two; and a prefetched line brings none.
class NextLine {
 public:
  explicit NextLine(const PrefetcherConfig& /*config*/) {}

  void Load(const PrefetcherIn& /*in*/, PrefetchQueue* /*queue*/) {}
  void Miss(const PrefetcherIn& in, PrefetchQueue* queue) {
    queue->Push({in.miss_addr + kPrefetchLineBytes, in.miss_warp, in.miss_slot, in.miss_pc});
  }
  void EndCtas(uint32_t /*slots*/) {}
};

// LAP (CAPS paper, section VI.B, after Jog et al., ISCA 2013): of an aligned block of four lines
// two are missed: the others are prefetched. Assumptions: misses of 64 blocks are known, the one
// that missed longest ago gives way; a block whose lines were prefetched begins anew.
class LocalityAware {
 public:
  static constexpr uint32_t kLines = 4;
  static constexpr int kMisses = 2;
  static constexpr uint32_t kBlocks = 64;

  explicit LocalityAware(const PrefetcherConfig& /*config*/) {}

  void Load(const PrefetcherIn& /*in*/, PrefetchQueue* /*queue*/) {}
  void Miss(const PrefetcherIn& in, PrefetchQueue* queue) {
    const uint64_t line = in.miss_addr / kPrefetchLineBytes;
    Block& block = Find(line / kLines);
    block.missed |= 1U << line % kLines;
    block.last_miss = ++misses_;
    if (std::popcount(block.missed) < kMisses) return;
    for (uint32_t i = 0; i < kLines; ++i) {
      if ((block.missed >> i & 1) != 0) continue;
      queue->Push({(line / kLines * kLines + i) * kPrefetchLineBytes, in.miss_warp, in.miss_slot,
                   in.miss_pc});
    }
    block.missed = 0;
  }
  void EndCtas(uint32_t /*slots*/) {}

 private:
  struct Block {
    uint64_t number = 0;
    uint32_t missed = 0;     // a bit per line; 0: nothing is known
    uint64_t last_miss = 0;  // of all misses
  };

  Block& Find(uint64_t number) {
    Block* oldest = &blocks_[0];
    for (Block& block : blocks_) {
      if (block.missed != 0 && block.number == number) return block;
      if (Age(block) < Age(*oldest)) oldest = &block;
    }
    *oldest = {number, 0, 0};
    return *oldest;
  }
  static uint64_t Age(const Block& block) { return block.missed == 0 ? 0 : block.last_miss; }

  std::array<Block, kBlocks> blocks_ = {};
  uint64_t misses_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_MISS_POLICIES_H_
