// One launch that runs and one behind it: the model of rtl/dispatch_top/dispatch_control.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_DISPATCH_CONTROL_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_DISPATCH_CONTROL_H_

#include <cstdint>

#include "gpu_model/blocks/dispatch_top/launch_prepare.h"

namespace flagstone {

class DispatchControl {
 public:
  struct In {
    bool control_write = false, status_write = false;
    uint32_t write_data = 0;
    bool refused = false;
    DispatchReason refused_reason = DispatchReason::kNone;
    bool busy = false, read_error = false, beyond = false, stray = false;
    bool issue = false, steal = false, wait = false;
  };
  // What happens in a cycle.
  struct Events {
    bool start = false, prepared = false, drained = false;
  };

  bool Queued() const { return queued_; }
  bool Stopping() const { return stopping_; }
  bool Idle() const { return !queued_ && !active_; }
  uint32_t tag() const { return tag_; }
  uint32_t Status() const;
  bool Interrupts(uint32_t enabled) const { return (flags_ & enabled) != 0; }
  uint32_t tbs_issued() const { return issued_; }
  uint32_t steals() const { return steals_; }
  uint32_t waits() const { return waits_; }

  Events EventsOf(const In& in, const LaunchPrepare& prepare) const;
  // `failure`: of launch_prepare, or none.
  void Tick(const In& in, const Events& events, DispatchReason failure);

 private:
  static constexpr uint32_t kDone = 1, kFailed = 2, kRefused = 4;

  bool Finishes(const In& in) const { return active_ && !stopping_ && !in.busy; }
  void Count(bool start, const In& in);

  bool queued_ = false, active_ = false, stopping_ = false;
  uint32_t flags_ = 0;
  DispatchReason reason_ = DispatchReason::kNone, stop_reason_ = DispatchReason::kNone;
  uint32_t tag_ = 0, ended_tag_ = 0, next_tag_ = 0;
  uint32_t issued_ = 0, steals_ = 0, waits_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_DISPATCH_CONTROL_H_
