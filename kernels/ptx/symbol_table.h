// The names that are visible at a point of the text: nested scopes of registers, variables, labels.
#ifndef FLAGSTONE_KERNELS_PTX_SYMBOL_TABLE_H_
#define FLAGSTONE_KERNELS_PTX_SYMBOL_TABLE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

struct Symbol {
  enum class Kind : uint8_t {
    kRegister,
    kVariable,
    kLabel,
    kTargets,
    kPrototype,
    kEntry,
    kFunction
  };
  Kind kind = Kind::kRegister;
  RegisterId reg = 0;
  uint8_t vector = 1;  // of a register: elements, in the registers from `reg` on
  const Variable* variable = nullptr;
  // Of a label: index of an instruction; of .branchtargets: of the list; of a function: index into
  // ParseContext::functions.
  uint32_t target = 0;
  Location location;  // of the definition
};

// Names are views of the parsed text, which outlives the table.
class SymbolTable {
 public:
  SymbolTable() { Push(); }  // the module's scope

  void Push() { scopes_.emplace_back(); }
  void Pop() { scopes_.pop_back(); }
  size_t depth() const { return scopes_.size(); }

  // Defines a name in the innermost scope. Returns the earlier definition, if there is one.
  std::optional<Symbol> Define(std::string_view name, const Symbol& symbol);
  // The same in the module's scope.
  std::optional<Symbol> DefineOutermost(std::string_view name, const Symbol& symbol);
  // Defines prefix0 .. prefix<count-1> (".reg .b32 %r<count>") as registers from symbol.reg on.
  std::optional<Symbol> DefineRange(std::string_view prefix, uint32_t count, const Symbol& symbol);

  std::optional<Symbol> Find(std::string_view name) const;  // innermost first
  std::optional<Symbol> FindInnermost(std::string_view name) const;

 private:
  struct Range {
    uint32_t count = 0;
    Symbol first;
  };
  struct Scope {
    std::unordered_map<std::string_view, Symbol> names;
    std::unordered_map<std::string_view, Range> ranges;  // by prefix
  };
  static std::optional<Symbol> DefineIn(Scope* scope, std::string_view name, const Symbol& symbol);
  static std::optional<Symbol> FindIn(const Scope& scope, std::string_view name);

  std::vector<Scope> scopes_;
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_SYMBOL_TABLE_H_
