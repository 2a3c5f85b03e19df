// Ports of an SM's prefetcher, whatever its rule: what it sees of the load path, and how its
// prefetches enter the L1.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_PORTS_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/block.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

inline constexpr uint32_t kMaxCtaSlots = 32;
inline constexpr uint32_t kLoadAddresses = 4;  // of a load that a prefetcher sees

// Global loads are shown in the order in which they reach the L1, at most one request a cycle, so
// that there is no back-pressure here. Loads of local memory, constants and textures, stores and
// atomics are not shown.
struct PrefetcherIn {
  bool kernel_end = false;  // forget all
  uint32_t cta_end = 0;     // per CTA slot: its CTA ends; before its slot is given away
  // Per CTA slot: the live warps of its CTA, a bit per warp of the SM.
  std::array<uint64_t, kMaxCtaSlots> live_warps = {};
  // A warp's global load, with the first of its requests. One with n requests is followed by the
  // next one n cycles later at the earliest.
  bool load_valid = false;
  uint64_t load_pc = 0;
  uint32_t load_slot = 0;
  uint32_t load_warp = 0;      // of the SM
  bool load_indirect = false;  // the address depends on loaded data
  uint32_t load_count = 0;     // coalesced requests
  // Byte address of the lowest lane of each of the first four.
  std::array<uint64_t, kLoadAddresses> load_addr = {};
  bool probe_done = false;     // what the probe asks is answered in this cycle
  bool probe_present = false;  // its line is in the L1 or in flight
  bool prefetch_ready = false;
  // A request of a global load that sends its line's fetch to L2; CAPS has no use for it.
  bool miss_valid = false;
  uint64_t miss_addr = 0;  // byte address of the line
  uint64_t miss_pc = 0;
  uint32_t miss_slot = 0;
  uint32_t miss_warp = 0;
};

struct PrefetcherOut {
  // Is the line of probe_addr in the L1 or in flight? It stands until answered; where the answer is
  // no while a prefetch stands that is not taken, it is asked again. A prefetcher may do without:
  // the L1 drops a prefetch of such a line by itself.
  bool probe_valid = false;
  uint64_t probe_addr = 0;
  // Taken with prefetch_ready. Unlike other valids it may fall before: when its CTA ends, when its
  // stride is replaced or throttled, at the kernel's end.
  bool prefetch_valid = false;
  uint64_t prefetch_addr = 0;  // a byte address: its whole line is fetched
  // The warp to wake when the data is there; kMaxWarps: none.
  uint32_t prefetch_warp = 0;
  uint32_t prefetch_slot = 0;
  uint64_t prefetch_pc = 0;  // of the load that it is for
  uint32_t throttled = 0;    // a bit per table entry of a load that is mispredicted too often
  bool quiescent = true;     // nothing changes without an event
};

using Prefetcher = Block<PrefetcherIn, PrefetcherOut>;

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_PORTS_H_
