// A range of registers is one entry, so that "%r<100000>" costs no hash map of that size.
#include "kernels/ptx/symbol_table.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace flagstone::ptx {

std::optional<Symbol> SymbolTable::FindIn(const Scope& scope, std::string_view name) {
  if (const auto it = scope.names.find(name); it != scope.names.end()) return it->second;
  if (scope.ranges.empty()) return std::nullopt;
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  // A prefix may itself end in digits ("%r1<4>" makes %r10 .. %r13): try each place to split.
  constexpr size_t kLongestNumber = 10;
  if (name.size() > kLongestNumber) digits = std::max(digits, name.size() - kLongestNumber);
  for (size_t split = digits; split < name.size(); ++split) {
    const auto it = scope.ranges.find(name.substr(0, split));
    if (it == scope.ranges.end()) continue;
    const std::string_view number = name.substr(split);
    if (number.size() > 1 && number[0] == '0') continue;  // "%r01" is not "%r1"
    uint32_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || index >= it->second.count) continue;
    Symbol symbol = it->second.first;
    symbol.reg += index * symbol.vector;
    return symbol;
  }
  return std::nullopt;
}

std::optional<Symbol> SymbolTable::DefineIn(Scope* scope, std::string_view name,
                                            const Symbol& symbol) {
  if (std::optional<Symbol> earlier = FindIn(*scope, name)) return earlier;
  scope->names.emplace(name, symbol);
  return std::nullopt;
}

std::optional<Symbol> SymbolTable::Define(std::string_view name, const Symbol& symbol) {
  return DefineIn(&scopes_.back(), name, symbol);
}

std::optional<Symbol> SymbolTable::DefineOutermost(std::string_view name, const Symbol& symbol) {
  return DefineIn(&scopes_.front(), name, symbol);
}

std::optional<Symbol> SymbolTable::DefineRange(std::string_view prefix, uint32_t count,
                                               const Symbol& symbol) {
  Scope& scope = scopes_.back();
  const auto [it, fresh] = scope.ranges.try_emplace(prefix, Range{count, symbol});
  if (!fresh) return it->second.first;
  // A range may collide with single names; the other order is caught by Define.
  if (scope.names.empty()) return std::nullopt;
  std::string name(prefix);
  for (uint32_t i = 0; i < count; ++i) {
    name.resize(prefix.size());
    name += std::to_string(i);
    const auto single = scope.names.find(name);
    if (single != scope.names.end()) return single->second;
  }
  return std::nullopt;
}

std::optional<Symbol> SymbolTable::Find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (std::optional<Symbol> symbol = FindIn(*scope, name)) return symbol;
  }
  return std::nullopt;
}

std::optional<Symbol> SymbolTable::FindInnermost(std::string_view name) const {
  return FindIn(scopes_.back(), name);
}

}  // namespace flagstone::ptx
