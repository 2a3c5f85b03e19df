// Recursive functions: one copy of each in a kernel, and the calls of them.
#include <algorithm>
#include <utility>

#include "kernels/ptx/frames.h"
#include "kernels/ptx/inliner.h"
#include "kernels/ptx/make_operand.h"

namespace flagstone::ptx {
namespace {

Type UnsignedOf(uint64_t bytes) {
  return bytes == 8 ? Type::kU64 : bytes == 4 ? Type::kU32 : bytes == 2 ? Type::kU16 : Type::kU8;
}

Instruction NewInstruction(const Instruction& place, Opcode opcode, Type type) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.location = place.location;
  instruction.text = place.text;
  return instruction;
}

// "ld.param <value>, [variable+offset]" or "st.param [variable+offset], <value>"
Instruction ParameterAccess(const Instruction& place, bool load, Type type,
                            const Variable* variable, uint64_t offset, const Operand& value) {
  Instruction access = NewInstruction(place, load ? Opcode::kLd : Opcode::kSt, type);
  access.space = Space::kParam;
  Operand memory;
  memory.kind = Operand::Kind::kMemory;
  memory.variable = variable;
  memory.offset = static_cast<int64_t>(offset);
  access.operands = load ? std::vector{value, memory} : std::vector{memory, value};
  access.destinations = load ? 1 : 0;
  return access;
}

}  // namespace

// Outside of the frames: between a caller and its callee.
Formal Inliner::NewPassed(const Formal& like) {
  if (like.variable == nullptr) {
    const RegisterId reg = NewRegister({std::string(kPassed) + "value", like.type});
    return {.reg = reg, .type = like.type};
  }
  Variable& variable =
      *body_.call_variables.emplace_back(std::make_unique<Variable>(*like.variable));
  variable.name = std::string(kPassed) + variable.name;
  return {.variable = &variable};
}

uint32_t Inliner::ProcedureOf(const Function& function) {
  const auto [at, fresh] =
      numbers_.try_emplace(&function, static_cast<uint32_t>(procedures_.size() + 1));
  if (!fresh) return at->second;
  Procedure& procedure = procedures_.emplace_back();
  procedure.activation.body = &function.body;
  procedure.activation.function = &function;
  for (const Formal& formal : function.parameters) {
    procedure.arguments.push_back(NewPassed(formal));
  }
  for (const Formal& formal : function.results) procedure.results.push_back(NewPassed(formal));
  for (const Refusal& refusal : function.code.refusals) kernel_.refusals.push_back(refusal);
  return at->second;
}

// From variable to variable in pieces as large as both are aligned.
void Inliner::Pass(const Formal& to, const Formal& from, const Instruction& at) {
  if (to.variable == nullptr && from.variable == nullptr) {
    Instruction& move = code_.emplace_back(NewInstruction(at, Opcode::kMov, to.type));
    move.operands = {RegisterOperand(to.reg), RegisterOperand(from.reg)};
    move.destinations = 1;
    return;
  }
  if (to.variable == nullptr) {
    code_.push_back(ParameterAccess(at, true, to.type, from.variable, 0, RegisterOperand(to.reg)));
    return;
  }
  if (from.variable == nullptr) {
    const Type type = to.variable->type;
    code_.push_back(ParameterAccess(at, false, type, to.variable, 0, RegisterOperand(from.reg)));
    return;
  }
  const bool scalar = to.variable->count == 1;
  const uint64_t size = std::min(to.variable->SizeInBytes(), from.variable->SizeInBytes());
  const uint64_t alignment =
      std::min<uint64_t>({to.variable->alignment, from.variable->alignment, 8});
  for (uint64_t offset = 0; offset < size;) {
    uint64_t bytes = alignment;
    while (bytes > size - offset) bytes /= 2;
    const Type type = scalar ? to.variable->type : UnsignedOf(bytes);
    if (scalar) bytes = size;
    const Type in_register = SizeInBytes(type) == 1 ? Type::kU16 : type;
    const Operand value =
        RegisterOperand(NewRegister({std::string(kPassed) + "piece", in_register}));
    code_.push_back(ParameterAccess(at, true, type, from.variable, offset, value));
    code_.push_back(ParameterAccess(at, false, type, to.variable, offset, value));
    offset += bytes;
  }
}

// What a call names, as a variable or register of the kernel.
Formal Inliner::ActualOf(const Operand& actual, const Formal& like, const Instruction& at,
                         Activation* caller) {
  if (actual.kind == Operand::Kind::kAddress) return {.variable = Map(actual.variable, caller)};
  const Type type = like.variable != nullptr ? like.variable->type : like.type;
  if (actual.kind == Operand::Kind::kRegister)
    return {.reg = Map(actual.reg, caller), .type = type};
  const RegisterId reg = NewRegister({std::string(kPassed) + "number", type});
  Instruction& move = code_.emplace_back(NewInstruction(at, Opcode::kMov, type));
  move.operands = {RegisterOperand(reg), actual};
  move.destinations = 1;
  return {.reg = reg, .type = type};
}

void Inliner::CallProcedure(const CallSite& call, const Function& callee, Activation* caller) {
  const Instruction& at = caller->body->code->instructions[call.pc];
  const uint32_t number = ProcedureOf(callee);
  const Procedure& procedure = procedures_[number - 1];
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Formal actual = ActualOf(call.arguments[i], callee.parameters[i], at, caller);
    Pass(procedure.arguments[i], actual, at);
  }
  Instruction& branch = code_.emplace_back(NewInstruction(at, Opcode::kProcedureCall, Type::kNone));
  branch.operands = {NumberOperand(number)};
  for (size_t i = 0; i < call.results.size(); ++i) {
    if (call.results[i].kind == Operand::Kind::kSink) continue;
    Pass(ActualOf(call.results[i], callee.results[i], at, caller), procedure.results[i], at);
  }
}

// Those that are found on the way come after.
void Inliner::ExpandProcedures() {
  in_procedure_ = true;
  for (size_t i = 0; i < procedures_.size(); ++i) {
    Procedure& procedure = procedures_[i];
    const Function& function = *procedure.activation.function;
    const size_t begin = code_.size();
    Instruction place;
    place.location = function.location;
    place.text = function.name;
    const auto own = [&](const Formal& formal) {
      if (formal.variable != nullptr) {
        return Formal{.variable = Map(formal.variable, &procedure.activation)};
      }
      return Formal{.reg = Map(formal.reg, &procedure.activation), .type = formal.type};
    };
    for (size_t k = 0; k < function.parameters.size(); ++k) {
      Pass(own(function.parameters[k]), procedure.arguments[k], place);
    }
    stack_.push_back(&function);
    Expand(&procedure.activation);
    stack_.pop_back();
    for (size_t k = 0; k < function.results.size(); ++k) {
      Pass(procedure.results[k], own(function.results[k]), place);
    }
    code_.push_back(NewInstruction(place, Opcode::kRet, Type::kNone));
    for (size_t at = begin; at < code_.size(); ++at) {
      code_[at].procedure = static_cast<uint16_t>(i + 1);
    }
  }
}

}  // namespace flagstone::ptx
