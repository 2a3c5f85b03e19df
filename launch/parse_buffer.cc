// [buffer.NAME] and [symbol.NAME] of workload.toml: name, type, count and fill.
#include <algorithm>
#include <vector>

#include "launch/parse.h"

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

}  // namespace

void RequireName(const std::string& name, std::string_view what, const TomlReader& table) {
  if (IsName(name)) return;
  table.Fail(table.position(), "{} name {}: expected letters, digits and '_', no digit first", what,
             Quoted(name));
}

BufferSpec ParseBuffer(const std::string& name, const TomlReader& table,
                       const ParseContext& context) {
  RequireName(name, "buffer", table);
  return ParseSymbol(name, table, context);
}

BufferSpec ParseSymbol(const std::string& name, const TomlReader& table,
                       const ParseContext& context) {
  BufferSpec buffer;
  buffer.name = name;
  buffer.location = LocationOf(table.position());
  table.AllowOnly(KeysOfFill(table));  // first: a misspelt key is also a missing one
  table.Require("fill");
  buffer.type = ParseType(table);
  ParseFill(table, context, buffer);
  return buffer;
}

}  // namespace flagstone
