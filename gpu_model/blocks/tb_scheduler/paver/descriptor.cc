#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include <utility>

#include "gpu_model/blocks/tb_scheduler/paver/paver_tb_scheduler.h"

namespace flagstone {

const TbSchedulerDescriptor& PaverTbSchedulerDescriptor() {
  static const TbSchedulerDescriptor kDescriptor = [] {
    TbSchedulerDescriptor paver = {
        .name = "paver",
        .block = TbSchedulerBlock(
            "paver_tb_scheduler",
            "PAVER: TB groups from global memory, a queue per SM, task stealing", 32, 2),
        .model = [](const TbSchedulerSize& size) -> std::unique_ptr<TbScheduler> {
          return std::make_unique<PaverTbScheduler>(size);
        },
        .has_queue = true,
    };
    paver.block.parameters.back() = {"Descriptors", TbSchedulerSize::kDescriptors, 1,
                                     TbSchedulerSize::kMostDescriptors};
    // The PAVER paper's machines.
    paver.block.synth = {{{{"NumSm", 15}, {"IdWidth", 16}, {"Descriptors", 4}}, 700},
                         {{{"NumSm", 28}, {"IdWidth", 16}, {"Descriptors", 16}}, 1000},
                         {{{"NumSm", 80}, {"IdWidth", 16}, {"Descriptors", 32}}, 1200}};
    paver.block.coverage = "NumSm=3 IdWidth=32 Descriptors=4";
    paver.block.netlist = "NumSm=3 IdWidth=16 Descriptors=4";
    // Only the cells of these files: the parts have rows of their own.
    paver.block.mutation.clear();
    for (const auto& [name, within] : {std::pair{"paver_queue_bank", "paver_queue_bank.sv"},
                                       std::pair{"paver_tb_scheduler", "paver_tb_scheduler.sv"}}) {
      paver.block.mutation.push_back({.name = name,
                                      .within = within,
                                      .parameters = "NumSm=3 IdWidth=16 Descriptors=4",
                                      .seeds = 40,
                                      .cycles = 5000,
                                      .large = 2});
    }
    return paver;
  }();
  return kDescriptor;
}

}  // namespace flagstone
