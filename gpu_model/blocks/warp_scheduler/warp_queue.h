// A list of warp slots in order: by age, or as the queues of the two-level scheduler.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_WARP_QUEUE_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_WARP_QUEUE_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {

// Holds each warp at most once.
class WarpQueue {
 public:
  uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  uint32_t operator[](uint32_t i) const { return warps_[i]; }
  WarpMask mask() const { return mask_; }

  void PushBack(uint32_t warp) {
    warps_[count_++] = static_cast<uint8_t>(warp);
    mask_ |= WarpBit(warp);
  }
  // Lowest slot first.
  void PushBackAll(WarpMask warps) {
    for (; warps != 0; warps &= warps - 1) PushBack(LowestWarp(warps));
  }
  void Remove(WarpMask warps) {
    if ((warps & mask_) == 0) return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      if ((warps & WarpBit(warps_[i])) == 0) warps_[kept++] = warps_[i];
    }
    count_ = kept;
    mask_ &= ~warps;
  }
  // The first of `warps` in order; kNoWarp when none is here.
  uint32_t FirstOf(WarpMask warps) const {
    warps &= mask_;
    if (warps == 0) return kNoWarp;
    if (std::has_single_bit(warps)) return LowestWarp(warps);
    uint32_t i = 0;
    while ((warps & WarpBit(warps_[i])) == 0) ++i;
    return warps_[i];
  }
  // The first `count` of `warps` in order.
  WarpMask FirstOf(WarpMask warps, uint32_t count) const {
    WarpMask first = 0;
    for (uint32_t i = 0; i < count_ && count > 0; ++i) {
      if ((warps & WarpBit(warps_[i])) == 0) continue;
      first |= WarpBit(warps_[i]);
      --count;
    }
    return first;
  }

 private:
  std::array<uint8_t, kMaxWarps> warps_ = {};
  uint32_t count_ = 0;
  WarpMask mask_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_WARP_QUEUE_H_
