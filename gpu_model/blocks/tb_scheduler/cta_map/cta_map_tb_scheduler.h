// Rows or columns of the grid for each SM: the model of rtl/dispatch/cta_map_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CTA_MAP_CTA_MAP_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CTA_MAP_CTA_MAP_TB_SCHEDULER_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/mapped_tb_scheduler.h"

namespace flagstone {

// Rows or columns of the grid to an SM, or round-robin (CtaMapSettings).
class CtaMapTbScheduler final : public MappedTbScheduler {
 public:
  using MappedTbScheduler::MappedTbScheduler;

 private:
  void Begin(const TbSchedulerIn& in) override;
  Offer Take(uint32_t sm) override { return {mapped_ ? TakeOf(sm) : next_id_++}; }
  uint32_t Room() const override { return mapped_ ? num_sms() : count_ - next_id_; }
  SmMask Eligible() const override {
    if (mapped_) return SmsWithTbs();
    return next_id_ != count_ ? all_sms() : SmMask{};
  }
  bool Walking() const override { return mapped_ && MappedTbScheduler::Walking(); }

  bool mapped_ = false;
  uint32_t next_id_ = 0;
  uint32_t count_ = 0;
};

const TbSchedulerDescriptor& CtaMapTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CTA_MAP_CTA_MAP_TB_SCHEDULER_H_
