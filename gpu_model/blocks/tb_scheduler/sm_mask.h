// Operations on sets of SMs.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SM_MASK_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SM_MASK_H_

#include <bit>
#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

inline constexpr uint32_t kNoSm = kMaxSms;

inline bool Any(const SmMask& mask) { return (mask[0] | mask[1]) != 0; }

inline uint32_t CountSms(const SmMask& mask) {
  return static_cast<uint32_t>(std::popcount(mask[0]) + std::popcount(mask[1]));
}

inline SmMask And(const SmMask& a, const SmMask& b) { return {a[0] & b[0], a[1] & b[1]}; }
inline SmMask AndNot(const SmMask& a, const SmMask& b) { return {a[0] & ~b[0], a[1] & ~b[1]}; }

// SMs 0 to count - 1.
inline SmMask FirstSms(uint32_t count) {
  SmMask mask = {};
  for (uint32_t sm = 0; sm < count; ++sm) SetBit(&mask, sm);
  return mask;
}

// The lowest SM of the set, or kNoSm.
inline uint32_t LowestSm(const SmMask& mask) {
  if (mask[0] != 0) return static_cast<uint32_t>(std::countr_zero(mask[0]));
  if (mask[1] != 0) return 64 + static_cast<uint32_t>(std::countr_zero(mask[1]));
  return kNoSm;
}

// Round-robin: the first SM of the set at or after `first`, else the lowest one; or kNoSm.
inline uint32_t PickSm(const SmMask& mask, uint32_t first) {
  const uint64_t from = ~uint64_t{0} << (first % 64);
  const SmMask above = {first < 64 ? mask[0] & from : 0, first < 64 ? mask[1] : mask[1] & from};
  return LowestSm(Any(above) ? above : mask);
}

// Calls visit(sm) for each SM of the set, in ascending order.
template <class Visit>
void ForEachSm(SmMask mask, Visit visit) {
  for (uint32_t word = 0; word < mask.size(); ++word) {
    for (; mask[word] != 0; mask[word] &= mask[word] - 1) {
      visit(64 * word + static_cast<uint32_t>(std::countr_zero(mask[word])));
    }
  }
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_SM_MASK_H_
