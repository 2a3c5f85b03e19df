#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include <utility>

#include "gpu_model/blocks/tb_scheduler/paver_wide/paver_wide_tb_scheduler.h"

namespace flagstone {

const TbSchedulerDescriptor& PaverWideTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = [] {
    TbSchedulerDescriptor wide = {
        .name = "paver_wide",
        .block = TbSchedulerBlock(
            "paver_wide_tb_scheduler",
            "PAVER's queues with ids by the sector and a descriptor for each SM that waits", 32, 2),
        .model = [](const TbSchedulerSize& size) -> std::unique_ptr<TbScheduler> {
          return std::make_unique<PaverWideTbScheduler>(size);
        },
        .has_queue = true,
        .by_sector = true,
    };
    wide.block.parameters.back() = {"Descriptors", TbSchedulerSize::kDescriptors,
                                    WideGroupDispatcher::kLate + 1,
                                    TbSchedulerSize::kMostDescriptors};
    wide.block.synth = {{{{"NumSm", 15}, {"IdWidth", 16}, {"Descriptors", 4}}, 700}};
    wide.block.coverage = "NumSm=5 IdWidth=32 Descriptors=4";
    wide.block.netlist = "NumSm=3 IdWidth=16 Descriptors=4";
    // Only the cells of these files: the parts that paver has as well have rows of their own.
    wide.block.mutation.clear();
    for (const auto& [name, within] :
         {std::pair{"paver_wide_queue_bank", "paver_wide_queue_bank.sv"},
          std::pair{"paver_wide_tb_queue", "paver_wide_tb_queue.sv"},
          std::pair{"paver_wide_sector_bank", "paver_wide_sector_bank.sv"},
          std::pair{"paver_wide_group_dispatcher", "paver_wide_group_dispatcher.sv"},
          std::pair{"paver_steal_rule", "paver_steal_rule.sv"},
          std::pair{"paver_wide_tb_scheduler", "paver_wide_tb_scheduler.sv"}}) {
      wide.block.mutation.push_back({.name = name,
                                     .within = within,
                                     .parameters = "NumSm=5 IdWidth=16 Descriptors=4",
                                     .seeds = 40,
                                     .cycles = 5000,
                                     .large = 2});
    }
    return wide;
  }();
  return kDescriptor;
}

}  // namespace flagstone
