// Which order of warps lets most instructions issue: the model of rtl/caps/caps_order_duel.sv,
// which tells the rule.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PAS_ORDER_DUEL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PAS_ORDER_DUEL_H_

#include <cstdint>

#include "gpu_model/blocks/warp_scheduler/ports.h"

namespace flagstone {

class OrderDuel {
 public:
  static constexpr uint32_t kOrders = 3;
  // The one that has to let twice as much issue where TBs end and none begins.
  static constexpr uint32_t kGreedy = 2;
  static constexpr uint32_t kMostCounted = 4095;  // issues in an epoch that can be told apart

  uint32_t order() const { return order_; }  // in charge
  // A cycle. Says whether another order is in charge from the next one on.
  bool Tick(const WarpSchedulerIn& in);

 private:
  static constexpr uint32_t kTries = 2 * kOrders;  // epochs
  static constexpr uint32_t kRound = kTries + 32;  // epochs
  // What it takes to follow the order that was in charge before: an own choice, as set dueling has
  // a threshold (Qureshi et al., ISCA 2007).
  static constexpr uint32_t kMargin = 16;      // one part in so many more issues
  static constexpr uint32_t kMarginAtEnd = 8;  // where TBs end and none begins
  static constexpr uint32_t kGreedyTimes = 2;  // there, of the greedy order: times as many issues

  void TrackWarps(const WarpSchedulerIn& in);
  void EndEpoch();

  WarpMask running_ = 0;
  WarpMask left_ = 0;     // slots that a warp has left, and none has taken again
  bool refills_ = false;  // warps begin where others have exited
  bool waits_ = false;    // a slot was empty at the end of the last epoch, and none has begun since
  uint32_t step_ = 0;     // epochs since the round began
  uint32_t issues_ = 0;
  uint32_t best_ = 0;  // issues that have to be beaten
  uint32_t kept_ = 0;  // the order that had them
  uint32_t order_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_WARP_SCHEDULER_PAS_ORDER_DUEL_H_
