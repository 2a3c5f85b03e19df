// The caches of an SM beside its L1: instructions, constants, textures. They are L1 caches that
// nobody writes, and share the SM's network port with it.
#ifndef FLAGSTONE_GPU_MODEL_SM_READ_ONLY_CACHE_H_
#define FLAGSTONE_GPU_MODEL_SM_READ_ONLY_CACHE_H_

#include <cstdint>

#include "gpu_model/machines/machine.h"
#include "gpu_model/memory/packet.h"

namespace flagstone {

// Whose miss a read is: kept in the upper bits of the packet's tag. L1 tags are below 2^15.
enum class ReadOnlyPart : uint8_t { kInstructions, kConstants, kTextures };

inline uint16_t ReadOnlyTag(ReadOnlyPart part, uint16_t tag) {
  return static_cast<uint16_t>(0x8000U | static_cast<uint32_t>(part) << 13 | tag);
}
inline bool IsReadOnly(const Packet& packet) {
  return packet.kind == PacketKind::kRead && (packet.tag & 0x8000U) != 0;
}
inline ReadOnlyPart PartOf(const Packet& packet) {
  return static_cast<ReadOnlyPart>((packet.tag >> 13) & 3U);
}
inline uint16_t OwnTag(const Packet& packet) { return packet.tag & 0x1fffU; }

// Where what is no global memory lies: above all of it, so that it takes its place in L2 and DRAM.
// Local memory is interleaved so that the lanes of a warp that access the same offset share lines
// (assumption: by access size).
inline constexpr uint64_t kLocalBase = uint64_t{1} << 38;
inline constexpr uint64_t kParameterBase = kLocalBase + (uint64_t{1} << 37);
inline constexpr uint64_t kCodeBase = kParameterBase + (uint64_t{1} << 36);

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
