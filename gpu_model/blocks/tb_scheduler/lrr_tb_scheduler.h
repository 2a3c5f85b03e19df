// Loose round-robin TB scheduler, the baseline: the model of rtl/dispatch/lrr_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LRR_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LRR_TB_SCHEDULER_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/sm_mask.h"

namespace flagstone {

// TB ids 0 to queue_count - 1 in order, one a cycle, SM after SM. An SM without a free context, or
// with an offer that it has not taken, is passed over.
class LrrTbScheduler final : public TbScheduler {
 public:
  // `num_sms`: 1 to kMaxSms; `id_bytes`: 2 or 4.
  LrrTbScheduler(uint32_t num_sms, uint32_t id_bytes)
      : num_sms_(num_sms), id_mask_(id_bytes == 2 ? 0xffff : 0xffffffff) {}

  void Reset() override;
  const TbSchedulerOut& Outputs() const override { return out_; }
  void Tick(const TbSchedulerIn& in) override;
  bool Idle(const TbSchedulerIn& in) const override {
    return out_.quiescent && !HasEvent(out_, in);
  }

 private:
  bool Finished() const;

  const uint32_t num_sms_;
  const uint32_t id_mask_;
  uint32_t next_id_ = 0;
  uint32_t count_ = 0;
  uint32_t first_sm_ = 0;  // where round-robin goes on
  uint16_t running_ = 0;   // TBs issued and not completed
  TbSchedulerOut out_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LRR_TB_SCHEDULER_H_
