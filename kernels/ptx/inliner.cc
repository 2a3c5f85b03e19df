#include "kernels/ptx/inliner.h"

#include <algorithm>

#include "kernels/ptx/make_operand.h"

namespace flagstone::ptx {

void Inliner::Run() {
  if (body_.calls.empty()) return;
  Activation kernel;
  kernel.body = &body_;
  code_.reserve(kernel_.instructions.size());
  Expand(&kernel);
  ExpandProcedures();
  kernel_.instructions = std::move(code_);
}

void Inliner::Charge(const Instruction& instruction) {
  constexpr size_t kLineOfText = 64;
  ++inlined_;
  budget_ -= std::min(budget_, 1 + instruction.text.size() / kLineOfText);
}

void Inliner::Refuse(const Instruction& at, std::string reason) {
  constexpr size_t kEnough = 32;
  if (kernel_.refusals.size() >= kEnough) return;
  kernel_.refusals.push_back({at.location, at.text, std::move(reason)});
}

RegisterId Inliner::NewRegister(const Register& like) {
  kernel_.registers.push_back(like);
  return static_cast<RegisterId>(kernel_.registers.size() - 1);
}

const Variable* Inliner::NewVariable(const Variable& like) {
  Variable& variable = *body_.call_variables.emplace_back(std::make_unique<Variable>(like));
  variable.in_frame = in_procedure_;
  return &variable;
}

RegisterId Inliner::Map(RegisterId reg, Activation* activation) {
  if (activation->function == nullptr) return reg;
  const auto [it, fresh] = activation->registers.try_emplace(reg, 0);
  if (fresh) it->second = NewRegister(activation->body->code->registers[reg]);
  return it->second;
}

const Variable* Inliner::Map(const Variable* variable, Activation* activation) {
  if (activation->function == nullptr) return variable;
  const auto [it, fresh] = activation->variables.try_emplace(variable, nullptr);
  if (fresh) it->second = NewVariable(*variable);
  return it->second;
}

Operand Inliner::Copy(const Operand& operand, Activation* activation) {
  Operand copy = operand;
  if (operand.kind == Operand::Kind::kRegister || operand.has_register_base) {
    copy.reg = Map(operand.reg, activation);
  }
  if (operand.variable != nullptr && operand.variable->space == Space::kParam) {
    copy.variable = Map(operand.variable, activation);
  }
  for (Operand& element : copy.elements) element = Copy(element, activation);
  return copy;
}

Instruction Inliner::Copy(const Instruction& instruction, Activation* activation) {
  Instruction copy = instruction;
  if (activation->function == nullptr) return copy;
  if (copy.guard) copy.guard = Map(*copy.guard, activation);
  bool by_register = false;
  for (Operand& operand : copy.operands) {
    operand = Copy(operand, activation);
    by_register |= operand.kind == Operand::Kind::kMemory && operand.has_register_base;
  }
  // The address of a function's parameter is one of local memory (PTX ISA, 5.1.6.4).
  if (copy.space == Space::kParam && (by_register || copy.opcode == Opcode::kCvta)) {
    copy.space = Space::kLocal;
  }
  return copy;
}

void Inliner::Expand(Activation* activation) {
  const std::vector<Instruction>& from = activation->body->code->instructions;
  const bool is_kernel = activation->function == nullptr;
  std::vector<uint32_t> moved(from.size() + 1);         // where each instruction has gone
  std::vector<std::pair<uint32_t, uint32_t>> branches;  // index in code_; target in `from`
  auto call = activation->body->calls.begin();
  for (uint32_t pc = 0; pc < from.size(); ++pc) {
    const auto at = static_cast<uint32_t>(code_.size());
    moved[pc] = at;
    if (call != activation->body->calls.end() && call->pc == pc) {
      ExpandCall(*call++, activation);
      continue;
    }
    Instruction& instruction = code_.emplace_back(Copy(from[pc], activation));
    if (!is_kernel) Charge(instruction);
    if (!is_kernel && instruction.opcode == Opcode::kRet) {
      instruction.opcode = Opcode::kBra;
      instruction.operands = {LabelOperand(0)};
      branches.emplace_back(at, from.size());
    } else if (instruction.opcode == Opcode::kBra) {
      branches.emplace_back(at, instruction.operands[0].target);
    }
  }
  moved[from.size()] = static_cast<uint32_t>(code_.size());
  for (const auto& [branch, target] : branches) code_[branch].operands[0].target = moved[target];
}

}  // namespace flagstone::ptx
