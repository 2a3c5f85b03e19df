// The TB schedulers (dispatchers) there are: a policy names one, the bodies behind the seam make
// it.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_DISPATCHER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_DISPATCHER_H_

#include <cstdint>
#include <string_view>

namespace flagstone {

enum class Dispatcher : uint8_t {
  kLrr,       // loose round-robin over SMs, TBs in the order of their ids
  kPaver,     // group queue in memory, per-SM registers, task stealer
  kBcs,       // two consecutive TBs together
  kCacheFit,  // loose round-robin under a limit of TBs per SM
  kSwizzle,   // loose round-robin, the grid in bands of rows
  kChunk,     // a contiguous part of the grid for each SM
  kCtaMap,    // rows or columns of the grid for each SM
};

// As the RTL's module has it before "_tb_scheduler": "lrr", "cache_fit".
constexpr std::string_view ToString(Dispatcher dispatcher) {
  switch (dispatcher) {
    case Dispatcher::kLrr:
      return "lrr";
    case Dispatcher::kPaver:
      return "paver";
    case Dispatcher::kBcs:
      return "bcs";
    case Dispatcher::kCacheFit:
      return "cache_fit";
    case Dispatcher::kSwizzle:
      return "swizzle";
    case Dispatcher::kChunk:
      return "chunk";
    case Dispatcher::kCtaMap:
      return "cta_map";
  }
  return "?";
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_DISPATCHER_H_
