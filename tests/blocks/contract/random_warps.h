// An SM's warps for a warp scheduler under test: CTAs that come and go, warps that issue, wait for
// memory or at a barrier, load, prefetched data that comes, and sizes of groups that are written.
#ifndef FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_WARPS_H_
#define FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_WARPS_H_

#include <cstdint>

#include "base/random.h"
#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

class RandomWarps {
 public:
  // `group_bits`: of the numbers of groups of TBs.
  RandomWarps(uint64_t seed, uint32_t num_warps, uint32_t group_bits = kStartedNumberBits)
      : random_(seed),
        sizes_(~seed),
        groups_(seed + 1000),
        num_warps_(num_warps),
        last_group_((1U << group_bits) - 1),
        epoch_(16U << seed % 4) {}

  // The inputs of the next cycle, in which the scheduler shows `out`.
  WarpSchedulerIn Next(const WarpSchedulerOut& out);
  WarpMask live() const { return live_; }

 private:
  uint32_t Below(uint64_t bound) { return static_cast<uint32_t>(random_.Below(bound)); }
  WarpMask Some(uint32_t percent);
  void Start(WarpSchedulerIn* in);

  SplitMix64 random_;
  SplitMix64 sizes_;   // of its own: who takes no sizes sees the same warps
  SplitMix64 groups_;  // likewise, of TBs, and of what issues
  const uint32_t num_warps_;
  const uint32_t last_group_;
  const uint32_t epoch_;  // cycles
  WarpMask live_ = 0;
  WarpMask leading_ = 0;
  WarpMask stalled_ = 0;
  WarpMask barrier_ = 0;
  WarpMask busy_ = 0;  // neither eligible nor waiting long
  uint32_t cycle_ = 0;
  uint32_t mood_ = 0;  // how busy the warps are
  uint32_t group_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_BLOCKS_CONTRACT_RANDOM_WARPS_H_
