// A warp scheduler whose high-priority group has as many warps as a register says: the model of
// rtl/cta_mapping/programmable_warp_scheduler.sv.
//
// Liu, Liu and Wang combine their CTA mapping with a programmable warp scheduler (Algorithm 2) that
// stands in another publication. That software names the size of a group of warps which go first,
// and that the group crosses the borders of TBs, is theirs; all else is our assumption:
//   - The group are the oldest warps: those of the TB that began first, lowest slot first, then
//     those of the next one. It takes a warp every third cycle until it has its size.
//   - In the group warps take turns, so that those that share data stay together. In cycles in
//     which none of the group can issue, the others take turns.
//   - Size 0, as after reset: there is no group, and the order is greedy then oldest, with which
//     the paper compares itself.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PROGRAMMABLE_PROGRAMMABLE_WARP_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PROGRAMMABLE_PROGRAMMABLE_WARP_SCHEDULER_H_

#include <array>
#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/descriptor.h"
#include "gpu_model/blocks/warp_scheduler/warp_queue.h"
#include "gpu_model/blocks/warp_scheduler/warp_scheduler_model.h"

namespace flagstone {

// Parameters, with the RTL's meaning.
struct ProgrammableConfig {
  uint32_t num_warps = 48;  // 2 to 64
  uint32_t tb_slots = 8;    // 2 to 32: TBs that are told apart
};

class Programmable {
 public:
  static constexpr bool kEligibleOnly = true;

  explicit Programmable(const ProgrammableConfig& config) : config_(config) {}

  uint32_t Next(const WarpSchedulerIn& in);
  bool Quiescent() const { return !changed_; }

 private:
  static constexpr uint32_t kMostTbs = 32;

  uint32_t Choose(const WarpSchedulerIn& in);
  uint32_t InTurn(WarpMask warps, uint32_t* turn);
  WarpMask OldestOf(WarpMask warps) const;  // one bit, or none
  void ChangeGroup(const WarpSchedulerIn& in);
  void StartWarps(WarpMask started);

  ProgrammableConfig config_;
  bool changed_ = false;
  std::array<WarpMask, kMostTbs> tbs_ = {};  // warps that began in one cycle
  WarpQueue by_age_;                         // of these
  uint32_t size_ = 0;                        // of the group
  WarpMask group_ = 0;
  bool moved_ = false;       // the group or its size may have changed in the cycle before
  WarpMask next_ = 0;        // the warp that joins the group next, if any
  uint32_t high_turn_ = 0;   // behind the warp of the group that was granted last
  uint32_t low_turn_ = 0;    // of the others
  uint32_t last_ = kNoWarp;  // the warp that issued last, and lives
};

using ProgrammableWarpScheduler = WarpSchedulerModel<Programmable>;

const WarpSchedulerDescriptor& ProgrammableDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PROGRAMMABLE_PROGRAMMABLE_WARP_SCHEDULER_H_
