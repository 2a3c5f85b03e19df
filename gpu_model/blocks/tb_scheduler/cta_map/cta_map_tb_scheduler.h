// Rows or columns of the grid for each SM: the model of rtl/dispatch/cta_map_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CTA_MAP_CTA_MAP_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CTA_MAP_CTA_MAP_TB_SCHEDULER_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/mapped_tb_scheduler.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"

namespace flagstone {

// Rows or columns of the grid to an SM, or round-robin (CtaMapSettings). The sizes of the SMs'
// parts take a division of the lines by the SMs, a product and another division, a bit a cycle
// each.
class CtaMapTbScheduler final : public MappedTbScheduler {
 public:
  explicit CtaMapTbScheduler(const TbSchedulerSize& size)
      : MappedTbScheduler(size),
        sizing_cycles_(2 * (size.id_bytes == 2 ? 17 : 32) +
                       std::max(1U, static_cast<uint32_t>(std::bit_width(size.num_sms - 1))) + 1) {}

 private:
  void Begin(const TbSchedulerIn& in) override;
  Offer Take(uint32_t sm) override { return {mapped_ ? TakeOf(sm) : next_id_++}; }
  uint32_t Room() const override { return mapped_ ? num_sms() : count_ - next_id_; }
  SmMask Eligible() const override {
    if (mapped_) return SmsWithTbs();
    return next_id_ != count_ ? all_sms() : SmMask{};
  }
  bool Walking() const override {
    return mapped_ && (sizing_ != 0 || MappedTbScheduler::Walking());
  }
  void Walk() override;

  const uint32_t sizing_cycles_;
  uint32_t sizing_ = 0;  // cycles until the sizes are known
  bool mapped_ = false;
  uint32_t next_id_ = 0;
  uint32_t count_ = 0;
};

const TbSchedulerDescriptor& CtaMapTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CTA_MAP_CTA_MAP_TB_SCHEDULER_H_
