#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include "gpu_model/blocks/tb_scheduler/cache_fit/cache_fit_tb_scheduler.h"

namespace flagstone {

const TbSchedulerDescriptor& CacheFitTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = {
      .name = "cache_fit",
      .block = TbSchedulerBlock("cache_fit_tb_scheduler",
                                "loose round-robin under a limit of TBs per SM", 16, 8),
      .model = MakeTbSchedulerModel<CacheFitTbScheduler>,
      .settings = {{"max_tbs", 8}},
      .random_settings = RandomLimit,
      .conservation = {15, 0, ".max_tbs_i(8'd1),"},
  };
  return kDescriptor;
}

}  // namespace flagstone
