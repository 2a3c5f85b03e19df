// Masks of low bits, for ports of any width up to 64.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_MASKS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_MASKS_H_

#include <cstdint>

namespace flagstone {

constexpr uint64_t MaskOf(uint32_t bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_COMMON_MASKS_H_
