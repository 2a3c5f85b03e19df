#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include "gpu_model/blocks/tb_scheduler/chunk/chunk_tb_scheduler.h"

namespace flagstone {

const TbSchedulerDescriptor& ChunkTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = {
      .name = "chunk",
      .block = TbSchedulerBlock("chunk_tb_scheduler", "a contiguous part of the grid for each SM",
                                32, 8),
      .model = MakeTbSchedulerModel<ChunkTbScheduler>,
      .takes_tb_count = false,
      .settings = {{"share_tbs"}, {"extra_sms", 8}},
      .random_settings = [](const TbLaunchShape& shape,
                            SplitMix64* /*random*/) { return ChunkSettings(shape); },
      .without_queue = TbSequence::kParts,
      .conservation = {16, 5, ".share_tbs_i(17'd2),.extra_sms_i(8'd1),"},
  };
  return kDescriptor;
}

}  // namespace flagstone
