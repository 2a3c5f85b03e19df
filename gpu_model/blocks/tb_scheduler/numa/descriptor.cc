#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include "gpu_model/blocks/tb_scheduler/numa/numa_tb_scheduler.h"

namespace flagstone {
namespace {

// All TBs of a grid, as those of the only node are: by id in runs of any length, by whole columns,
// or, where it divides, in runs from the last to the first.
TbSettings RandomRuns(const TbLaunchShape& shape, SplitMix64* random) {
  const uint32_t tbs = shape.Tbs();
  const auto any_run = static_cast<uint32_t>(1 + random->Below(uint64_t{tbs} + 1));
  switch (random->Below(3)) {
    case 0:
      return {0, any_run, 1, 0, static_cast<uint32_t>(random->Next()), 1};
    case 1: {
      const auto columns = static_cast<uint32_t>(1 + random->Below(shape.columns));
      const uint32_t back = 1 - (shape.rows - 1) * shape.columns;
      return {0, columns * shape.rows, shape.columns, shape.rows, back, back};
    }
    default: {
      const uint32_t run = tbs % any_run == 0 ? any_run : 1;
      // Lines of one TB: each is a line's end.
      const bool lines = random->Below(2) == 0;
      return {tbs - run, run, 1, lines ? 1U : 0U, 1, 1 - 2 * run};
    }
  }
}

}  // namespace

const TbSchedulerDescriptor& NumaTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = {
      .name = "numa",
      .block = TbSchedulerBlock("numa_tb_scheduler", "runs of TBs, of a grid that nodes share", 32,
                                12, /*several_ports=*/false),
      .model = MakeTbSchedulerModel<NumaTbScheduler>,
      .settings = {{"first", TbSettingPort::kId},
                   {"run_tbs"},
                   {"step", TbSettingPort::kId},
                   {"line_tbs"},
                   {"line_jump", TbSettingPort::kId},
                   {"run_jump", TbSettingPort::kId}},
      .random_settings = RandomRuns,
      .without_queue = TbSequence::kGrid,
      .conservation = {16, 6,
                       ".first_i(16'd0),.run_tbs_i(17'd4),.step_i(16'd3),.line_tbs_i(17'd2),"
                       ".line_jump_i(16'hfffe),.run_jump_i(16'hfffe),"},
  };
  return kDescriptor;
}

}  // namespace flagstone
