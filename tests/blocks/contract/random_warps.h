// An SM's warps for a warp scheduler under test: CTAs that come and go, warps that issue, wait for
// memory or at a barrier, prefetched data that comes, and sizes of groups that are written.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_WARPS_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_WARPS_H_

#include <cstdint>

#include "base/random.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

class RandomWarps {
 public:
  RandomWarps(uint64_t seed, uint32_t num_warps)
      : random_(seed), sizes_(~seed), num_warps_(num_warps), epoch_(16U << seed % 4) {}

  // The inputs of the next cycle, in which the scheduler shows `out`.
  WarpSchedulerIn Next(const WarpSchedulerOut& out);
  WarpMask live() const { return live_; }

 private:
  uint32_t Below(uint64_t bound) { return static_cast<uint32_t>(random_.Below(bound)); }
  WarpMask Some(uint32_t percent);
  void Start(WarpSchedulerIn* in);

  SplitMix64 random_;
  SplitMix64 sizes_;  // of its own: who takes no sizes sees the same warps
  const uint32_t num_warps_;
  const uint32_t epoch_;  // cycles
  WarpMask live_ = 0;
  WarpMask leading_ = 0;
  WarpMask stalled_ = 0;
  WarpMask barrier_ = 0;
  WarpMask busy_ = 0;  // neither eligible nor waiting long
  uint32_t cycle_ = 0;
  uint32_t mood_ = 0;  // how busy the warps are
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_WARPS_H_
