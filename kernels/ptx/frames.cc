#include "kernels/ptx/frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/ptx/control_flow.h"
#include "kernels/ptx/liveness.h"
#include "kernels/ptx/make_operand.h"

namespace flagstone::ptx {
namespace {

constexpr size_t kMostSaved = size_t{1} << 16;  // registers, by all calls of a kernel

uint64_t AlignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool IsStackWord(Opcode opcode) {
  return opcode == Opcode::kAlloca || opcode == Opcode::kStacksave ||
         opcode == Opcode::kStackrestore || opcode == Opcode::kProcedureCall;
}

// One procedure: where its code begins, and what its frames hold.
struct Procedure {
  std::optional<uint32_t> entry;  // pc in the old code
  uint64_t frame_bytes = kFrameHeader;
  std::unordered_map<RegisterId, uint64_t> slots;  // of registers that calls preserve
  std::vector<size_t> sites;                       // that call it

  uint64_t Place(uint64_t bytes, uint64_t alignment) {
    const uint64_t at = AlignTo(frame_bytes, alignment);
    frame_bytes = at + bytes;
    return at;
  }
};

// One place that calls a procedure.
struct Site {
  uint32_t pc = 0;  // in the old code
  std::vector<RegisterId> preserved;
  uint32_t return_pc = 0;  // in the new code
};

class FrameMaker {
 public:
  FrameMaker(Kernel* kernel, int address_bits)
      : kernel_(*kernel), pointer_(address_bits == 64 ? Type::kU64 : Type::kU32) {}

  void Run() {
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

 private:
  bool FindProcedures();
  void PlaceVariables();
  void FindPreserved();
  void Preserve(Site* site, const std::vector<uint64_t>& live);

  void Rewrite();
  void RewriteOne(uint32_t pc);
  void AddCall(uint32_t pc);
  void AddReturn(const Instruction& at);
  void AddAlloca(const Instruction& alloca);
  void AddInFrame(const Instruction& instruction);
  void ReplaceByFrame(Instruction* instruction, Operand* operand);

  RegisterId NewRegister(const char* name, Type type) {
    kernel_.registers.push_back({name, type});
    return static_cast<RegisterId>(kernel_.registers.size() - 1);
  }
  Instruction& Add(Opcode opcode, Type type, std::vector<Operand> operands, uint8_t destinations);
  void AddMove(Type type, const Operand& to, const Operand& from) {
    Add(Opcode::kMov, type, {to, from}, 1);
  }
  // To or from [frame + offset]; the type is that of the value.
  void AddAccess(bool load, Type type, RegisterId value, uint64_t offset);
  // The frame holds a predicate as a number.
  void AddTransfer(bool load, RegisterId reg, uint64_t offset);
  void AddOverflowCheck(RegisterId top, RegisterId frame);
  // The operand as a register of a pointer's width, whatever the instruction's is.
  Operand Widened(const Operand& operand, Type type);
  void AddResult(Type type, const Operand& to, const Operand& pointer);

  static Operand Special(SpecialRegister special) {
    Operand operand;
    operand.kind = Operand::Kind::kSpecial;
    operand.special = special;
    return operand;
  }

  Kernel& kernel_;
  const Type pointer_;
  std::vector<Procedure> procedures_;  // by number; 0 is none
  std::vector<Site> sites_;
  std::unordered_map<const Variable*, uint64_t> places_;  // of variables in frames
  size_t next_site_ = 0;
  RegisterId frame_ = 0, top_ = 0;  // of the stack
  std::vector<Instruction> code_;
  const Instruction* at_ = nullptr;                       // whose place and text new ones take
  std::vector<std::pair<size_t, uint32_t>> old_targets_;  // index in code_; pc in the old code
  std::vector<std::pair<size_t, size_t>> returns_;        // index in code_; site
};

bool FrameMaker::FindProcedures() {
  bool found = false;
  procedures_.resize(1);
  for (uint32_t pc = 0; pc < kernel_.instructions.size(); ++pc) {
    const Instruction& instruction = kernel_.instructions[pc];
    found |= IsStackWord(instruction.opcode);
    if (instruction.procedure >= procedures_.size()) procedures_.resize(instruction.procedure + 1U);
    Procedure& procedure = procedures_[instruction.procedure];
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
  for (Site& site : sites_) {
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
  for (const Site& site : sites_) saved += site.preserved.size();
  if (saved > kMostSaved) {
    const Instruction& at = kernel_.instructions[sites_[0].pc];
    kernel_.refusals.push_back(
        {at.location, at.text,
         fmt::format("expected at most {} registers that the calls of recursive functions "
                     "preserve, found {}",
                     kMostSaved, saved)});
  }
}

void FrameMaker::Preserve(Site* site, const std::vector<uint64_t>& live) {
  Procedure& procedure = procedures_[kernel_.instructions[site->pc].procedure];
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
  const Site& site = sites_[number];
  const Procedure& caller = procedures_[kernel_.instructions[pc].procedure];
  const Procedure& callee = procedures_[kernel_.instructions[pc].operands[0].bits];
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

}  // namespace

void MakeFrames(Kernel* kernel, int address_bits) { FrameMaker(kernel, address_bits).Run(); }

}  // namespace flagstone::ptx
