#include "gpu_model/blocks/tb_scheduler/descriptor.h"

#include <utility>

#include "base/error.h"
#include "gpu_model/blocks/tb_scheduler/fields.h"

namespace flagstone {

BlockDescriptor TbSchedulerBlock(std::string_view module, std::string_view summary,
                                 uint32_t coverage_id_bits, uint32_t large_stimuli,
                                 bool several_ports) {
  const bool wide = coverage_id_bits == 32;
  BlockDescriptor block = {
      .name = module,
      .summary = summary,
      .whole = true,
      .parameters = {{"NumSm", 15, 1, kMaxSms},
                     {"IdWidth", 16, 16, 32, {16, 32}},
                     {"IssuePorts", 1, 1, several_ports ? kMaxSms : 1}},
      .synth = {{{{"NumSm", 15}, {"IdWidth", 16}}}},
      .operation = "tb_valid_o & tb_ready_i",
      .coverage = wide ? "NumSm=3 IdWidth=32 IssuePorts=1" : "NumSm=3 IdWidth=16 IssuePorts=1",
      .mutation = {{.name = module,
                    .parameters = "NumSm=3 IdWidth=16 IssuePorts=1",
                    .seeds = 20,
                    .cycles = 4000,
                    .large = large_stimuli}},
      .netlist = "NumSm=3 IdWidth=16 IssuePorts=1"};
  if (several_ports) {
    block.synth[0].parameters.push_back({"IssuePorts", 1});
    block.coverage = wide ? "NumSm=4 IdWidth=32 IssuePorts=2" : "NumSm=4 IdWidth=16 IssuePorts=2";
    block.mutation[0].parameters = "NumSm=4 IdWidth=16 IssuePorts=2";
  }
  return block;
}

bool TbSchedulerDescriptor::SeveralPorts() const {
  return !has_queue && block.parameters.back().high > 1;
}

const TbSchedulerDescriptor* FindTbScheduler(std::string_view name) {
  for (const TbSchedulerDescriptor* scheduler : AllTbSchedulers()) {
    if (scheduler->name == name) return scheduler;
  }
  ThrowInternal("no TB scheduler {}", name);
}

BlockType<TbSchedulerIn, TbSchedulerOut> TbSchedulerType(const TbSchedulerDescriptor& scheduler,
                                                         TbSchedulerSize size) {
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
  if (scheduler.has_queue && size.descriptors < scheduler.block.parameters.back().low) {
    ThrowBadInput("{} with {} descriptors: expected {} to {}", scheduler.block.name,
                  size.descriptors, scheduler.block.parameters.back().low,
                  TbSchedulerSize::kMostDescriptors);
  }
  if (size.issue_ports == 0 || (size.issue_ports - 1) * size.PortSms() >= size.num_sms) {
    ThrowBadInput("{} issue ports for {} SMs: expected 1 to {}, each with an SM", size.issue_ports,
                  size.num_sms, size.num_sms);
  }
  if (!scheduler.SeveralPorts()) size.issue_ports = 1;
  const uint32_t id_bits = 8 * size.id_bytes;
  RtlParameters parameters = {{"NumSm", size.num_sms}, {"IdWidth", id_bits}};
  parameters.push_back(scheduler.has_queue ? RtlParameter{"Descriptors", size.descriptors}
                                           : RtlParameter{"IssuePorts", size.issue_ports});
  return {.name = std::string(scheduler.block.name),
          .parameters = std::move(parameters),
          .inputs = TbSchedulerInputs(scheduler, size.num_sms, id_bits),
          .outputs = TbSchedulerOutputs(scheduler, size.num_sms, id_bits),
          .events = kTbSchedulerEvents,
          .model = [&scheduler, size] { return scheduler.model(size); }};
}

}  // namespace flagstone
