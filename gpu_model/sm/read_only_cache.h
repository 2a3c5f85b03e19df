// The caches of an SM beside its L1: instructions, constants, textures. They are L1 caches that
// nobody writes.
#ifndef FLAGSTONE_GPU_MODEL_SM_READ_ONLY_CACHE_H_
#define FLAGSTONE_GPU_MODEL_SM_READ_ONLY_CACHE_H_

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// As an L1: lines of 128 B that are fetched whole.
inline CacheConfig ReadOnlyL1(const ReadOnlyCacheConfig& config) {
  CacheConfig l1;
  l1.size_kib = config.size_kib;
  l1.line_bytes = l1.sector_bytes = kLineBytes;
  l1.ways = config.ways;
  l1.mshrs = config.mshrs;
  l1.mshr_merges = 64;  // assumption: every warp of the SM may wait for one line
  l1.miss_queue = 4;    // assumption
  return l1;
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_READ_ONLY_CACHE_H_
