#include "systemc/cosim/block_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gpu_model/blocks/all/all_blocks.h"
#include "gpu_model/blocks/common/common_parts.h"
#include "gpu_model/blocks/dispatch_top/gpu_dispatch_top.h"
#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"
#include "gpu_model/blocks/prefetcher/descriptor.h"
#include "gpu_model/blocks/tb_root/numa_tb_root.h"
#include "gpu_model/blocks/tb_scheduler/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/paver/paver_parts.h"
#include "gpu_model/blocks/warp_scheduler/descriptor.h"

namespace flagstone {
namespace {

// A row for a block whose type is a function of its parameters.
template <class In, class Out>
BlockRow Row(const BlockDescriptor& block,
             std::function<BlockType<In, Out>(const RtlParameters&)> type) {
  return {block.name, block.summary, block.parameters,
          [type = std::move(type)](const RtlParameters& values, Engine engine,
                                   const BodyOptions& options) -> std::unique_ptr<AnyBlock> {
            const BlockType<In, Out> made = type(values);
            return std::make_unique<TypedBlock<In, Out>>(made, MakeBody(made, engine, options));
          }};
}

BlockRow TbSchedulerRow(const TbSchedulerDescriptor& scheduler) {
  return Row<TbSchedulerIn, TbSchedulerOut>(scheduler.block, [&scheduler](
                                                                 const RtlParameters& values) {
    TbSchedulerSize size = {ParameterValue(values, "NumSm"), ParameterValue(values, "IdWidth") / 8};
    (scheduler.has_queue ? size.descriptors : size.issue_ports) =
        ParameterValue(values, scheduler.has_queue ? "Descriptors" : "IssuePorts");
    return TbSchedulerType(scheduler, size);
  });
}

// A part of a block: `value`, by which its ports' widths and its model are made, is NumSm, IdBytes
// or the like.
template <class Model, class In, class Out, class... Arguments>
BlockType<In, Out> PartType(std::string_view name, const RtlParameters& values,
                            FieldTable<In> inputs, FieldTable<Out> outputs,
                            Arguments... arguments) {
  return {.name = std::string(name),
          .parameters = values,
          .inputs = std::move(inputs),
          .outputs = std::move(outputs),
          .events = EveryTickCounts<In, Out>(),
          .model = [=] { return std::make_unique<Model>(arguments...); },
          .settles = true};
}

std::vector<BlockRow> PaverParts() {
  return {
      Row<TbQueueIn, TbQueueOut>(DescriptorOf("paver_tb_queue"),
                                 [](const RtlParameters& values) {
                                   const uint32_t id_bytes = values[0].value / 8;
                                   return PartType<TbQueueBlock>(
                                       "paver_tb_queue", values, TbQueueInputs(id_bytes),
                                       TbQueueOutputs(id_bytes), id_bytes);
                                 }),
      Row<TaskStealerIn, TaskStealerOut>(
          DescriptorOf("paver_task_stealer"),
          [](const RtlParameters& values) {
            const uint32_t sms = values[0].value;
            RtlParameters rtl = values;
            // As in paver_tb_scheduler: wide ids may lie in memory more than once.
            const uint32_t sum_bits = TaskStealer::SumBits(sms, values[1].value);
            rtl.push_back({"SumWidth", sum_bits});
            return PartType<TaskStealerBlock>("paver_task_stealer", rtl, TaskStealerInputs(sms),
                                              TaskStealerOutputs(sms), sms, values[1].value);
          }),
      Row<GroupDispatcherIn, GroupDispatcherOut>(
          DescriptorOf("paver_group_dispatcher"),
          [](const RtlParameters& values) {
            const uint32_t sms = values[0].value;
            return PartType<GroupDispatcherBlock>(
                "paver_group_dispatcher", values, GroupDispatcherInputs(sms),
                GroupDispatcherOutputs(sms), sms, values[1].value);
          }),
      Row<FetchPortIn, FetchPortOut>(DescriptorOf("paver_fetch_port"),
                                     [](const RtlParameters& values) {
                                       const uint32_t sms = values[0].value;
                                       return PartType<FetchPortBlock>(
                                           "paver_fetch_port", values, FetchPortInputs(sms),
                                           FetchPortOutputs(sms), sms, values[1].value,
                                           values[2].value);
                                     }),
  };
}

std::vector<BlockRow> CommonParts() {
  return {
      Row<OutstandingIn, OutstandingOut>(DescriptorOf("outstanding_tbs"),
                                         [](const RtlParameters& values) {
                                           return PartType<OutstandingTbs>(
                                               "outstanding_tbs", values,
                                               OutstandingInputs(values[0].value),
                                               OutstandingOutputs(values[0].value));
                                         }),
      Row<RoundRobinIn, RoundRobinOut>(DescriptorOf("round_robin_pick"),
                                       [](const RtlParameters& values) {
                                         const uint32_t count = values[0].value;
                                         return PartType<RoundRobinPick>(
                                             "round_robin_pick", values, RoundRobinInputs(count),
                                             RoundRobinOutputs(count), count);
                                       }),
      Row<FifoIn, FifoOut>(DescriptorOf("fifo"),
                           [](const RtlParameters& values) {
                             return PartType<Fifo>("fifo", values, FifoInputs(values[0].value),
                                                   FifoOutputs(values[0].value));
                           }),
  };
}

std::vector<BlockRow> MakeRows() {
  std::vector<BlockRow> rows;
  for (const TbSchedulerDescriptor* scheduler : AllTbSchedulers()) {
    rows.push_back(TbSchedulerRow(*scheduler));
  }
  using RtlValues = const RtlParameters&;
  rows.push_back(Row<TbRootIn, TbRootOut>(TbRootDescriptor(),
                                          [](RtlValues values) { return TbRootType(values); }));
  rows.push_back(Row<DispatchTopIn, DispatchTopOut>(
      DispatchTopDescriptor(), [](RtlValues values) { return DispatchTopType(values); }));
  for (const PrefetcherDescriptor* prefetcher : AllPrefetchers()) {
    const bool seen = rows.back().name == prefetcher->block.name;
    if (!prefetcher->HasRtl() || seen) continue;  // one block may stand under several names
    rows.push_back(Row<PrefetcherIn, PrefetcherOut>(prefetcher->block, prefetcher->type));
  }
  for (const WarpSchedulerDescriptor* scheduler : AllWarpSchedulers()) {
    // One block may stand under several names.
    const bool seen = !rows.empty() && rows.back().name == scheduler->block.name;
    if (!scheduler->HasRtl() || seen) continue;
    rows.push_back(Row<WarpSchedulerIn, WarpSchedulerOut>(scheduler->block, scheduler->type));
  }
  rows.push_back(Row<L2PolicyIn, L2PolicyOut>(
      L2PolicyDescriptor(), [](RtlValues values) { return L2PolicyType(values); }));
  for (auto* parts : {PaverParts, CommonParts}) {
    for (BlockRow& row : parts()) rows.push_back(std::move(row));
  }
  return rows;
}

void CheckValue(const BlockRow& row, const BlockParameter& parameter, uint32_t value) {
  const bool listed =
      std::find(parameter.only.begin(), parameter.only.end(), value) != parameter.only.end();
  if (value >= parameter.low && value <= parameter.high && (parameter.only.empty() || listed)) {
    return;
  }
  ThrowBadInput("{} with {}={}: expected {}", row.name, parameter.name, value,
                parameter.only.empty() ? fmt::format("{} to {}", parameter.low, parameter.high)
                                       : fmt::format("{}", fmt::join(parameter.only, " or ")));
}

}  // namespace

std::span<const BlockRow> BlockRows() {
  static const std::vector<BlockRow> kRows = MakeRows();
  return kRows;
}

const BlockRow& FindBlock(std::string_view name) {
  std::string known;
  for (const BlockRow& row : BlockRows()) {
    if (row.name == name) return row;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  }
  ThrowBadInput("unknown block '{}': expected one of {}", name, known);
}

RtlParameters ChooseParameters(const BlockRow& row, const std::vector<std::string>& wanted) {
  RtlParameters values;
  for (const BlockParameter& parameter : row.parameters) {
    values.push_back({std::string(parameter.name), parameter.standard});
  }
  for (const std::string& text : wanted) {
    const size_t equals = std::min(text.find('='), text.size());
    const auto position = std::find_if(values.begin(), values.end(), [&](const RtlParameter& p) {
      return p.name == text.substr(0, equals);
    });
    if (position == values.end()) {
      std::string known;
      for (const RtlParameter& p : values) known += (known.empty() ? "" : ", ") + p.name;
      ThrowBadInput("parameter '{}': {} has no such parameter, expected one of {}, as N=V", text,
                    row.name, known);
    }
    const char* end = text.data() + text.size();
    const char* begin = std::min(text.data() + equals + 1, end);
    const auto [stop, error] = std::from_chars(begin, end, position->value);
    if (error != std::errc() || stop != end) {
      ThrowBadInput("parameter '{}': expected {}=NUMBER", text, position->name);
    }
    CheckValue(row, row.parameters[static_cast<size_t>(position - values.begin())],
               position->value);
  }
  return values;
}

}  // namespace flagstone
