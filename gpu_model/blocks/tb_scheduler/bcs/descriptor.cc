#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include "gpu_model/blocks/tb_scheduler/bcs/bcs_tb_scheduler.h"

namespace flagstone {

const TbSchedulerDescriptor& BcsTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = {
      .name = "bcs",
      .block = TbSchedulerBlock("bcs_tb_scheduler",
                                "block CTA scheduling: pairs of consecutive TBs", 16, 8),
      .model = MakeTbSchedulerModel<BcsTbScheduler>,
      .settings = {{"max_tbs", 8}},
      .random_settings = RandomLimit,
      .conservation = {15, 0, ".max_tbs_i(8'd2),"},
  };
  return kDescriptor;
}

}  // namespace flagstone
