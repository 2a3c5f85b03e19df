// CAPS's prefetch-aware warp scheduler (PAS, section V.A): the model of
// rtl/caps/caps_warp_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PAS_CAPS_WARP_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PAS_CAPS_WARP_SCHEDULER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "gpu_model/blocks/warp_scheduler/basic_policies.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/pas/order_duel.h"
#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {

// Parameters, with the RTL's meaning.
struct CapsWarpSchedulerConfig {
  enum class Policy : uint8_t { kTwoLevel, kRoundRobin, kGreedy, kDuel };
  uint32_t num_warps = 48;  // 2 to 64
  Policy policy = Policy::kTwoLevel;
  bool leading_first = true;  // false: the policy alone
  uint32_t ready_warps = 8;   // two-level: 2 to 16

  // Consecutive warps of which the greedy order knows one age, that of the youngest: the order of
  // 48 warps takes four times the area of all the rest.
  uint32_t AgeGroup() const { return policy == Policy::kDuel ? 2 : 1; }
};

// Leading warps (the lowest of each CTA, as long as the SM has them lead) first. Two-level: one
// pending warp a cycle gets a place, in turns, and is chosen the cycle before (assumption; the C++
// `two-level` fills all places at once, in the order of the pending queue). kDuel: all three
// policies watch the warps, and the best one is in charge (OrderDuel; not CAPS's).
class PrefetchAware {
 public:
  static constexpr bool kEligibleOnly = false;

  explicit PrefetchAware(const CapsWarpSchedulerConfig& config) : config_(config) {}

  uint32_t Next(const WarpSchedulerIn& in);
  bool Quiescent() const { return !changed_; }

 private:
  static constexpr uint32_t kMaxReady = 16;

  WarpMask Preferred(WarpMask warps, const WarpSchedulerIn& in) const {
    const WarpMask leading = config_.leading_first ? warps & in.leading : 0;
    return leading != 0 ? leading : warps;
  }
  uint32_t NextTwoLevel(const WarpSchedulerIn& in);
  uint32_t NextRoundRobin(const WarpSchedulerIn& in);
  uint32_t NextGreedy(const WarpSchedulerIn& in);
  WarpMask GroupsOf(WarpMask warps) const;
  uint32_t NextDuel(const WarpSchedulerIn& in);
  uint32_t PlaceOf(WarpMask warp) const;  // or kMaxReady

  // A place in the ready queue.
  struct Place {
    WarpMask warp = 0;   // one bit, or none
    bool leads = false;  // in the cycle before
    uint64_t since = 0;
  };

  CapsWarpSchedulerConfig config_;
  bool changed_ = false;
  std::array<Place, kMaxReady> ready_ = {};
  uint64_t entered_ = 0;
  WarpMask next_ = 0;          // the pending warp that enters next, if any
  uint32_t pending_turn_ = 0;  // where the turns of pending warps go on
  uint32_t turn_ = 0;          // kRoundRobin: where the turns go on
  WarpQueue by_age_;           // kGreedy: age groups
  uint32_t last_ = kNoWarp;
  OrderDuel duel_;
};

using CapsWarpScheduler = WarpSchedulerModel<PrefetchAware>;

// The RTL's parameters as a configuration, in which those that are not there keep their standard
// values, and back (descriptor.cc).
CapsWarpSchedulerConfig CapsWarpSchedulerConfigOf(const RtlParameters& parameters);
RtlParameters RtlParametersOf(const CapsWarpSchedulerConfig& config);

// Throws kBadInput for parameters that are out of range.
WarpSchedulerType CapsWarpSchedulerType(const CapsWarpSchedulerConfig& config);

const std::vector<WarpSchedulerDescriptor>& PasDescriptors();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PAS_CAPS_WARP_SCHEDULER_H_
