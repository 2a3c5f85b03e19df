// Loose round-robin TB scheduler, the baseline: the model of rtl/dispatch/lrr_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LRR_LRR_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LRR_LRR_TB_SCHEDULER_H_

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/offering_tb_scheduler.h"

namespace flagstone {

// TB ids 0 to queue_count - 1 in order.
class LrrTbScheduler final : public OfferingTbScheduler {
 public:
  using OfferingTbScheduler::OfferingTbScheduler;

 private:
  void Begin(const TbSchedulerIn& in) override {
    next_id_ = 0;
    count_ = in.queue_count;
  }
  Offer Take(uint32_t /*sm*/) override { return {next_id_++}; }
  uint32_t Room() const override { return count_ - next_id_; }
  SmMask Eligible() const override { return next_id_ != count_ ? all_sms() : SmMask{}; }

  uint32_t next_id_ = 0;
  uint32_t count_ = 0;
};

const TbSchedulerDescriptor& LrrTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_LRR_LRR_TB_SCHEDULER_H_
