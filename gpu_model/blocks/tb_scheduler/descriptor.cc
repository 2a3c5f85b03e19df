#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include <utility>

#include "base/error.h"
#include "gpu_model/blocks/tb_scheduler/fields.h"

namespace flagstone {

BlockDescriptor TbSchedulerBlock(std::string_view module, std::string_view summary,
                                 uint32_t coverage_id_bits, uint32_t large_stimuli) {
  return {.name = module,
          .summary = summary,
          .whole = true,
          .parameters = {{"NumSm", 15, 1, kMaxRtlSms}, {"IdWidth", 16, 16, 32, {16, 32}}},
          .synth = {{{{"NumSm", 15}, {"IdWidth", 16}}}},
          .operation = "tb_valid_o & tb_ready_i",
          .coverage = coverage_id_bits == 32 ? "NumSm=3 IdWidth=32" : "NumSm=3 IdWidth=16",
          .mutation = {{.name = module,
                        .parameters = "NumSm=3 IdWidth=16",
                        .seeds = 20,
                        .cycles = 4000,
                        .large = large_stimuli}},
          .netlist = "NumSm=3 IdWidth=16"};
}

const TbSchedulerDescriptor* FindTbScheduler(std::string_view name) {
  for (const TbSchedulerDescriptor* scheduler : AllTbSchedulers()) {
    if (scheduler->name == name) return scheduler;
  }
  ThrowInternal("no TB scheduler {}", name);
}

BlockType<TbSchedulerIn, TbSchedulerOut> TbSchedulerType(const TbSchedulerDescriptor& scheduler,
                                                         const TbSchedulerSize& size) {
  if (size.num_sms == 0 || size.num_sms > kMaxSms) {
    ThrowBadInput("a TB scheduler for {} SMs: expected 1 to {}", size.num_sms, kMaxSms);
  }
  if (size.id_bytes != 2 && size.id_bytes != 4) {
    ThrowBadInput("TB ids of {} bytes: expected 2 or 4", size.id_bytes);
  }
  if (size.descriptors == 0 || size.descriptors > TbSchedulerSize::kMostDescriptors) {
    ThrowBadInput("a TB scheduler with {} descriptors: expected 1 to {}", size.descriptors,
                  TbSchedulerSize::kMostDescriptors);
  }
  const uint32_t id_bits = 8 * size.id_bytes;
  RtlParameters parameters = {{"NumSm", size.num_sms}, {"IdWidth", id_bits}};
  if (scheduler.has_queue) parameters.push_back({"Descriptors", size.descriptors});
  return {.name = std::string(scheduler.block.name),
          .parameters = std::move(parameters),
          .inputs = TbSchedulerInputs(scheduler, size.num_sms, id_bits),
          .outputs = TbSchedulerOutputs(scheduler, size.num_sms, id_bits),
          .events = kTbSchedulerEvents,
          .model = [&scheduler, size] { return scheduler.model(size); }};
}

}  // namespace flagstone
