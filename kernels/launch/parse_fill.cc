// The key `fill` of [buffer.NAME] and [symbol.NAME], and the keys that belong to each fill.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/launch/element.h"
#include "kernels/launch/parse.h"
#include "kernels/launch/quantity.h"

namespace flagstone {
namespace {

struct FillEntry {
  std::string_view name;
  Fill::Kind kind;
  std::vector<std::string_view> keys;  // beside type, fill and, without an input, count
  bool TakesInput() const { return !keys.empty() && keys.front() == "input"; }
};

const std::vector<FillEntry>& FillTable() {
  static const std::vector<FillEntry> table = {
      {"zero", Fill::Kind::kZero, {}},
      {"constant", Fill::Kind::kConstant, {"value", "first"}},
      {"iota", Fill::Kind::kIota, {"start", "step"}},
      {"uniform", Fill::Kind::kUniform, {"seed", "min", "max"}},
      {"sorted", Fill::Kind::kSorted, {"seed", "min", "max", "run"}},
      {"permutation", Fill::Kind::kPermutation, {"seed"}},
      {"file", Fill::Kind::kFile, {"file"}},
      {"sphere", Fill::Kind::kSphere, {"seed", "axis"}},
      {"btree", Fill::Kind::kBtree, {"keys", "order", "per_node"}},
      {"suffix-tree", Fill::Kind::kSuffixTree, {"seed", "letters"}},
      {"reads", Fill::Kind::kReads, {"seed", "letters", "length"}},
      {"csr-rows", Fill::Kind::kCsrRows, {"input"}},
      {"csr-columns", Fill::Kind::kCsrColumns, {"input"}},
      {"csr-sources", Fill::Kind::kCsrSources, {"input"}},
      {"csr-values", Fill::Kind::kCsrValues, {"input", "seed", "min", "max"}},
      {"csr-lengths", Fill::Kind::kCsrLengths, {"input"}},
      {"csr-ranges", Fill::Kind::kCsrRanges, {"input"}},
      {"jds-permutation", Fill::Kind::kJdsPermutation, {"input"}},
      {"jds-starts", Fill::Kind::kJdsStarts, {"input"}},
      {"jds-lengths", Fill::Kind::kJdsLengths, {"input"}},
      {"jds-columns", Fill::Kind::kJdsColumns, {"input"}},
      {"jds-values", Fill::Kind::kJdsValues, {"input", "seed", "min", "max"}},
  };
  return table;
}

// A value that an element of the buffer can hold. Only `constant` may be infinite.
double ElementValue(const TomlReader& table, std::string_view key, ElementType type,
                    double absent) {
  if (!table.Has(key)) return absent;
  const ElementRange range = RangeOf(type);
  const double value = table.Number(key, range.min, range.max);
  if (!IsFloat(type) && value != std::floor(value)) {
    table.Fail(table.Require(key).source().begin, "key '{}' is {}: expected an integer for type {}",
               key, value, ToString(type));
  }
  return value;
}

double ConstantValue(const TomlReader& table, ElementType type) {
  const auto* real = table.Require("value").as_floating_point();
  if (real != nullptr && IsFloat(type) && std::isinf(real->get())) return real->get();
  return ElementValue(table, "value", type, 0);
}

void ParseIota(const TomlReader& table, BufferSpec& buffer) {
  Fill& fill = buffer.fill;
  fill.start = ElementValue(table, "start", buffer.type, 0);
  // A step may be negative where the elements may not.
  constexpr double kMost = std::numeric_limits<double>::max();
  fill.step = table.Number("step", -kMost, kMost, 1);
  if (!IsFloat(buffer.type) && fill.step != std::floor(fill.step)) {
    table.Fail(table.Require("step").source().begin,
               "key 'step' is {}: expected an integer for type {}", fill.step,
               ToString(buffer.type));
  }
  if (buffer.count == 0) return;
  const double last = fill.start + static_cast<double>(buffer.count - 1) * fill.step;
  const ElementRange range = RangeOf(buffer.type);
  if (!(last >= range.min && last <= range.max)) {
    table.Fail(table.position(), "the last element of {} is {}: expected {} to {} for {}",
               table.name(), last, range.min, range.max, ToString(buffer.type));
  }
}

const FillEntry& ParseFillKind(const TomlReader& table) {
  const std::string name = table.String("fill");
  std::vector<std::string_view> names;
  for (const FillEntry& entry : FillTable()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  table.Fail(table.Require("fill").source().begin, "unknown fill {}: expected one of {}",
             Quoted(name), CommaSeparated(names));
}

void ParsePermutation(const TomlReader& table, BufferSpec& buffer) {
  const auto last = static_cast<double>(buffer.count) - 1;
  if (!IsFloat(buffer.type) && last <= RangeOf(buffer.type).max) return;
  table.Fail(table.Require("type").source().begin,
             "key 'type' is '{}': expected an integer type that holds {}", ToString(buffer.type),
             last);
}

}  // namespace

bool IsFloat(ElementType type) { return type == ElementType::kF32 || type == ElementType::kF64; }

ElementRange RangeOf(ElementType type) {
  return VisitElementType(type, [](auto element) {
    using T = decltype(element);
    constexpr double kExact = 9007199254740992.0;
    const auto min = static_cast<double>(std::numeric_limits<T>::lowest());
    const auto max = static_cast<double>(std::numeric_limits<T>::max());
    if constexpr (std::is_floating_point_v<T>) return ElementRange{min, max};
    return ElementRange{std::max(min, -kExact), std::min(max, kExact)};
  });
}

void ParseUniformRange(const TomlReader& table, BufferSpec& buffer) {
  Fill& fill = buffer.fill;
  fill.min = ElementValue(table, "min", buffer.type, 0);
  fill.max = ElementValue(table, "max", buffer.type, 1);
  if (fill.min > fill.max) {
    table.Fail(table.position(), "min {} is above max {} in {}: expected min <= max", fill.min,
               fill.max, table.name());
  }
  // max - min must not overflow either.
  if (!std::isfinite(fill.max - fill.min)) {
    table.Fail(table.position(), "min {} to max {} in {}: expected a range below 1.8e308", fill.min,
               fill.max, table.name());
  }
}

void ParseFill(const TomlReader& table, const ParseContext& context, BufferSpec& buffer) {
  const FillEntry& entry = ParseFillKind(table);
  buffer.fill.kind = entry.kind;
  if (entry.TakesInput()) return ParseInputFill(table, context, buffer);
  const auto most = static_cast<int64_t>(DeviceMemory::kMaxBytes / SizeInBytes(buffer.type));
  buffer.count = static_cast<uint64_t>(
      IntegerOrQuantity(table, table.Require("count"), "key 'count'", 0, most, context.inputs));
  buffer.fill.seed =
      static_cast<uint64_t>(table.Integer("seed", 0, std::numeric_limits<int64_t>::max(), 1));
  switch (buffer.fill.kind) {
    case Fill::Kind::kConstant:
      buffer.fill.value = ConstantValue(table, buffer.type);
      if (table.Has("first")) buffer.fill.first = ElementValue(table, "first", buffer.type, 0);
      break;
    case Fill::Kind::kIota:
      ParseIota(table, buffer);
      break;
    case Fill::Kind::kUniform:
    case Fill::Kind::kSorted:
      ParseUniformRange(table, buffer);
      if (table.Has("run")) buffer.fill.run = static_cast<uint64_t>(table.Integer("run", 1, most));
      break;
    case Fill::Kind::kPermutation:
      ParsePermutation(table, buffer);
      break;
    case Fill::Kind::kFile:
      buffer.fill.file = context.folder / table.Line("file");
      break;
    case Fill::Kind::kSphere:
    case Fill::Kind::kBtree:
    case Fill::Kind::kSuffixTree:
    case Fill::Kind::kReads:
      ParseStructureFill(table, buffer);
      break;
    default:  // zero has no keys
      break;
  }
}

std::vector<std::string_view> KeysOfFill(const TomlReader& table) {
  std::vector<std::string_view> keys = {"type", "count", "fill"};
  if (!table.Has("fill")) return keys;
  const FillEntry& entry = ParseFillKind(table);
  if (entry.TakesInput()) std::erase(keys, "count");
  keys.insert(keys.end(), entry.keys.begin(), entry.keys.end());
  return keys;
}

}  // namespace flagstone
