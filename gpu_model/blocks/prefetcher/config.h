// The prefetchers' constants.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CONFIG_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CONFIG_H_

#include <cstdint>
#include <string_view>

namespace flagstone {

inline constexpr std::string_view kNoPrefetcher = "none";

// Of one SM, as machine files give it. What bears a prefetcher's name serves that one only.
struct PrefetcherConfig {
  // MSHRs of the L1 that prefetches leave free for demand.
  uint32_t mshr_reserve = 8;
  uint32_t own_port = 0;           // of the L1's tags
  uint32_t wake_up = 1;            // 0: nobody is told that prefetched data has come
  uint32_t caps_threshold = 128;   // mispredictions of a load that it may have
  uint32_t caps_refresh_base = 0;  // 1: bases follow the leading warp's later executions
  uint32_t caps_case_a_paced = 0;  // 1: case A goes in steps with the CTA that gave the stride
  // 1: the L1 drops a prefetch for a warp whose next instruction lies behind the load.
  uint32_t caps_trailing_only = 1;
  // caps+, beside the threshold and the drop that it shares with caps.
  uint32_t caps_plus_confidence = 1;  // 1: a stride has to prove itself
  uint32_t caps_plus_keep = 1;        // 1: prefetched lines wait for use while another line may go
  // Not in machine files: these follow from the SM and the launch.
  uint32_t cta_slots = 8;   // 1 to kMaxCtaSlots
  uint32_t num_warps = 48;  // 2 to 64
  uint32_t addr_bits = 32;  // of the byte addresses at its ports
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_PREFETCHER_CONFIG_H_
