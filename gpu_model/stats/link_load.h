// What has gone over one directed link between nodes.
#ifndef FLAGSTONE_GPU_MODEL_STATS_LINK_LOAD_H_
#define FLAGSTONE_GPU_MODEL_STATS_LINK_LOAD_H_

#include <cstdint>

namespace flagstone {

struct LinkLoad {
  // Around a GPU's ring, or from a GPU to the switch, or from the switch to a GPU.
  enum class Kind : uint8_t { kClockwise, kCounterclockwise, kOut, kIn };
  Kind kind = Kind::kClockwise;
  uint32_t from = 0, to = 0;  // nodes; of a switch's link both are its GPU
  uint64_t packets = 0;
  uint64_t bytes = 0;
  uint64_t capacity = 0;  // bytes that the link could have moved
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_STATS_LINK_LOAD_H_
