// [buffer.NAME] and [symbol.NAME] of workload.toml: type, count and fill, checked so that filling
// cannot fail later.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "launch/element.h"
#include "launch/parse.h"

namespace flagstone {
namespace {

struct FillEntry {
  std::string_view name;
  Fill::Kind kind;
  std::vector<std::string_view> keys;  // beside type, count and fill
};

const std::vector<FillEntry>& FillTable() {
  static const std::vector<FillEntry> table = {
      {"zero", Fill::Kind::kZero, {}},
      {"constant", Fill::Kind::kConstant, {"value"}},
      {"iota", Fill::Kind::kIota, {"start", "step"}},
      {"uniform", Fill::Kind::kUniform, {"seed", "min", "max"}},
      {"file", Fill::Kind::kFile, {"file"}},
      {"csr-rows", Fill::Kind::kCsrRows, {"seed", "rows", "columns", "per_row"}},
      {"csr-columns", Fill::Kind::kCsrColumns, {"seed", "rows", "columns", "per_row"}},
  };
  return table;
}

bool IsFloat(ElementType type) { return type == ElementType::kF32 || type == ElementType::kF64; }

struct Range {
  double min = 0;
  double max = 0;
};

// The finite values of a type that a TOML number gives exactly: 64-bit integers only up to 2^53.
Range RangeOf(ElementType type) {
  return VisitElementType(type, [](auto element) {
    using T = decltype(element);
    constexpr double kExact = 9007199254740992.0;
    const auto min = static_cast<double>(std::numeric_limits<T>::lowest());
    const auto max = static_cast<double>(std::numeric_limits<T>::max());
    if constexpr (std::is_floating_point_v<T>) return Range{min, max};
    return Range{std::max(min, -kExact), std::min(max, kExact)};
  });
}

// A value that an element of the buffer can hold. Only `constant` may be infinite.
double ElementValue(const TomlReader& table, std::string_view key, ElementType type,
                    double absent) {
  if (!table.Has(key)) return absent;
  const Range range = RangeOf(type);
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
  const Range range = RangeOf(buffer.type);
  if (!(last >= range.min && last <= range.max)) {
    table.Fail(table.position(), "the last element of {} is {}: expected {} to {} for {}",
               table.name(), last, range.min, range.max, ToString(buffer.type));
  }
}

void ParseUniform(const TomlReader& table, BufferSpec& buffer) {
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

void ParseSparse(const TomlReader& table, BufferSpec& buffer) {
  Fill& fill = buffer.fill;
  constexpr int64_t kMostRows = int64_t{1} << 32;
  fill.rows = static_cast<uint64_t>(table.Integer("rows", 1, kMostRows));
  fill.columns = static_cast<uint64_t>(table.Integer("columns", 1, kMostRows));
  fill.per_row = static_cast<uint64_t>(table.Integer("per_row", 1, 1 << 20));
  const uint64_t longest = fill.per_row + fill.per_row / 2;
  if (longest > fill.columns) {
    table.Fail(table.Require("per_row").source().begin,
               "key 'per_row' is {}: rows get up to {} elements, expected at most {} (columns)",
               fill.per_row, longest, fill.columns);
  }
  const bool starts = fill.kind == Fill::Kind::kCsrRows;
  const uint64_t count = starts ? fill.rows + 1 : fill.rows * fill.per_row;
  if (buffer.count != count) {
    table.Fail(table.Require("count").source().begin, "key 'count' is {}: expected {} ({})",
               buffer.count, count, starts ? "rows + 1" : "rows * per_row");
  }
  const auto largest = static_cast<double>(starts ? fill.rows * fill.per_row : fill.columns - 1);
  if (IsFloat(buffer.type) || largest > RangeOf(buffer.type).max) {
    table.Fail(table.Require("type").source().begin,
               "key 'type' is '{}': expected an integer type that holds {}", ToString(buffer.type),
               largest);
  }
}

ElementType ParseType(const TomlReader& table) {
  const std::string name = table.String("type");
  const auto type = ParseElementType(name);
  if (!type) {
    table.Fail(table.Require("type").source().begin,
               "unknown type {}: expected one of u8, s8, u16, s16, u32, s32, u64, s64, f32, f64",
               Quoted(name));
  }
  return *type;
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

bool IsBufferName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

BufferSpec ParseBuffer(const std::string& name, const TomlReader& table,
                       const std::filesystem::path& folder) {
  if (!IsBufferName(name)) {
    table.Fail(table.position(), "buffer name {}: expected letters, digits and '_', no digit first",
               Quoted(name));
  }
  return ParseSymbol(name, table, folder);
}

BufferSpec ParseSymbol(const std::string& name, const TomlReader& table,
                       const std::filesystem::path& folder) {
  BufferSpec buffer;
  buffer.name = name;
  buffer.location = LocationOf(table.position());
  // An unknown key is looked for first: a misspelt key is also a missing one.
  std::vector<std::string_view> keys = {"type", "count", "fill"};
  if (table.Has("fill")) {
    const FillEntry& entry = ParseFillKind(table);
    buffer.fill.kind = entry.kind;
    keys.insert(keys.end(), entry.keys.begin(), entry.keys.end());
  }
  table.AllowOnly(keys);
  table.Require("fill");
  buffer.type = ParseType(table);
  const auto most = static_cast<int64_t>(DeviceMemory::kMaxBytes / SizeInBytes(buffer.type));
  buffer.count = static_cast<uint64_t>(table.Integer("count", 0, most));
  buffer.fill.seed =
      static_cast<uint64_t>(table.Integer("seed", 0, std::numeric_limits<int64_t>::max(), 1));
  switch (buffer.fill.kind) {
    case Fill::Kind::kZero:
      break;
    case Fill::Kind::kConstant:
      buffer.fill.value = ConstantValue(table, buffer.type);
      break;
    case Fill::Kind::kIota:
      ParseIota(table, buffer);
      break;
    case Fill::Kind::kUniform:
      ParseUniform(table, buffer);
      break;
    case Fill::Kind::kFile:
      buffer.fill.file = folder / table.Line("file");
      break;
    case Fill::Kind::kCsrRows:
    case Fill::Kind::kCsrColumns:
      ParseSparse(table, buffer);
      break;
  }
  return buffer;
}

}  // namespace flagstone
