// A call in a kernel: whether it can be inlined, and the code in its place.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "kernels/ptx/call_check.h"
#include "kernels/ptx/inliner.h"
#include "kernels/ptx/lexer.h"
#include "kernels/ptx/make_operand.h"

namespace flagstone::ptx {
namespace {

Instruction At(const Instruction& place, Opcode opcode) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.location = place.location;
  instruction.text = place.text;
  return instruction;
}

// "ld.param <to>, [variable]" or "st.param [variable], <from>".
Instruction Transfer(const Instruction& place, Opcode opcode, Type type, const Variable* variable,
                     const Operand& value) {
  Instruction instruction = At(place, opcode);
  instruction.type = type;
  instruction.space = Space::kParam;
  Operand memory;
  memory.kind = Operand::Kind::kMemory;
  memory.variable = variable;
  const bool load = opcode == Opcode::kLd;
  instruction.operands = load ? std::vector{value, memory} : std::vector{memory, value};
  instruction.destinations = load ? 1 : 0;
  return instruction;
}

Instruction Move(const Instruction& place, Type type, const Operand& to, const Operand& from) {
  Instruction instruction = At(place, Opcode::kMov);
  instruction.type = type;
  instruction.operands = {to, from};
  instruction.destinations = 1;
  return instruction;
}

bool Holds(const std::vector<const Function*>& list, const Function* function) {
  return std::find(list.begin(), list.end(), function) != list.end();
}

}  // namespace

std::string Inliner::ReasonAgainst(const CallSite& call, const Body& caller) const {
  if (call.callee == nullptr) {
    if (targets_.size() > kMaxPointerTargets) {
      return fmt::format("expected at most {} functions whose address is taken",
                         kMaxPointerTargets);
    }
    const std::vector<PointerTarget> candidates = CandidatesFor(call, caller);
    if (candidates.empty()) {
      return "no function of the file whose address is taken fits this call through a register";
    }
    for (const PointerTarget& candidate : candidates) {
      std::string reason = ReasonAgainstSize(*candidate.definition);
      if (!reason.empty()) return reason;
    }
    return "";
  }
  const std::string& name = call.callee->name;
  const Function* callee = call.callee->definition;
  if (callee == nullptr) {
    callee = call.callee;
    if (BuiltinOf(*callee) == Opcode::kInvalid) {
      return fmt::format("expected a function with a body, found only a prototype of {}",
                         Quote(name));
    }
  }
  const auto is_open = [](const Formal& formal) {
    return formal.variable != nullptr && formal.variable->count == 0;
  };
  const std::vector<Formal>& formals = callee->parameters;
  if (recursive_.contains(callee) && std::any_of(formals.begin(), formals.end(), is_open)) {
    return "a variadic function that calls itself is not supported";
  }
  const std::string reason = ReasonAgainstSize(*callee);
  return reason.empty() ? MismatchOf(call, *callee, *caller.code) : reason;
}

std::string Inliner::ReasonAgainstSize(const Function& callee) const {
  if (numbers_.contains(&callee)) return "";  // it is there already
  if (recursive_.contains(&callee) && procedures_.size() == UINT16_MAX) {
    return fmt::format("expected at most {} recursive functions in a kernel", UINT16_MAX);
  }
  if (stack_.size() == kMaxCallDepth) {
    return fmt::format("expected at most {} calls inside one another", kMaxCallDepth);
  }
  const size_t size = callee.code.instructions.size();
  if (inlined_ + size > kMaxInlinedInKernel || size >= budget_) {
    return fmt::format(
        "expected at most {} instructions from inlined calls in a kernel, and {} "
        "in a module",
        kMaxInlinedInKernel, kMaxInlinedInModule);
  }
  return "";
}

std::vector<PointerTarget> Inliner::CandidatesFor(const CallSite& call, const Body& caller) const {
  std::vector<PointerTarget> candidates;
  for (const PointerTarget& target : targets_) {
    if (MismatchOf(call, *target.definition, *caller.code).empty()) candidates.push_back(target);
  }
  return candidates;
}

void Inliner::ExpandCall(const CallSite& call, Activation* caller) {
  const Instruction& at = caller->body->code->instructions[call.pc];
  const std::string reason = ReasonAgainst(call, *caller->body);
  if (!reason.empty()) {
    Refuse(at, reason);
    code_.push_back(At(at, Opcode::kUnsupported));
    return;
  }
  const auto begin = code_.size();
  code_.push_back(At(at, Opcode::kCall));
  Charge(at);
  if (at.guard) {
    // Lanes whose guard does not hold go around the body.
    code_[begin].opcode = Opcode::kBra;
    code_[begin].guard = Map(*at.guard, caller);
    code_[begin].guard_negated = !at.guard_negated;
    code_[begin].operands = {LabelOperand(0)};
  }
  if (call.callee == nullptr) {
    ExpandPointerCall(call, caller);
  } else {
    const Function* const definition = call.callee->definition;
    ExpandCallee(call, definition == nullptr ? *call.callee : *definition, caller);
  }
  if (at.guard) code_[begin].operands[0].target = static_cast<uint32_t>(code_.size());
}

