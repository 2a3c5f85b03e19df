#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include "gpu_model/blocks/tb_scheduler/lrr/lrr_tb_scheduler.h"

namespace flagstone {

const TbSchedulerDescriptor& LrrTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = [] {
    TbSchedulerDescriptor lrr = {
        .name = "lrr",
        .block = TbSchedulerBlock("lrr_tb_scheduler",
                                  "loose round-robin: sequential TB ids, SM after SM", 16, 8),
        .model = MakeTbSchedulerModel<LrrTbScheduler>,
        .conservation = {15, 0},
    };
    // What issue ports cost: of the family, this one shows it best.
    lrr.block.synth.push_back({{{"NumSm", 15}, {"IdWidth", 16}, {"IssuePorts", 15}}});
    return lrr;
  }();
  return kDescriptor;
}

}  // namespace flagstone
