// Ports of CAPS's prefetcher.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_CAPS_PORTS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_CAPS_PORTS_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/block.h"

namespace flagstone {

inline constexpr uint32_t kMaxCtaSlots = 32;
inline constexpr uint32_t kCapsBases = 4;  // coalesced requests of a load that is prefetched

struct CapsIn {
  bool kernel_end = false;  // forget all
  uint32_t cta_end = 0;     // per CTA slot: its CTA ends; before its slot is given away
  // Per CTA slot: the live warps of its CTA, a bit per warp of the SM.
  std::array<uint64_t, kMaxCtaSlots> live_warps = {};
  // A warp's global load, with the first of its requests. One with n requests (1 to 4, and not
  // indirect: others are ignored) is followed by the next such one n cycles later at the earliest.
  bool load_valid = false;
  uint64_t load_pc = 0;
  uint32_t load_slot = 0;
  uint32_t load_warp = 0;      // of the SM
  bool load_indirect = false;  // the address depends on loaded data
  uint32_t load_count = 0;     // coalesced requests
  // Byte address of the lowest lane of each of the first four.
  std::array<uint64_t, kCapsBases> load_addr = {};
  bool probe_done = false;     // what the probe asks is answered in this cycle
  bool probe_present = false;  // its line is in the L1 or in flight
  bool prefetch_ready = false;
};

struct CapsOut {
  bool probe_valid = false;  // is the line of probe_addr in the L1 or in flight?
  uint64_t probe_addr = 0;
  // Taken with prefetch_ready. Unlike other valids it may fall before: when its CTA ends, when its
  // stride is replaced, at the kernel's end.
  bool prefetch_valid = false;
  uint64_t prefetch_addr = 0;  // a byte address
  uint32_t prefetch_warp = 0;  // the warp to wake when the data is there
  uint32_t prefetch_slot = 0;
  uint64_t prefetch_pc = 0;  // of the load that it is for
  uint32_t throttled = 0;    // per DIST entry: mispredicted too often
  bool quiescent = true;     // nothing changes without an event
};

// Whether these inputs bring the prefetcher an event while it is quiescent. An idle tick is
// `out.quiescent && !HasEvent(out, in)`.
inline bool HasEvent(const CapsOut& /*out*/, const CapsIn& in) {
  return in.kernel_end || in.cta_end != 0 ||
         (in.load_valid && !in.load_indirect && in.load_count >= 1 && in.load_count <= kCapsBases);
}

using CapsBlock = Block<CapsIn, CapsOut>;

// Parameters, with the RTL's names.
struct CapsConfig {
  uint32_t cta_slots = 8;     // 1 to kMaxCtaSlots
  uint32_t num_warps = 48;    // 2 to 64
  uint32_t warp_bits = 8;     // of a warp's number
  uint32_t pc_bits = 32;      // at most 64
  uint32_t addr_bits = 32;    // at most 64
  uint32_t threshold = 128;   // mispredictions of a load, at most 255, that it may have
  uint32_t style = 0;         // of the RTL's PerCTA storage: flip-flops, latches, RAM
  bool refresh_base = false;  // assumption: bases stay those of the leading warp's first execution
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_CAPS_PORTS_H_
