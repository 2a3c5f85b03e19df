// Block CTA scheduling: the model of rtl/dispatch/bcs_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_BCS_BCS_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_BCS_BCS_TB_SCHEDULER_H_

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/limited_tb_scheduler.h"

namespace flagstone {

// Two consecutive TBs to the same SM, when it has room for both (PAVER, section 6.2).
class BcsTbScheduler final : public LimitedTbScheduler {
 public:
  using LimitedTbScheduler::LimitedTbScheduler;

 private:
  // The last of an odd count goes alone, and so do all where a pair never fits.
  uint32_t Together() const { return left() == 1 || limit() < 2 ? 1 : 2; }
  Offer Take(uint32_t /*sm*/) override {
    const uint32_t tbs = Together();
    return {TakeIds(tbs), tbs == 2};
  }
  uint32_t Room() const override { return RoomFor(Together()); }
  SmMask Eligible() const override { return left() != 0 ? SmsWithRoomFor(Together()) : SmMask{}; }
};

const TbSchedulerDescriptor& BcsTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_BCS_BCS_TB_SCHEDULER_H_
