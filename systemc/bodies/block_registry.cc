#include "systemc/bodies/block_registry.h"

#include <algorithm>
#include <charconv>

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

std::vector<BlockRow> MakeRows() {
  return {
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
  };
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