void Inliner::ExpandPointerCall(const CallSite& call, Activation* caller) {
  const Instruction& at = caller->body->code->instructions[call.pc];
  const RegisterId pointer = Map(call.pointer, caller);
  const Operand flag = RegisterOperand(NewRegister({"%call", Type::kPred}));
  std::vector<size_t> to_end;
  for (const PointerTarget& candidate : CandidatesFor(call, *caller->body)) {
    Instruction& compare = code_.emplace_back(At(at, Opcode::kSetp));
    compare.type = SizeInBytes(kernel_.registers[pointer].type) == 8 ? Type::kU64 : Type::kU32;
    compare.modifiers.comparison = Comparison::kEq;
    Operand address;
    address.kind = Operand::Kind::kImmediate;
    address.immediate_type = Type::kU64;
    address.bits = candidate.address;
    compare.operands = {flag, RegisterOperand(pointer), address};
    compare.destinations = 1;
    const size_t around = code_.size();
    Instruction& skip = code_.emplace_back(At(at, Opcode::kBra));
    skip.guard = flag.reg;
    skip.guard_negated = true;
    skip.operands = {LabelOperand(0)};
    Charge(at);
    ExpandCallee(call, *candidate.definition, caller);
    to_end.push_back(code_.size());
    code_.push_back(At(at, Opcode::kBra));
    code_.back().operands = {LabelOperand(0)};
    code_[around].operands[0].target = static_cast<uint32_t>(code_.size());
  }
  code_.push_back(At(at, Opcode::kTrap));
  for (const size_t branch : to_end) {
    code_[branch].operands[0].target = static_cast<uint32_t>(code_.size());
  }
}

void Inliner::ExpandCallee(const CallSite& call, const Function& callee, Activation* caller) {
  if (recursive_.contains(&callee)) return CallProcedure(call, callee, caller);
  const Instruction& at = caller->body->code->instructions[call.pc];
  const bool builtin = call.callee != nullptr && call.callee->definition == nullptr;
  Activation activation;
  activation.body = &callee.body;
  activation.function = &callee;
  std::vector<Instruction> after;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    Bind(callee.parameters[i], call.arguments[i], false, at, caller, &activation, &after);
  }
  for (size_t i = 0; i < call.results.size(); ++i) {
    Bind(callee.results[i], call.results[i], true, at, caller, &activation, &after);
  }
  if (builtin) {
    AddBuiltin(BuiltinOf(callee), callee, at, &activation);
  } else {
    if (!Holds(followed_, &callee)) {
      followed_.push_back(&callee);
      for (const Refusal& refusal : callee.code.refusals) kernel_.refusals.push_back(refusal);
    }
    // What it takes from the stack goes when it returns.
    const std::vector<Instruction>& body = callee.code.instructions;
    const bool allocates = std::any_of(
        body.begin(), body.end(), [](const Instruction& i) { return i.opcode == Opcode::kAlloca; });
    Operand top;
    if (allocates) {
      top = RegisterOperand(NewRegister({"%top", pointer_}));
      Instruction& save = code_.emplace_back(At(at, Opcode::kStacksave));
      save.type = pointer_;
      save.operands = {top};
      save.destinations = 1;
    }
    stack_.push_back(&callee);
    Expand(&activation);
    stack_.pop_back();
    if (allocates) {
      Instruction& restore = code_.emplace_back(At(at, Opcode::kStackrestore));
      restore.type = pointer_;
      restore.operands = {top};
    }
  }
  std::move(after.begin(), after.end(), std::back_inserter(code_));
}

void Inliner::Bind(const Formal& formal, const Operand& actual, bool is_result,
                   const Instruction& at, Activation* caller, Activation* callee,
                   std::vector<Instruction>* after) {
  if (actual.kind == Operand::Kind::kSink) return;
  const bool in_variable = actual.kind == Operand::Kind::kAddress;
  const Operand value = in_variable ? Operand() : Copy(actual, caller);
  std::vector<Instruction>& into = is_result ? *after : code_;
  if (formal.variable != nullptr && in_variable) {
    callee->variables[formal.variable] = Map(actual.variable, caller);
    return;
  }
  if (formal.variable != nullptr) {
    const Opcode opcode = is_result ? Opcode::kLd : Opcode::kSt;
    const Variable* const variable = Map(formal.variable, callee);
    into.push_back(Transfer(at, opcode, formal.variable->type, variable, value));
    return;
  }
  const Operand own = RegisterOperand(Map(formal.reg, callee));
  if (in_variable) {
    const Opcode opcode = is_result ? Opcode::kSt : Opcode::kLd;
    into.push_back(Transfer(at, opcode, formal.type, Map(actual.variable, caller), own));
  } else {
    into.push_back(is_result ? Move(at, formal.type, value, own)
                             : Move(at, formal.type, own, value));
  }
}

// Loads the parameters into registers, acts, and stores the result.
void Inliner::AddBuiltin(Opcode opcode, const Function& callee, const Instruction& at,
                         Activation* activation) {
  const auto as_register = [&](const Formal& formal, bool load) {
    if (formal.variable == nullptr) return RegisterOperand(Map(formal.reg, activation));
    Operand value = RegisterOperand(NewRegister({formal.variable->name, formal.variable->type}));
    const Variable* const variable = Map(formal.variable, activation);
    const Opcode transfer = load ? Opcode::kLd : Opcode::kSt;
    if (load) code_.push_back(Transfer(at, transfer, formal.variable->type, variable, value));
    return value;
  };
  Instruction action = At(at, opcode);
  action.type = callee.parameters[0].SizeInBytes() == 8 ? Type::kU64 : Type::kU32;
  for (const Formal& formal : callee.results) {
    action.operands.push_back(as_register(formal, false));
    ++action.destinations;
  }
  // The last parameter of __assertfail, the size of a character, is always 1.
  const size_t used = opcode == Opcode::kAssertFail ? 4 : callee.parameters.size();
  for (size_t i = 0; i < used; ++i) {
    action.operands.push_back(as_register(callee.parameters[i], true));
  }
  const Operand result = action.operands[0];
  code_.push_back(std::move(action));
  for (const Formal& formal : callee.results) {
    if (formal.variable == nullptr) continue;
    code_.push_back(
        Transfer(at, Opcode::kSt, formal.variable->type, Map(formal.variable, activation), result));
  }
}

}  // namespace flagstone::ptx
