// The TB slots of an SM: which are free, what the TBs in the others still have under way, and the
// SM's side of the wires to the TB scheduler.
#ifndef FLAGSTONE_GPU_MODEL_SM_TB_SLOTS_H_
#define FLAGSTONE_GPU_MODEL_SM_TB_SLOTS_H_

#include <cstdint>
#include <vector>

#include "gpu_model/simt/executor.h"
#include "gpu_model/sm/tb_link.h"
#include "gpu_model/sm/tb_log.h"

namespace flagstone {

// Told when the TB in a slot has ended.
class TbEndSink {
 public:
  virtual ~TbEndSink() = default;
  virtual void EndTb(uint32_t tb_slot) = 0;
};

// A TB has ended when all its warps have exited and nothing of it is under way any more: results,
// loads, sectors of stores.
class TbSlots {
 public:
  // `sm`: the SM's place at the link.
  TbSlots(const Program& program, uint32_t slots, uint32_t sm, TbLink* link);

  void Connect(TbEndSink* ends) { ends_ = ends; }
  // Writes down when each TB begins and ends; the log has a slot per TB slot.
  void KeepLog(TbLog* log) { log_ = log; }
  // First in a cycle.
  void SetCycle(uint64_t now) { now_ = now; }
  uint64_t now() const { return now_; }

  // A TB goes over in this cycle: `OfferedTb()`, into the slot that Start() gives.
  bool Offered() const { return TestBit(link_->valid, sm_) && TestBit(link_->ready, sm_); }
  uint32_t OfferedTb() const { return link_->id[sm_]; }
  uint32_t Start(uint32_t tb);

  void Begin(uint32_t slot, uint32_t count) { slots_[slot].in_flight += count; }
  void End(uint32_t slot, uint32_t count) {
    slots_[slot].in_flight -= count;
    FinishIfDone(slot);
  }
  void WarpExited(uint32_t slot) {
    --slots_[slot].live_warps;
    FinishIfDone(slot);
  }

  // In Commit: shows the TB scheduler whether a slot is free, and one ended TB.
  void Show();
  bool NothingToShow() const { return untold_ == 0 && (free_ > 0) == TestBit(link_->ready, sm_); }
  bool HasUntold() const { return untold_ > 0; }
  bool Drained() const { return untold_ == 0 && free_ == slots_.size(); }

  ThreadBlock& block(uint32_t slot) { return blocks_[slot]; }
  const ThreadBlock& block(uint32_t slot) const { return blocks_[slot]; }
  uint32_t used() const { return static_cast<uint32_t>(slots_.size()) - free_; }
  uint64_t completed() const { return completed_; }
  void PreloadCommit() const { __builtin_prefetch(&free_, 1); }

 private:
  struct Slot {
    bool busy = false;
    uint32_t live_warps = 0;
    uint32_t in_flight = 0;
  };

  void FinishIfDone(uint32_t slot);

  uint64_t now_ = 0;
  TbLink* const link_;
  const uint32_t sm_;
  uint32_t free_;
  uint32_t untold_ = 0;  // ended TBs of which the TB scheduler does not know yet
  const uint32_t warps_per_tb_;
  std::vector<Slot> slots_;
  std::vector<ThreadBlock> blocks_;  // per slot
  TbEndSink* ends_ = nullptr;
  TbLog* log_ = nullptr;
  uint64_t completed_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_SM_TB_SLOTS_H_
