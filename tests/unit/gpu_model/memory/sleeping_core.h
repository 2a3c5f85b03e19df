// Ticks a core only in the cycles that it asks for, which must change nothing.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_SLEEPING_CORE_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_SLEEPING_CORE_H_

#include <cstdint>

#include "base/clocked.h"

namespace flagstone {

class SleepingCore final : public Waker {
 public:
  // `sleeps`: false, and it is ticked in each cycle.
  SleepingCore(Clocked* core, bool sleeps) : core_(core), sleeps_(sleeps) {
    core->ConnectWaker(this, 0);
  }
  void Wake(uint32_t) override { awake_ = true; }
  void Sample(uint64_t now) {
    runs_ = !sleeps_ || awake_ || next_ <= now;
    awake_ = false;
    if (runs_) core_->Sample(now);
    ticks_ += runs_ ? 1 : 0;
  }
  void Commit(uint64_t now) {
    if (!runs_) return;
    core_->Commit(now);
    next_ = core_->NextWork(now);
  }
  uint64_t ticks() const { return ticks_; }

 private:
  Clocked* core_;
  bool sleeps_;
  bool awake_ = true;
  bool runs_ = false;
  uint64_t next_ = 0;
  uint64_t ticks_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_MEMORY_SLEEPING_CORE_H_
