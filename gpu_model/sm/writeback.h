// The writeback stage of an SM: results on their way down the pipes and out of the memory path.
#ifndef FLAGSTONE_GPU_MODEL_SM_WRITEBACK_H_
#define FLAGSTONE_GPU_MODEL_SM_WRITEBACK_H_

#include <cstdint>

#include "gpu_model/machines/machine.h"
#include "gpu_model/sm/memory_client.h"
#include "gpu_model/sm/tb_slots.h"
#include "gpu_model/sm/wakeup_wheel.h"
#include "gpu_model/sm/warp_table.h"

namespace flagstone {

// Each result holds its TB until it is written. A result makes the warp's next instruction ready,
// or the warp's TB ends with it.
class Writeback final : public ResultSink {
 public:
  Writeback(const SmConfig& config, WarpTable* warps, TbSlots* tbs);

  // Writes what comes out of the pipes in this cycle, which is that of the TB slots.
  void Tick() {
    wheel_.Take(tbs_->now(), [this](const Event& event) { Arrive(event); });
  }

  // A result of the instruction at `pc` leaves its pipe for the registers in `cycle`.
  void ResultAt(uint64_t cycle, uint32_t warp, uint32_t pc) {
    Add(cycle + stages_, ResultOf(warp, pc));
  }
  // From `cycle` on the warp can issue what follows a branch or a barrier.
  void ControlAt(uint64_t cycle, uint32_t warp) {
    Add(cycle, {0, static_cast<uint8_t>(warp), true});
  }

  void LoadDone(uint32_t warp, uint32_t pc, uint64_t cycle) override;
  void InstructionHere(uint32_t warp) override { warps_->Fetched(warp); }
  void StoreDone(uint32_t tb_slot, uint32_t sectors) override { tbs_->End(tb_slot, sectors); }

  bool empty() const { return wheel_.empty(); }
  // Of the next result; kNever if none is on its way.
  uint64_t NextCycle(uint64_t now) const { return wheel_.NextCycle(now); }
  void PreloadTick(uint64_t now) const { wheel_.PreloadTake(now); }
  void PreloadCommit() const { __builtin_prefetch(&wheel_); }

 private:
  struct Event {
    uint32_t pc = 0;
    uint8_t warp = 0;
    bool control = false;  // else a result is written
  };

  static Event ResultOf(uint32_t warp, uint32_t pc) {
    return {pc, static_cast<uint8_t>(warp), false};
  }
  void Add(uint64_t cycle, const Event& event) {
    tbs_->Begin((*warps_)[event.warp].tb_slot, 1);
    wheel_.Add(cycle, event);
  }
  void Arrive(const Event& event);
  void Write(uint32_t warp, uint32_t pc);

  const uint32_t stages_;         // that a result still passes; with none it is used a cycle later
  const uint32_t memory_stages_;  // of those, what a load has not passed on its way to its unit
  WarpTable* const warps_;
  TbSlots* const tbs_;
  WakeupWheel<Event> wheel_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_WRITEBACK_H_
