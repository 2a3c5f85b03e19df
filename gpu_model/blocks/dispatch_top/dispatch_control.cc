#include "gpu_model/blocks/dispatch_top/dispatch_control.h"

namespace flagstone {

uint32_t DispatchControl::Status() const {
  return next_tag_ << 28 | ended_tag_ << 24 | tag_ << 20 | static_cast<uint32_t>(reason_) << 16 |
         flags_ << 8 | (queued_ ? 2 : 0) | (active_ ? 1 : 0);
}

DispatchControl::Events DispatchControl::EventsOf(const In& in,
                                                  const LaunchPrepare& prepare) const {
  const bool start = queued_ && prepare.Ready() && (!active_ || Finishes(in));
  return {.start = start,
          .prepared = start || (queued_ && prepare.Fails()),
          .drained = stopping_ && !in.busy};
}

void DispatchControl::Tick(const In& in, const Events& events, DispatchReason failure) {
  const bool launch = in.control_write && (in.write_data & 1) != 0;
  const bool stop = in.control_write && (in.write_data & 2) != 0;
  const bool finish = Finishes(in);
  const bool stops = active_ && !stopping_ && in.busy && (in.read_error || in.beyond || stop);
  const auto [start, prepared, drains] = events;
  const bool fails = queued_ && failure != DispatchReason::kNone;

  if (in.status_write) flags_ &= ~(in.write_data >> 8);
  if (finish) flags_ |= kDone;
  if (drains || fails) flags_ |= kFailed;
  if (in.refused || in.stray) flags_ |= kRefused;
  if (drains) {
    reason_ = stop_reason_;
  } else if (fails) {
    reason_ = failure;
  } else if (in.stray) {
    reason_ = DispatchReason::kStrayCompletion;
  } else if (in.refused) {
    reason_ = in.refused_reason;
  }
  if (stops) {
    stop_reason_ = in.read_error ? DispatchReason::kReadError
                   : in.beyond   ? DispatchReason::kIdBeyondGrid
                                 : DispatchReason::kStopped;
  }
  if (finish || drains) {
    ended_tag_ = tag_;
  } else if (fails) {
    ended_tag_ = next_tag_;
  }
  if (start) tag_ = next_tag_;
  if (prepared) next_tag_ = (next_tag_ + 1) % 16;
  queued_ = launch || (queued_ && !prepared);
  active_ = start || (active_ && !finish && !drains);
  stopping_ = stops || (stopping_ && !drains);
  Count(start, in);
}

void DispatchControl::Count(bool start, const In& in) {
  if (start) {
    issued_ = steals_ = waits_ = 0;
    return;
  }
  if (in.issue) ++issued_;
  if (in.steal) ++steals_;
  if (in.wait) ++waits_;
}

}  // namespace flagstone
