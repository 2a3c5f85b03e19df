#include "kernels/ptx/frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/frame_maker.h"
#include "kernels/ptx/liveness.h"
#include "kernels/ptx/make_operand.h"

namespace flagstone::ptx {
namespace {

constexpr size_t kMostSaved = size_t{1} << 16;  // registers, by all calls of a kernel

bool IsStackWord(Opcode opcode) {
  return opcode == Opcode::kAlloca || opcode == Opcode::kStacksave ||
         opcode == Opcode::kStackrestore || opcode == Opcode::kProcedureCall;
}

}  // namespace

void FrameMaker::Run() {
  if (!FindProcedures()) return;
  kernel_.uses_stack = true;
  PlaceVariables();
  if (!sites_.empty()) FindPreserved();
  if (!kernel_.refusals.empty()) {
    // It does not run: what stands for frames would only confuse who reads it.
    for (Instruction& instruction : kernel_.instructions) {
      if (IsStackWord(instruction.opcode)) instruction.opcode = Opcode::kUnsupported;
    }
    return;
  }
  Rewrite();
  std::erase_if(kernel_.locals, [](const auto& variable) { return variable->in_frame; });
}

bool FrameMaker::FindProcedures() {
  bool found = false;
  procedures_.resize(1);
  for (uint32_t pc = 0; pc < kernel_.instructions.size(); ++pc) {
    const Instruction& instruction = kernel_.instructions[pc];
    found |= IsStackWord(instruction.opcode);
    if (instruction.procedure >= procedures_.size()) procedures_.resize(instruction.procedure + 1U);
    FrameProcedure& procedure = procedures_[instruction.procedure];
    if (!procedure.entry) procedure.entry = pc;
    if (instruction.opcode != Opcode::kProcedureCall) continue;
    const size_t callee = instruction.operands[0].bits;
    if (callee >= procedures_.size()) procedures_.resize(callee + 1);
    procedures_[callee].sites.push_back(sites_.size());
    sites_.push_back({.pc = pc});
  }
  return found;
}

void FrameMaker::PlaceVariables() {
  const auto place = [&](const Instruction& at, const Variable* variable) {
    if (variable == nullptr || !variable->in_frame || places_.contains(variable)) return;
    if (variable->alignment > kFrameAlignment) {
      kernel_.refusals.push_back(
          {at.location, at.text,
           fmt::format("expected an alignment of at most {} bytes of {} in a recursive function",
                       kFrameAlignment, variable->name)});
    }
    places_[variable] =
        procedures_[at.procedure].Place(variable->SizeInBytes(), variable->alignment);
  };
  for (const Instruction& instruction : kernel_.instructions) {
    for (const Operand& operand : instruction.operands) {
      place(instruction, operand.variable);
      for (const Operand& element : operand.elements) place(instruction, element.variable);
    }
  }
}

// Which registers a call must preserve: those that a procedure needs after it, and that procedures
// write.
void FrameMaker::FindPreserved() {
  const ControlFlow flow(kernel_);
  const Liveness liveness(kernel_, flow);
  std::vector<uint64_t> live;
  for (FrameSite& site : sites_) {
    if (kernel_.instructions[site.pc].procedure == 0) continue;
    const BlockId block = flow.BlockOf(site.pc);
    liveness.AtEnd(block, &live);
    for (uint32_t pc = flow.blocks()[block].end; --pc > site.pc;) {
      const Instruction& instruction = kernel_.instructions[pc];
      if (!instruction.guard) {
        ForEachWritten(instruction,
                       [&](RegisterId reg) { live[reg / 64] &= ~(uint64_t{1} << (reg % 64)); });
      }
      ForEachRead(instruction,
                  [&](RegisterId reg) { live[reg / 64] |= uint64_t{1} << (reg % 64); });
    }
    Preserve(&site, live);
  }
  size_t saved = 0;
  for (const FrameSite& site : sites_) saved += site.preserved.size();
  if (saved > kMostSaved) {
    const Instruction& at = kernel_.instructions[sites_[0].pc];
    kernel_.refusals.push_back(
        {at.location, at.text,
         fmt::format("expected at most {} registers that the calls of recursive functions "
                     "preserve, found {}",
                     kMostSaved, saved)});
  }
}

void FrameMaker::Preserve(FrameSite* site, const std::vector<uint64_t>& live) {
  FrameProcedure& procedure = procedures_[kernel_.instructions[site->pc].procedure];
  for (size_t word = 0; word < live.size(); ++word) {
    for (uint64_t rest = live[word]; rest != 0; rest &= rest - 1) {
      const auto reg =
          static_cast<RegisterId>(64 * word) + static_cast<RegisterId>(__builtin_ctzll(rest));
      const Register& found = kernel_.registers[reg];
      if (found.name.starts_with(kPassed)) continue;
      site->preserved.push_back(reg);
      if (procedure.slots.contains(reg)) continue;
      const auto bytes = static_cast<uint64_t>(std::max(4, SizeInBytes(found.type)));
      procedure.slots[reg] = procedure.Place(bytes, bytes);
    }
  }
}

// A variable of the frame becomes an address from the frame on.
void FrameMaker::ReplaceByFrame(Instruction* instruction, Operand* operand) {
  const auto place = places_.find(operand->variable);
  if (operand->variable == nullptr || place == places_.end()) return;
  const auto offset = static_cast<int64_t>(place->second) + operand->offset;
  if (operand->kind == Operand::Kind::kMemory) {
    operand->variable = nullptr;
    operand->has_register_base = true;
    operand->reg = frame_;
    operand->offset = offset;
    if (instruction->space == Space::kGeneric) instruction->space = Space::kLocal;
    return;
  }
  const Operand address = RegisterOperand(NewRegister("%in_frame", pointer_));
  Add(Opcode::kAdd, pointer_,
      {address, RegisterOperand(frame_), NumberOperand(static_cast<uint64_t>(offset))}, 1);
  const bool narrow =
      instruction->type != Type::kNone && SizeInBytes(instruction->type) < SizeInBytes(pointer_);
  if (!narrow) {
    *operand = address;
    return;
  }
  const Operand cut = RegisterOperand(NewRegister("%in_frame", Type::kU32));
  AddResult(Type::kU32, cut, address);
  *operand = cut;
}

void FrameMaker::AddInFrame(const Instruction& instruction) {
  Instruction copy = instruction;
  copy.procedure = 0;
  for (Operand& operand : copy.operands) {
    ReplaceByFrame(&copy, &operand);
    for (Operand& element : operand.elements) ReplaceByFrame(&copy, &element);
  }
  if (copy.opcode == Opcode::kBra) {
    old_targets_.emplace_back(code_.size(), copy.operands[0].target);
  }
  code_.push_back(std::move(copy));
}

void FrameMaker::RewriteOne(uint32_t pc) {
  const Instruction& instruction = kernel_.instructions[pc];
  at_ = &instruction;
  const size_t begin = code_.size();
  switch (instruction.opcode) {
    case Opcode::kProcedureCall:
      return AddCall(pc);
    case Opcode::kAlloca:
      return AddAlloca(instruction);
    case Opcode::kStacksave:
      AddResult(instruction.type, instruction.operands[0], RegisterOperand(top_));
      break;
    case Opcode::kStackrestore:
      AddMove(pointer_, RegisterOperand(top_), Widened(instruction.operands[0], instruction.type));
      break;
    case Opcode::kRet:
      if (instruction.procedure != 0) return AddReturn(instruction);
      [[fallthrough]];
    default:
      return AddInFrame(instruction);
  }
  for (size_t i = begin; i < code_.size(); ++i) {
    code_[i].guard = instruction.guard;
    code_[i].guard_negated = instruction.guard_negated;
  }
}

void FrameMaker::Rewrite() {
  frame_ = NewRegister("%frame", pointer_);
  top_ = NewRegister("%top", pointer_);
  code_.reserve(2 * kernel_.instructions.size());
  at_ = &kernel_.instructions[0];
  AddMove(pointer_, RegisterOperand(top_), Special(SpecialRegister::kStackBegin));
  AddMove(pointer_, RegisterOperand(frame_), NumberOperand(~uint64_t{0}));
  std::vector<uint32_t> moved(kernel_.instructions.size() + 1);
  for (uint32_t pc = 0; pc < kernel_.instructions.size(); ++pc) {
    moved[pc] = static_cast<uint32_t>(code_.size());
    RewriteOne(pc);
  }
  moved.back() = static_cast<uint32_t>(code_.size());
  for (const auto& [branch, target] : old_targets_)
    code_[branch].operands[0].target = moved[target];
  for (const auto& [branch, site] : returns_) {
    code_[branch].operands[0].target = sites_[site].return_pc;
  }
  kernel_.instructions = std::move(code_);
}

void MakeFrames(Kernel* kernel, int address_bits) { FrameMaker(kernel, address_bits).Run(); }

}  // namespace flagstone::ptx
