// What all warp schedulers in C++ share: the register behind the ports. A policy is a plain struct.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_WARP_SCHEDULER_MODEL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_WARP_SCHEDULER_MODEL_H_

#include <bit>
#include <utility>

#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

inline constexpr uint32_t kNoWarp = kMaxWarps;
inline constexpr WarpMask WarpBit(uint32_t warp) { return WarpMask{1} << warp; }
inline uint32_t LowestWarp(WarpMask warps) {  // of at least one
  return static_cast<uint32_t>(std::countr_zero(warps));
}

// `Policy` has `uint32_t Next(const WarpSchedulerIn&)`, which sees each tick's inputs once and
// gives the eligible warp to grant, or kNoWarp; `bool Quiescent() const`, as of the port; and
// kEligibleOnly: of the levels only `eligible` means something to it.
template <class Policy>
class WarpSchedulerModel final : public WarpScheduler {
 public:
  explicit WarpSchedulerModel(Policy policy = {}) : start_(policy), policy_(std::move(policy)) {}

  void Reset() override {
    policy_ = start_;
    last_ = {};
    out_ = {};
  }
  const WarpSchedulerOut& Outputs() const override { return out_; }
  void Tick(const WarpSchedulerIn& in) override {
    const uint32_t warp = policy_.Next(in);
    out_.grant_valid = warp != kNoWarp;
    out_.grant_warp = out_.grant_valid ? warp : 0;
    out_.quiescent = policy_.Quiescent();
    if constexpr (Policy::kEligibleOnly) {
      last_.eligible = in.eligible;
    } else {
      last_ = in;
    }
  }
  bool Idle(const WarpSchedulerIn& in) const override {
    if (!out_.quiescent || HasPulse(in)) return false;
    return Policy::kEligibleOnly ? in.eligible == last_.eligible : SameLevels(in, last_);
  }

 private:
  Policy start_;
  Policy policy_;
  WarpSchedulerIn last_;
  WarpSchedulerOut out_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_WARP_SCHEDULER_MODEL_H_
