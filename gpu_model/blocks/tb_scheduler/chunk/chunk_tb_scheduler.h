// A contiguous part of the grid for each SM: the model of rtl/dispatch/chunk_tb_scheduler.sv.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CHUNK_CHUNK_TB_SCHEDULER_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CHUNK_CHUNK_TB_SCHEDULER_H_

#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/mapped_tb_scheduler.h"

namespace flagstone {

// TBs in id order, a contiguous part for each SM (ChunkSettings).
class ChunkTbScheduler final : public MappedTbScheduler {
 public:
  using MappedTbScheduler::MappedTbScheduler;

 private:
  void Begin(const TbSchedulerIn& in) override {
    BeginWalk({.rest = in.settings[0], .extra = in.settings[1] & 0xff});
  }
  Offer Take(uint32_t sm) override { return {TakeOf(sm)}; }
  uint32_t Room() const override { return num_sms(); }
  SmMask Eligible() const override { return SmsWithTbs(); }
};

const TbSchedulerDescriptor& ChunkTbSchedulerDescriptor();

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_CHUNK_CHUNK_TB_SCHEDULER_H_
