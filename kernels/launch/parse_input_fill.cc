// The fills that take an input: their element count, and whether their type holds the elements.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "kernels/launch/fail_at.h"
#include "kernels/launch/launch_check.h"
#include "kernels/launch/parse.h"

namespace flagstone {
namespace {

const std::shared_ptr<const Input>& ParseInputName(const TomlReader& table, const Inputs& inputs) {
  const std::string name = table.String("input");
  const std::shared_ptr<const Input>* input = FindInput(inputs, name);
  if (input != nullptr) return *input;
  std::vector<std::string_view> names;
  for (const auto& known : inputs) names.push_back(known->name());
  table.Fail(
      table.Require("input").source().begin, "unknown input {}: {}", Quoted(name),
      names.empty() ? "no [input.NAME] is defined" : "expected one of " + CommaSeparated(names));
}

bool IsJagged(Fill::Kind kind) {
  return kind == Fill::Kind::kJdsPermutation || kind == Fill::Kind::kJdsStarts ||
         kind == Fill::Kind::kJdsLengths || kind == Fill::Kind::kJdsColumns ||
         kind == Fill::Kind::kJdsValues;
}

bool IsValues(Fill::Kind kind) {
  return kind == Fill::Kind::kCsrValues || kind == Fill::Kind::kJdsValues;
}

struct Shape {
  uint64_t count = 0;
  uint64_t largest = 0;  // element; of values: 0
};

Shape ShapeOf(Fill::Kind kind, const Input& input) {
  const uint64_t last_row = std::max<uint64_t>(input.rows(), 1) - 1;
  const uint64_t last_column = std::max<uint64_t>(input.columns(), 1) - 1;
  switch (kind) {
    case Fill::Kind::kCsrRows:
      return {input.rows() + 1, input.elements()};
    case Fill::Kind::kCsrColumns:
      return {input.elements(), last_column};
    case Fill::Kind::kCsrSources:
      return {input.elements(), last_row};
    case Fill::Kind::kCsrLengths:
      return {input.rows(), input.elements()};
    case Fill::Kind::kCsrRanges:
      return {2 * input.rows(), input.elements()};
    case Fill::Kind::kJdsPermutation:
      return {input.rows(), last_row};
    case Fill::Kind::kJdsStarts:
      return {input.Jagged().starts.size(), input.Jagged().starts.back()};
    case Fill::Kind::kJdsLengths:
      return {input.Jagged().lengths.size(), input.elements()};
    case Fill::Kind::kJdsColumns:
      return {input.Jagged().elements.size(), last_column};
    case Fill::Kind::kJdsValues:
      return {input.Jagged().elements.size(), 0};
    default:
      return {input.elements(), 0};  // csr-values
  }
}

// Empty where the buffer's type holds what the fill gives, else what was expected.
std::string Misfit(const BufferSpec& buffer, uint64_t largest) {
  const bool values = IsValues(buffer.fill.kind);
  const auto most = static_cast<double>(largest);
  const bool fits = values || (!IsFloat(buffer.type) && most <= RangeOf(buffer.type).max);
  if (fits) return "";
  return fmt::format("key 'type' is '{}': expected an integer type that holds {}",
                     ToString(buffer.type), largest);
}

// A file's values must be elements of the buffer's type.
void RequireValuesFit(const TomlReader& table, const BufferSpec& buffer) {
  const Input& input = *buffer.fill.input;
  if (!input.HasValues()) return;
  const ElementRange range = RangeOf(buffer.type);
  for (const double value : input.Matrix().values) {
    const bool whole = IsFloat(buffer.type) || value == std::floor(value);
    if (whole && value >= range.min && value <= range.max) continue;
    table.Fail(table.Require("type").source().begin,
               "key 'type' is '{}': expected a type that holds {} of {}", ToString(buffer.type),
               value, Quoted(input.file().string()));
  }
}

}  // namespace

void ParseInputFill(const TomlReader& table, const ParseContext& context, BufferSpec& buffer) {
  Fill& fill = buffer.fill;
  fill.input = ParseInputName(table, context.inputs);
  if (IsValues(fill.kind)) {
    fill.seed =
        static_cast<uint64_t>(table.Integer("seed", 0, std::numeric_limits<int64_t>::max(), 1));
    ParseUniformRange(table, buffer);
    RequireValuesFit(table, buffer);
  }
  if (IsJagged(fill.kind)) return;
  const Shape shape = ShapeOf(fill.kind, *fill.input);
  const std::string misfit = Misfit(buffer, shape.largest);
  if (!misfit.empty()) table.Fail(table.Require("type").source().begin, "{}", misfit);
  buffer.count = shape.count;
}

void CountJagged(Workload& workload) {
  for (auto* specs : {&workload.buffers, &workload.symbols}) {
    for (BufferSpec& buffer : *specs) {
      if (!IsJagged(buffer.fill.kind)) continue;
      const Shape shape = ShapeOf(buffer.fill.kind, *buffer.fill.input);
      const std::string misfit = Misfit(buffer, shape.largest);
      if (!misfit.empty()) FailAt(workload, buffer.location, "{}", misfit);
      buffer.count = shape.count;
    }
  }
}

}  // namespace flagstone
