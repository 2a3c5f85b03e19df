#include "gpu_model/blocks/warp_scheduler/pas/order_duel.h"

namespace flagstone {

bool OrderDuel::Tick(const WarpSchedulerIn& in) {
  const uint32_t order = order_;
  const bool refilled = refills_;
  TrackWarps(in);
  if (in.epoch) EndEpoch();
  if (in.issued_valid && issues_ < kMostCounted) ++issues_;  // of the next epoch, at its end
  if (refilled && !refills_ && order_ == kGreedy) order_ = step_ = 0;
  if (refills_ && !refilled) step_ = 0;  // a new round, in which all are alike
  return order_ != order;
}

void OrderDuel::TrackWarps(const WarpSchedulerIn& in) {
  running_ = (running_ & ~in.finished) | in.started;
  left_ |= in.finished;
  if ((in.started & left_) != 0) refills_ = true;
  left_ &= ~in.started;
  if (in.started != 0) waits_ = false;
  if (in.epoch) {
    if (waits_) refills_ = false;
    waits_ = left_ != 0;
  }
  if (running_ == 0) {
    left_ = 0;
    refills_ = waits_ = false;
  }
}

void OrderDuel::EndEpoch() {
  if (step_ < kTries && step_ % 2 == 1) {
    const uint32_t times = !refills_ && order_ == kGreedy ? kGreedyTimes : 1;
    if (step_ == 1 || issues_ > times * best_) {
      const uint32_t part = refills_ ? kMargin : kMarginAtEnd;
      best_ = issues_ + (step_ == 1 ? issues_ / part : 0);
      kept_ = order_;
    }
    order_ = step_ == kTries - 1 ? kept_ : (order_ + 1) % kOrders;
  } else {
    issues_ = 0;
  }
  step_ = (step_ + 1) % kRound;
}

}  // namespace flagstone
