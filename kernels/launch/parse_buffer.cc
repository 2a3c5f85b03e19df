// [buffer.NAME] and [symbol.NAME] of workload.toml: name, type, count and fill.
#include <algorithm>
#include <vector>

#include "kernels/launch/parse.h"

namespace flagstone {
namespace {

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

bool IsName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// `keys`: those that the table may have.
BufferSpec ParseContents(const std::string& name, const TomlReader& table,
                         const std::vector<std::string_view>& keys, const ParseContext& context) {
  BufferSpec buffer;
  buffer.name = name;
  buffer.location = LocationOf(table.position());
  table.AllowOnly(keys);  // first: a misspelt key is also a missing one
  table.Require("fill");
  buffer.type = ParseType(table);
  ParseFill(table, context, buffer);
  return buffer;
}

}  // namespace

void RequireName(const std::string& name, std::string_view what, const TomlReader& table) {
  if (IsName(name)) return;
  table.Fail(table.position(), "{} name {}: expected letters, digits and '_', no digit first", what,
             Quoted(name));
}

BufferSpec ParseBuffer(const std::string& name, const TomlReader& table,
                       const ParseContext& context) {
  RequireName(name, "buffer", table);
  std::vector<std::string_view> keys = KeysOfFill(table);
  keys.insert(keys.end(), {"address", "from", "until"});
  BufferSpec buffer = ParseContents(name, table, keys, context);
  constexpr int64_t kMostLaunches = int64_t{1} << 40;
  if (table.Has("address")) {
    buffer.address = static_cast<uint64_t>(table.Integer("address", 4096, int64_t{1} << 38));
  }
  buffer.from = static_cast<size_t>(table.Integer("from", 0, kMostLaunches, 0));
  if (table.Has("until")) {
    buffer.until = static_cast<size_t>(table.Integer("until", 1, kMostLaunches));
  }
  return buffer;
}

BufferSpec ParseSymbol(const std::string& name, const TomlReader& table,
                       const ParseContext& context) {
  return ParseContents(name, table, KeysOfFill(table), context);
}

}  // namespace flagstone
