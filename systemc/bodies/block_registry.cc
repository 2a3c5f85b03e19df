#include "systemc/bodies/block_registry.h"

#include <algorithm>
#include <charconv>

#include "gpu_model/blocks/common/common_parts.h"
#include "gpu_model/blocks/tb_scheduler/paver_parts.h"
#include "systemc/bodies/caps_factory.h"
#include "systemc/bodies/tb_scheduler_factory.h"

namespace flagstone {
namespace {

// A row for a block whose type is a function of its parameters.
template <class In, class Out>
BlockRow Row(std::string_view name, std::string_view summary,
             std::vector<BlockParameter> parameters,
             std::function<BlockType<In, Out>(const RtlParameters&)> type) {
  return {name, summary, std::move(parameters),
          [type = std::move(type)](const RtlParameters& values, Engine engine,
                                   const BodyOptions& options) -> std::unique_ptr<AnyBlock> {
            const BlockType<In, Out> made = type(values);
            return std::make_unique<TypedBlock<In, Out>>(made, MakeBody(made, engine, options));
          }};
}

BlockRow TbSchedulerRow(Dispatcher dispatcher, std::string_view name, std::string_view summary) {
  return Row<TbSchedulerIn, TbSchedulerOut>(
      name, summary, {{"NumSm", 15, 1, kMaxSms}, {"IdWidth", 16, 16, 32, {16, 32}}},
      [dispatcher](const RtlParameters& values) {
        return TbSchedulerType(dispatcher, ParameterValue(values, "NumSm"),
                               ParameterValue(values, "IdWidth") / 8);
      });
}

BlockRow CapsRow() {
  return Row<CapsIn, CapsOut>(
      "caps_prefetcher", "CAPS: prefetches for trailing warps, CTA by CTA",
      {{"CtaSlots", 8, 1, kMaxCtaSlots},
       {"NumWarps", 48, 2, 64},
       {"AddrWidth", 32, 16, 64},
       {"Threshold", 128, 0, 254},
       {"RefreshBase", 0, 0, 1},
       {"CaseAPaced", 0, 0, 1},
       {"Style", 0, 0, 2}},
      [](const RtlParameters& values) { return CapsPrefetcherType(CapsConfigOf(values)); });
}

BlockRow CapsWarpSchedulerRow() {
  return Row<WarpSchedulerIn, WarpSchedulerOut>(
      "caps_warp_scheduler", "CAPS: leading warps first, and warps whose data was prefetched",
      {{"NumWarps", 48, 2, kMaxWarps},
       {"Policy", 0, 0, 2},
       {"LeadingFirst", 1, 0, 1},
       {"ReadyWarps", 8, 2, 16}},
      [](const RtlParameters& values) {
        return CapsWarpSchedulerType(CapsWarpSchedulerConfigOf(values));
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
          .model = [=] { return std::make_unique<Model>(arguments...); },
          .settles = true};
}

const BlockParameter kNumSm = {"NumSm", 15, 1, kMaxSms};
const BlockParameter kIdBytes = {"IdBytes", 2, 2, 4, {2, 4}};
const BlockParameter kIdWidth = {"IdWidth", 16, 16, 32, {16, 32}};

std::vector<BlockRow> PaverParts() {
  return {
      Row<TbQueueIn, TbQueueOut>(
          "paver_tb_queue", "PAVER: one SM's next, tail and nextTB", {kIdWidth},
          [](const RtlParameters& values) {
            const uint32_t id_bytes = values[0].value / 8;
            return PartType<TbQueueBlock>("paver_tb_queue", values, TbQueueInputs(id_bytes),
                                          TbQueueOutputs(id_bytes), id_bytes);
          }),
      Row<TaskStealerIn, TaskStealerOut>(
          "paver_task_stealer", "PAVER: Algorithm 2 as a sequential scan", {kNumSm, kIdBytes},
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
          "paver_group_dispatcher", "PAVER: walks the global queue and hands groups out", {kNumSm},
          [](const RtlParameters& values) {
            const uint32_t sms = values[0].value;
            return PartType<GroupDispatcherBlock>("paver_group_dispatcher", values,
                                                  GroupDispatcherInputs(sms),
                                                  GroupDispatcherOutputs(sms), sms);
          }),
      Row<FetchPortIn, FetchPortOut>(
          "paver_fetch_port", "PAVER: the memory port that queues and dispatcher share",
          {kNumSm, kIdBytes},
          [](const RtlParameters& values) {
            const uint32_t sms = values[0].value;
            return PartType<FetchPortBlock>("paver_fetch_port", values, FetchPortInputs(sms),
                                            FetchPortOutputs(sms), sms, values[1].value);
          }),
  };
}

std::vector<BlockRow> CommonParts() {
  return {
      Row<OutstandingIn, OutstandingOut>("outstanding_tbs", "counts the TBs that run", {kNumSm},
                                         [](const RtlParameters& values) {
                                           return PartType<OutstandingTbs>(
                                               "outstanding_tbs", values,
                                               OutstandingInputs(values[0].value),
                                               OutstandingOutputs(values[0].value));
                                         }),
      Row<RoundRobinIn, RoundRobinOut>(
          "round_robin_pick", "round-robin arbiter", {{"Count", 15, 1, kMaxSms}},
          [](const RtlParameters& values) {
            const uint32_t count = values[0].value;
            return PartType<RoundRobinPick>("round_robin_pick", values, RoundRobinInputs(count),
                                            RoundRobinOutputs(count), count);
          }),
      Row<FifoIn, FifoOut>("fifo", "first-in first-out queue in registers",
                           {{"Width", 8, 1, 64}, {"Depth", 4, 1, 256}},
                           [](const RtlParameters& values) {
                             return PartType<Fifo>("fifo", values, FifoInputs(values[0].value),
                                                   FifoOutputs(values[0].value));
                           }),
  };
}

std::vector<BlockRow> MakeRows() {
  std::vector<BlockRow> rows = {
      TbSchedulerRow(Dispatcher::kPaver, "paver_tb_scheduler",
                     "PAVER: TB groups from global memory, a queue per SM, task stealing"),
      TbSchedulerRow(Dispatcher::kLrr, "lrr_tb_scheduler",
                     "loose round-robin: sequential TB ids, SM after SM"),
      TbSchedulerRow(Dispatcher::kBcs, "bcs_tb_scheduler",
                     "block CTA scheduling: pairs of consecutive TBs"),
      TbSchedulerRow(Dispatcher::kCacheFit, "cache_fit_tb_scheduler",
                     "loose round-robin under a limit of TBs per SM"),
      TbSchedulerRow(Dispatcher::kSwizzle, "swizzle_tb_scheduler", "the grid in bands of rows"),
      TbSchedulerRow(Dispatcher::kChunk, "chunk_tb_scheduler",
                     "a contiguous part of the grid for each SM"),
      TbSchedulerRow(Dispatcher::kCtaMap, "cta_map_tb_scheduler",
                     "rows or columns of the grid for each SM, or round-robin"),
      CapsRow(),
      CapsWarpSchedulerRow(),
  };
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
      ThrowBadInput("--param '{}': {} has no such parameter, expected one of {}, as N=V", text,
                    row.name, known);
    }
    const char* end = text.data() + text.size();
    const char* begin = std::min(text.data() + equals + 1, end);
    const auto [stop, error] = std::from_chars(begin, end, position->value);
    if (error != std::errc() || stop != end) {
      ThrowBadInput("--param '{}': expected {}=NUMBER", text, position->name);
    }
    CheckValue(row, row.parameters[static_cast<size_t>(position - values.begin())],
               position->value);
  }
  return values;
}

}  // namespace flagstone
