// One TB after the other from a scheduler's offers: the model of rtl/dispatch_top/tb_hand_over.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_TB_HAND_OVER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_TB_HAND_OVER_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

class TbHandOver {
 public:
  explicit TbHandOver(uint32_t num_sms) : num_sms_(num_sms) {}

  void Reset() { *this = TbHandOver(num_sms_); }
  uint32_t sm() const { return sm_; }  // whose TB is about to be taken, or kNoSm
  uint32_t id() const { return id_; }
  bool Beyond() const { return sm_ != kNoSm && beyond_; }
  bool Takes(bool stop, bool ready) const { return sm_ != kNoSm && ready && !beyond_ && !stop; }

  // What the scheduler is told of room: of the SMs that are offered a TB, only the one whose TB is
  // taken is ready.
  SmMask Ready(bool stop, bool takes, const SmMask& room, const TbSchedulerOut& scheduler) const {
    if (stop) return {};
    SmMask ready = AndNot(room, scheduler.tb_valid);
    if (takes) SetBit(&ready, sm_);
    return ready;
  }

  void Tick(bool stop, bool takes, const SmMask& room, uint64_t tbs,
            const TbSchedulerOut& scheduler) {
    SmMask request = And(scheduler.tb_valid, room);
    if (pick_ != kNoSm) ClearBit(&request, pick_);
    if (sm_ != kNoSm) ClearBit(&request, sm_);
    const bool moves = takes || sm_ == kNoSm;
    const bool picks = moves || pick_ == kNoSm;
    const uint32_t pick = PickSm(request, first_);
    if (moves) {
      id_ = pick_ != kNoSm ? scheduler.tb_id[pick_] : 0;
      beyond_ = id_ >= tbs;
      sm_ = pick_;
    }
    if (picks) {
      pick_ = pick;
      if (pick != kNoSm) first_ = (pick + 1) % num_sms_;
    }
    if (stop) sm_ = pick_ = kNoSm;
  }

 private:
  uint32_t num_sms_;
  uint32_t first_ = 0;  // whose turn it is
  uint32_t pick_ = kNoSm;
  uint32_t sm_ = kNoSm;
  uint32_t id_ = 0;
  bool beyond_ = false;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_TB_HAND_OVER_H_
