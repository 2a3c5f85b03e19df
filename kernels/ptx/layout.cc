// Offsets in the parameter, shared and local blocks.
#include "kernels/ptx/layout.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/ptx/parse_context.h"

namespace flagstone::ptx {
namespace {

using Variables = std::vector<std::unique_ptr<Variable>>;

uint64_t AlignUp(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

uint32_t LayOut(const Variables& variables, uint64_t limit, std::string_view block,
                const Kernel& kernel, const Lexer& lexer) {
  uint64_t end = 0;
  for (const auto& variable : variables) {
    if (variable->is_extern) continue;
    variable->offset = AlignUp(end, variable->alignment);
    end = variable->offset + variable->SizeInBytes();
    if (end > limit) {
      lexer.Fail(variable->location, "expected at most {} bytes of {} in the kernel {}", limit,
                 block, Quote(kernel.name));
    }
  }
  return static_cast<uint32_t>(end);
}

}  // namespace

void CopyBlockVariables(Kernel* kernel) {
  std::unordered_map<const Variable*, const Variable*> copies;
  for (const Variables* own : {&kernel->shared, &kernel->locals}) {
    for (const auto& variable : *own) copies[variable.get()] = variable.get();
  }
  for (Instruction& instruction : kernel->instructions) {
    for (Operand& operand : instruction.operands) {
      if (operand.variable == nullptr) continue;
      const Space space = operand.variable->space;
      if (space != Space::kShared && space != Space::kLocal) continue;
      const Variable*& copy = copies[operand.variable];
      if (copy == nullptr) {
        Variables& list = space == Space::kShared ? kernel->shared : kernel->locals;
        copy = list.emplace_back(std::make_unique<Variable>(*operand.variable)).get();
      }
      operand.variable = copy;
    }
  }
}

void LayOutParameters(Kernel* kernel, const Lexer& lexer) {
  kernel->parameter_bytes =
      LayOut(kernel->parameters, kMaxParameterBytes, "parameters", *kernel, lexer);
}

void LayOutLocals(Kernel* kernel, const Lexer& lexer) {
  kernel->local_bytes =
      LayOut(kernel->locals, kMaxBlockVariableBytes, ".local variables", *kernel, lexer);
}

void LayOutShared(Kernel* kernel, const Lexer& lexer) {
  uint64_t end =
      LayOut(kernel->shared, kMaxBlockVariableBytes, ".shared variables", *kernel, lexer);
  const auto is_static = [](const auto& variable) { return !variable->is_extern; };
  const auto dynamic =
      std::stable_partition(kernel->shared.begin(), kernel->shared.end(), is_static);
  for (auto it = dynamic; it != kernel->shared.end(); ++it) {
    end = AlignUp(end, (*it)->alignment);
  }
  for (auto it = dynamic; it != kernel->shared.end(); ++it) (*it)->offset = end;
  kernel->shared_bytes = static_cast<uint32_t>(end);
}

}  // namespace flagstone::ptx
