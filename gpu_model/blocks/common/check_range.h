// What a block says of a size that its RTL cannot have.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_CHECK_RANGE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_CHECK_RANGE_H_

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace flagstone {

// Throws kBadInput unless `value`, which is called `name`, is in [low, high].
inline void CheckRange(std::string_view block, std::string_view name, uint32_t value, uint32_t low,
                       uint32_t high) {
  if (value >= low && value <= high) return;
  ThrowBadInput("{} with {} = {}: expected {} to {}", block, name, value, low, high);
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_CHECK_RANGE_H_
