// What the prefetchers that follow strides of loads share.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_LOAD_STRIDES_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_LOAD_STRIDES_H_

#include <cstdint>

#include "gpu_model/blocks/prefetcher/prefetcher_model.h"

namespace flagstone {

// Assumption: loads of one to four coalesced requests are followed, as CAPS does.
inline bool Follows(const PrefetcherIn& in) {
  return in.load_count >= 1 && in.load_count <= kLoadAddresses;
}

// From one address to another of so many bits.
inline int64_t Difference(uint64_t from, uint64_t to, uint32_t bits) {
  const uint32_t unused = 64 - bits;
  return static_cast<int64_t>((to - from) << unused) >> unused;
}

// Brings all requests of the load, so many bytes further on, for the load `pc` of a warp.
inline void PushAll(const PrefetcherIn& in, int64_t bytes, uint32_t warp, uint32_t slot,
                    uint64_t pc, PrefetchQueue* queue) {
  for (uint32_t k = 0; k < in.load_count; ++k) {
    queue->Push({in.load_addr[k] + static_cast<uint64_t>(bytes), warp, slot, pc});
  }
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_LOAD_STRIDES_H_
