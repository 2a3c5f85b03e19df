// The code of FrameMaker: calls, returns, results, alloca.
#include <vector>

#include "kernels/ptx/frame_maker.h"
#include "kernels/ptx/make_operand.h"

namespace flagstone::ptx {

Instruction& FrameMaker::Add(Opcode opcode, Type type, std::vector<Operand> operands,
                             uint8_t destinations) {
  Instruction& instruction = code_.emplace_back();
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.operands = std::move(operands);
  instruction.destinations = destinations;
  instruction.location = at_->location;
  instruction.text = at_->text;
  return instruction;
}

void FrameMaker::AddAccess(bool load, Type type, RegisterId value, uint64_t offset) {
  Operand memory;
  memory.kind = Operand::Kind::kMemory;
  memory.has_register_base = true;
  memory.reg = frame_;
  memory.offset = static_cast<int64_t>(offset);
  const Operand own = RegisterOperand(value);
  Instruction& access =
      load ? Add(Opcode::kLd, type, {own, memory}, 1) : Add(Opcode::kSt, type, {memory, own}, 0);
  access.space = Space::kLocal;
}

void FrameMaker::AddTransfer(bool load, RegisterId reg, uint64_t offset) {
  const Type type = kernel_.registers[reg].type;
  if (type != Type::kPred) {
    const int bytes = SizeInBytes(type);
    const Type bits = bytes == 8 ? Type::kB64 : bytes == 4 ? Type::kB32 : Type::kB16;
    return AddAccess(load, bits, reg, offset);
  }
  const RegisterId number = NewRegister("%saved", Type::kU32);
  if (load) {
    AddAccess(true, Type::kU32, number, offset);
    Add(Opcode::kSetp, Type::kU32,
        {RegisterOperand(reg), RegisterOperand(number), NumberOperand(0)}, 1)
        .modifiers.comparison = Comparison::kNe;
  } else {
    Add(Opcode::kSelp, Type::kU32,
        {RegisterOperand(number), NumberOperand(1), NumberOperand(0), RegisterOperand(reg)}, 1);
    AddAccess(false, Type::kU32, number, offset);
  }
}

void FrameMaker::AddOverflowCheck(RegisterId top, RegisterId frame) {
  const RegisterId over = NewRegister("%over", Type::kPred);
  Add(Opcode::kSetp, pointer_,
      {RegisterOperand(over), RegisterOperand(top), Special(SpecialRegister::kStackEnd)}, 1)
      .modifiers.comparison = Comparison::kGt;
  Add(Opcode::kStackOverflow, pointer_, {RegisterOperand(frame)}, 0).guard = over;
}

// The callee's frame begins where the stack ends.
void FrameMaker::AddCall(uint32_t pc) {
  const size_t number = next_site_++;
  const FrameSite& site = sites_[number];
  const FrameProcedure& caller = procedures_[kernel_.instructions[pc].procedure];
  const FrameProcedure& callee = procedures_[kernel_.instructions[pc].operands[0].bits];
  for (const RegisterId reg : site.preserved) AddTransfer(false, reg, caller.slots.at(reg));
  const RegisterId link = NewRegister("%link", pointer_);
  const RegisterId which = NewRegister("%which", Type::kU32);
  AddMove(pointer_, RegisterOperand(link), RegisterOperand(frame_));
  AddMove(pointer_, RegisterOperand(frame_), RegisterOperand(top_));
  Add(Opcode::kAdd, pointer_,
      {RegisterOperand(top_), RegisterOperand(top_),
       NumberOperand(AlignTo(callee.frame_bytes, kFrameAlignment))},
      1);
  AddOverflowCheck(top_, link);
  AddMove(Type::kU32, RegisterOperand(which), NumberOperand(number));
  AddAccess(false, Type::kU32, which, 0);
  AddAccess(false, pointer_, link, kLinkOffset);
  old_targets_.emplace_back(code_.size(), *callee.entry);
  Add(Opcode::kBra, Type::kNone, {LabelOperand(0)}, 0);
  sites_[number].return_pc = static_cast<uint32_t>(code_.size());
  for (const RegisterId reg : site.preserved) AddTransfer(true, reg, caller.slots.at(reg));
}

void FrameMaker::AddReturn(const Instruction& at) {
  const std::vector<size_t>& sites = procedures_[at.procedure].sites;
  const RegisterId which = NewRegister("%which", Type::kU32);
  const RegisterId here = NewRegister("%here", Type::kPred);
  AddAccess(true, Type::kU32, which, 0);
  AddMove(pointer_, RegisterOperand(top_), RegisterOperand(frame_));
  AddAccess(true, pointer_, frame_, kLinkOffset);
  for (size_t i = 0; i < sites.size(); ++i) {
    const bool last = i + 1 == sites.size();
    if (!last) {
      Add(Opcode::kSetp, Type::kU32,
          {RegisterOperand(here), RegisterOperand(which), NumberOperand(sites[i])}, 1)
          .modifiers.comparison = Comparison::kEq;
    }
    returns_.emplace_back(code_.size(), sites[i]);
    Instruction& branch = Add(Opcode::kBra, Type::kNone, {LabelOperand(0)}, 0);
    if (!last) branch.guard = here;
  }
}

Operand FrameMaker::Widened(const Operand& operand, Type type) {
  if (SizeInBytes(type) == SizeInBytes(pointer_)) return operand;
  const Operand wide = RegisterOperand(NewRegister("%wide", pointer_));
  Add(Opcode::kCvt, pointer_, {wide, operand}, 1).source_type = type;
  return wide;
}

void FrameMaker::AddResult(Type type, const Operand& to, const Operand& pointer) {
  if (SizeInBytes(type) == SizeInBytes(pointer_)) return AddMove(type, to, pointer);
  Add(Opcode::kCvt, type, {to, pointer}, 1).source_type = pointer_;
}

// alloca pointer, size{, alignment}: the stack grows by a multiple of its alignment.
void FrameMaker::AddAlloca(const Instruction& alloca) {
  std::optional<size_t> around;
  if (alloca.guard) {
    around = code_.size();
    Instruction& branch = Add(Opcode::kBra, Type::kNone, {LabelOperand(0)}, 0);
    branch.guard = alloca.guard;
    branch.guard_negated = !alloca.guard_negated;
  }
  const Operand size = Widened(alloca.operands[1], alloca.type);
  const uint64_t alignment = alloca.operands.size() > 2 ? alloca.operands[2].bits : 8;
  const Operand begin = RegisterOperand(NewRegister("%begin", pointer_));
  const Operand end = RegisterOperand(NewRegister("%end", pointer_));
  const RegisterId over = NewRegister("%over", Type::kPred);
  const auto up = [&](const Operand& to, const Operand& from, uint64_t multiple) {
    Add(Opcode::kAdd, pointer_, {to, from, NumberOperand(multiple - 1)}, 1);
    Add(Opcode::kAnd, pointer_ == Type::kU64 ? Type::kB64 : Type::kB32,
        {to, to, NumberOperand(~(multiple - 1))}, 1);
  };
  if (alignment > kFrameAlignment) {
    up(begin, RegisterOperand(top_), alignment);
  } else {
    AddMove(pointer_, begin, RegisterOperand(top_));
  }
  Add(Opcode::kAdd, pointer_, {end, begin, size}, 1);
  up(end, end, kFrameAlignment);
  Add(Opcode::kSetp, pointer_, {RegisterOperand(over), end, begin}, 1).modifiers.comparison =
      Comparison::kLt;  // a size beyond all memory
  Add(Opcode::kStackOverflow, pointer_, {RegisterOperand(frame_)}, 0).guard = over;
  AddOverflowCheck(end.reg, frame_);
  AddMove(pointer_, RegisterOperand(top_), end);
  AddResult(alloca.type, alloca.operands[0], begin);
  if (around) code_[*around].operands[0].target = static_cast<uint32_t>(code_.size());
}

}  // namespace flagstone::ptx
