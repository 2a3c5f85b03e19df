// Opcode names, from the one table of instructions.
#include "kernels/ptx/opcode.h"

#include "kernels/ptx/instruction_table.h"

namespace flagstone::ptx {

std::optional<Opcode> ParseOpcode(std::string_view name) {
  const InstructionRule* const rule = FindInstructionRule(name);
  if (rule == nullptr) return std::nullopt;
  return rule->opcode;
}

std::string_view ToString(Opcode opcode) {
  for (const InstructionRule& rule : InstructionRules()) {
    if (rule.opcode == opcode) return rule.name;
  }
  return "invalid";
}

}  // namespace flagstone::ptx
