// What CAPS's prefetcher hears of its ports, and its parameters.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_CONFIG_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_CONFIG_H_

#include <cstdint>

#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/prefetcher/config.h"
#include "gpu_model/blocks/prefetcher/ports.h"

namespace flagstone {

inline constexpr uint32_t kCapsBases = kLoadAddresses;  // requests of a load that is prefetched

using CapsIn = PrefetcherIn;
using CapsOut = PrefetcherOut;  // `throttled`: per DIST entry
using CapsBlock = Prefetcher;

// Whether these inputs bring CAPS an event while it is quiescent: loads that are indirect or have
// no or more than four requests are ignored, and so are misses. Other prefetchers hear other
// events.
inline bool CapsHears(const CapsIn& in) {
  return in.kernel_end || in.cta_end != 0 ||
         (in.load_valid && !in.load_indirect && in.load_count >= 1 && in.load_count <= kCapsBases);
}

inline constexpr EventRule<CapsIn, CapsOut> kCapsEvents = {
    [](const CapsOut& out, const CapsIn& in, const CapsIn&) {
      return out.quiescent && !CapsHears(in);
    },
    /*compares_last=*/false};

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
  bool case_a_paced = false;  // assumption: case A prefetches for all trailing warps at once
  // Not of the paper, and off in `caps`: right predictions count too, and a new stride has to prove
  // itself.
  bool confidence = false;
};

// Of `caps`.
inline CapsConfig CapsConfigOf(const PrefetcherConfig& config) {
  return {.cta_slots = config.cta_slots,
          .num_warps = config.num_warps,
          .addr_bits = config.addr_bits,
          .threshold = config.caps_threshold,
          .refresh_base = config.caps_refresh_base != 0,
          .case_a_paced = config.caps_case_a_paced != 0};
}

// Of `caps+`: what CAPS's figures hang on in loops and case A is as published.
inline CapsConfig CapsPlusConfigOf(const PrefetcherConfig& config) {
  return {.cta_slots = config.cta_slots,
          .num_warps = config.num_warps,
          .addr_bits = config.addr_bits,
          .threshold = config.caps_threshold,
          .confidence = config.caps_plus_confidence != 0};
}

// The RTL's parameters as a configuration, in which those that are not there keep their standard
// values, and back (descriptor.cc).
CapsConfig CapsConfigOf(const RtlParameters& parameters);
RtlParameters RtlParametersOf(const CapsConfig& config);

// Throws kBadInput for parameters that are out of range.
BlockType<CapsIn, CapsOut> CapsPrefetcherType(const CapsConfig& config);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CAPS_CAPS_CONFIG_H_
