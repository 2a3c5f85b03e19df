// Loose round-robin under a limit of TBs per SM: the model of
// rtl/dispatch/cache_fit_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CACHE_FIT_CACHE_FIT_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CACHE_FIT_CACHE_FIT_TB_SCHEDULER_H_

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/limited_tb_scheduler.h"

namespace flagstone {

// No SM holds more than the limit, even with a context free (PAVER, section 6.1).
class CacheFitTbScheduler final : public LimitedTbScheduler {
 public:
  using LimitedTbScheduler::LimitedTbScheduler;

 private:
  Offer Take(uint32_t /*sm*/) override { return {TakeIds(1)}; }
  uint32_t Room() const override { return RoomFor(1); }
  SmMask Eligible() const override { return left() != 0 ? SmsWithRoomFor(1) : SmMask{}; }
};

const TbSchedulerDescriptor& CacheFitTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CACHE_FIT_CACHE_FIT_TB_SCHEDULER_H_
