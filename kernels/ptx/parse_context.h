// What all parts of the parser share, and the limits that keep a hostile file from eating memory.
#ifndef FLAGSTONE_KERNELS_PTX_PARSE_CONTEXT_H_
#define FLAGSTONE_KERNELS_PTX_PARSE_CONTEXT_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "kernels/ptx/function.h"
#include "kernels/ptx/kernel.h"
#include "kernels/ptx/lexer.h"
#include "kernels/ptx/symbol_table.h"

namespace flagstone::ptx {

inline constexpr uint64_t kMaxRegisters = uint64_t{1} << 22;          // in a module
inline constexpr size_t kMaxNesting = 64;                             // of { }
inline constexpr uint64_t kMaxNumberedVariables = uint64_t{1} << 16;  // "x<8>", in a module
inline constexpr uint64_t kMaxVariableBytes = uint64_t{1} << 40;      // .global, .const
inline constexpr uint64_t kMaxBlockVariableBytes = uint64_t{1}
                                                   << 30;        // .shared, .local of a kernel
inline constexpr uint64_t kMaxInitialBytes = uint64_t{1} << 28;  // of a module, zeros between too
inline constexpr uint64_t kMaxParameterBytes = 32764;            // of a kernel (PTX ISA 8.1)

struct ParseContext {
  ParseContext(std::string_view text, const std::string& file, Module* parsed)
      : lexer(text, file), module(*parsed) {}

  // Defines `name`, or fails at `at` because its scope already has it.
  void Define(std::string_view name, Symbol symbol, Location at) {
    symbol.location = at;
    if (const auto earlier = symbols.Define(name, symbol)) FailDuplicate(name, *earlier, at);
  }
  [[noreturn]] void FailDuplicate(std::string_view name, const Symbol& earlier, Location at) {
    lexer.Fail(at, "duplicate definition of {}: the first is in line {}", Quote(name),
               earlier.location.line);
  }

  // Notes `count` more registers, or fails at `at` where there are too many.
  void CountRegisters(uint64_t count, Location at) {
    if (count > kMaxRegisters - registers) {
      lexer.Fail(at, "expected at most {} registers in a module, found {} more after {}",
                 kMaxRegisters, count, registers);
    }
    registers += count;
  }

  // A copy of a name that does not stand in the text.
  std::string_view Keep(const std::string& name) { return kept_names.emplace_back(name); }

  Lexer lexer;
  Module& module;
  SymbolTable symbols;
  // The .shared and .local variables that stand outside the kernels; a kernel that uses one gets
  // its own copy when its calls are inlined.
  std::vector<std::unique_ptr<Variable>> block_variables;
  // The variables outside of bodies by name: an .extern may stand beside the definition.
  std::unordered_map<std::string_view, Variable*> declared;
  std::unordered_set<std::string_view> entry_prototypes;  // without a body so far
  std::deque<Function> functions;                         // by Symbol::target; addresses stay
  std::vector<std::unique_ptr<Body>> entries;             // of module.kernels, in their order
  std::deque<std::string> kept_names;                     // addresses stay
  uint64_t registers = 0;                                 // of all kernels so far
  uint64_t numbered_variables = 0;
  uint64_t initial_bytes = 0;  // of all variables so far
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_PARSE_CONTEXT_H_
