#include "kernels/ptx/call_check.h"

#include <fmt/core.h>

#include <algorithm>

#include "kernels/ptx/lexer.h"

namespace flagstone::ptx {
namespace {

// The sizes of a list of formals are `wanted`, one letter each: p pointer, w 4 bytes.
bool Are(const std::vector<Formal>& formals, std::string_view wanted, uint64_t pointer) {
  if (formals.size() != wanted.size()) return false;
  for (size_t i = 0; i < formals.size(); ++i) {
    if (formals[i].SizeInBytes() != (wanted[i] == 'p' ? pointer : 4)) return false;
    if (formals[i].variable != nullptr && formals[i].variable->count != 1) return false;
  }
  return true;
}

std::string MismatchOfOne(const Formal& formal, const Operand& actual, const Kernel& caller) {
  const uint64_t wanted = formal.SizeInBytes();
  uint64_t found = wanted;
  if (actual.kind == Operand::Kind::kAddress) found = actual.variable->SizeInBytes();
  if (actual.kind == Operand::Kind::kRegister) {
    found = static_cast<uint64_t>(SizeInBytes(caller.registers[actual.reg].type));
  }
  // Of a variadic function the caller says how large the last argument is.
  const bool open = formal.variable != nullptr && formal.variable->count == 0;
  if (open && actual.kind == Operand::Kind::kAddress) return "";
  if (found != wanted) return fmt::format("expected {} bytes, found {}", wanted, found);
  const bool by_value = actual.kind != Operand::Kind::kAddress && formal.variable != nullptr &&
                        formal.variable->count != 1;
  return by_value ? "expected a '.param' variable for an array" : "";
}

}  // namespace

Opcode BuiltinOf(const Function& prototype) {
  for (const uint64_t pointer : {8U, 4U}) {
    const bool print = prototype.name == "vprintf" && Are(prototype.results, "w", pointer) &&
                       Are(prototype.parameters, "pp", pointer);
    if (print) return Opcode::kPrint;
    const bool fail = prototype.name == "__assertfail" && prototype.results.empty() &&
                      Are(prototype.parameters, "ppwpp", pointer);
    if (fail) return Opcode::kAssertFail;
    const bool allocate = prototype.name == "malloc" && Are(prototype.results, "p", pointer) &&
                          Are(prototype.parameters, "p", pointer);
    if (allocate) return Opcode::kAllocate;
    const bool free = prototype.name == "free" && prototype.results.empty() &&
                      Are(prototype.parameters, "p", pointer);
    if (free) return Opcode::kFree;
  }
  return Opcode::kInvalid;
}

std::string MismatchOf(const CallSite& call, const Function& callee, const Kernel& caller) {
  const size_t arguments = callee.parameters.size();
  const size_t results = callee.results.size();
  if (call.arguments.size() != arguments || call.results.size() != results) {
    return fmt::format("{} takes {} argument{} and gives {} result{}, found {} and {}",
                       Quote(callee.name), arguments, arguments == 1 ? "" : "s", results,
                       results == 1 ? "" : "s", call.arguments.size(), call.results.size());
  }
  for (size_t i = 0; i < arguments; ++i) {
    const std::string problem = MismatchOfOne(callee.parameters[i], call.arguments[i], caller);
    if (!problem.empty()) {
      return fmt::format("argument {} of {}: {}", i + 1, Quote(callee.name), problem);
    }
  }
  for (size_t i = 0; i < results; ++i) {
    const Operand& result = call.results[i];
    const std::string problem = MismatchOfOne(callee.results[i], result, caller);
    if (!problem.empty()) {
      return fmt::format("result {} of {}: {}", i + 1, Quote(callee.name), problem);
    }
    // Arguments and results become one variable with the callee's own, so they must differ.
    const auto is_result = [&](const Operand& argument) {
      return result.kind == Operand::Kind::kAddress && argument.variable == result.variable;
    };
    if (std::any_of(call.arguments.begin(), call.arguments.end(), is_result)) {
      return fmt::format("expected other variables as the results of {} than as its arguments",
                         Quote(callee.name));
    }
  }
  return "";
}

}  // namespace flagstone::ptx
