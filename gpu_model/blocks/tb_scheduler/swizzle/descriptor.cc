#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include "gpu_model/blocks/tb_scheduler/swizzle/swizzle_tb_scheduler.h"

namespace flagstone {
namespace {

TbSettings RandomBands(const TbLaunchShape& shape, SplitMix64* random) {
  const uint32_t most = random->Below(4) == 0 ? 2 : shape.rows + 3;
  return SwizzleSettings(shape, 1 + static_cast<uint32_t>(random->Below(most)));
}

}  // namespace

const TbSchedulerDescriptor& SwizzleTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = {
      .name = "swizzle",
      .block = TbSchedulerBlock("swizzle_tb_scheduler", "the grid in bands of rows", 32, 8,
                                /*several_ports=*/false),
      .model = MakeTbSchedulerModel<SwizzleTbScheduler>,
      .settings = {{"row_tbs"}, {"band_rows"}},
      .random_settings = RandomBands,
      .without_queue = TbSequence::kGrid,
      .conservation = {15, 6, ".row_tbs_i(17'd3),.band_rows_i(17'd2),"},
  };
  return kDescriptor;
}

}  // namespace flagstone
