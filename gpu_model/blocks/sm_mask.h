// Sets of SMs, and what is done with them.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_SM_MASK_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_SM_MASK_H_

#include <array>
#include <bit>
#include <cstdint>

namespace flagstone {

// The width of every set of SMs, and the end of the range of the RTL's NumSm: a multiple of 64.
inline constexpr uint32_t kMaxSms = 256;
inline constexpr uint32_t kNoSm = kMaxSms;

inline constexpr uint32_t kSmWords = kMaxSms / 64;
static_assert(64 * kSmWords == kMaxSms);

// A set of SMs: one bit for each.
using SmMask = std::array<uint64_t, kSmWords>;
inline bool TestBit(const SmMask& mask, uint32_t sm) { return (mask[sm / 64] >> (sm % 64)) & 1; }
inline void SetBit(SmMask* mask, uint32_t sm) { (*mask)[sm / 64] |= uint64_t{1} << (sm % 64); }
inline void ClearBit(SmMask* mask, uint32_t sm) { (*mask)[sm / 64] &= ~(uint64_t{1} << (sm % 64)); }

inline bool Any(const SmMask& mask) {
  uint64_t any = 0;
  for (uint32_t word = 0; word < kSmWords; ++word) any |= mask[word];
  return any != 0;
}

inline uint32_t CountSms(const SmMask& mask) {
  int count = 0;
  for (uint32_t word = 0; word < kSmWords; ++word) count += std::popcount(mask[word]);
  return static_cast<uint32_t>(count);
}

inline SmMask And(SmMask a, const SmMask& b) {
  for (uint32_t word = 0; word < kSmWords; ++word) a[word] &= b[word];
  return a;
}
inline SmMask AndNot(SmMask a, const SmMask& b) {
  for (uint32_t word = 0; word < kSmWords; ++word) a[word] &= ~b[word];
  return a;
}

// SMs 0 to count - 1.
inline SmMask FirstSms(uint32_t count) {
  SmMask mask = {};
  for (uint32_t sm = 0; sm < count; ++sm) SetBit(&mask, sm);
  return mask;
}

// The lowest SM of the set, or kNoSm.
inline uint32_t LowestSm(const SmMask& mask) {
  for (uint32_t word = 0; word < kSmWords; ++word) {
    if (mask[word] != 0) return 64 * word + static_cast<uint32_t>(std::countr_zero(mask[word]));
  }
  return kNoSm;
}

// Round-robin: the first SM of the set at or after `first`, else the lowest one; or kNoSm.
inline uint32_t PickSm(const SmMask& mask, uint32_t first) {
  SmMask above = mask;
  for (uint32_t word = 0; word < first / 64; ++word) above[word] = 0;
  above[first / 64] &= ~uint64_t{0} << (first % 64);
  const uint32_t lowest = LowestSm(above);
  return lowest != kNoSm ? lowest : LowestSm(mask);
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

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_SM_MASK_H_
