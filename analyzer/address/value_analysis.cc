// Values: one instruction at a time.
#include "analyzer/address/value_analysis.h"

#include <fmt/core.h>

#include <cstring>
#include <utility>

#include "analyzer/address/integer_ops.h"
#include "kernels/ptx/instruction_text.h"

namespace flagstone {
namespace {

// Values that are worked out within each other: what a stack of 8 MB holds more than twice.
constexpr uint32_t kMostDepth = 1500;

}  // namespace

ValueAnalysis::ValueAnalysis(const KernelLaunch& launch, const DeviceMemory& memory,
                             const ptx::ControlFlow& flow, const LoopForest& forest, const Ssa& ssa)
    : launch_(&launch),
      memory_(&memory),
      constants_(launch, memory),
      kernel_(launch.kernel),
      flow_(&flow),
      forest_(&forest),
      ssa_(&ssa) {
  ranges_.block = launch.block;
  ranges_.grid = launch.grid;
  ranges_.counters.assign(forest.loops().size(), Interval{0, Interval::kMax});
  values_.resize(ssa.values().size());
  blocks_.resize(flow.blocks().size());
  loops_.resize(forest.loops().size());
  for (uint32_t loop = 0; loop < forest.loops().size(); ++loop) TripsOf(loop);
}

AbstractValue ValueAnalysis::Address(uint32_t pc, const ptx::Operand& memory) {
  AbstractValue base = Number(Constant(0));
  if (memory.has_register_base) {
    base = EvaluateAt(ssa_->Read(pc, memory.reg), flow_->BlockOf(pc));
    if (!base.form) return base;
  } else if (memory.variable != nullptr) {
    base = VariableAddress(pc, memory);
    return base;
  } else {
    base = Number(Constant(static_cast<int64_t>(memory.bits)));
  }
  if (!AddScaled(*base.form, Constant(memory.offset), 1)) {
    return UnknownAt(kernel_->instructions[pc], "an address beyond 64 bits");
  }
  return base;
}

AbstractValue ValueAnalysis::Evaluate(ValueId value) {
  ValueMemo& memo = values_[value];
  if (memo.state == State::kNew && ssa_->values()[value].kind == SsaValue::Kind::kPhi) {
    // What is derived from a loop's values needs the range of its counter.
    const uint32_t loop = forest_->HeaderOf(ssa_->values()[value].block);
    if (loop != kNoLoop) TripsOf(loop);
  }
  if (memo.state == State::kDone) return memo.value;
  if (memo.state == State::kRunning) return Unknown("a value that depends on itself");
  if (depth_ == kMostDepth) return Unknown("a value that too many others are computed for");
  memo.state = State::kRunning;
  ++depth_;
  AbstractValue result;
  switch (ssa_->values()[value].kind) {
    case SsaValue::Kind::kUndefined:
      result = Unknown("a register that was never written");
      break;
    case SsaValue::Kind::kInstruction:
      result = EvaluateInstruction(value);
      break;
    case SsaValue::Kind::kPhi:
      result = EvaluatePhi(value);
      break;
  }
  --depth_;
  memo.state = State::kDone;
  memo.value = result;
  trail_.emplace_back(Kind::kValue, value);
  return result;
}

AbstractValue ValueAnalysis::EvaluateAt(ValueId value, ptx::BlockId block) {
  return LeaveLoops(Evaluate(value), ssa_->values()[value].block, block);
}

AbstractValue ValueAnalysis::EvaluateInstruction(ValueId value) {
  const SsaValue& defined = ssa_->values()[value];
  const ptx::Instruction& instruction = kernel_->instructions[defined.pc];
  if (!instruction.guard) return Execute(defined.pc, defined.reg);
  const ConditionPtr runs = GuardCondition(defined.pc);
  if (runs->kind == Condition::Kind::kTrue) return Execute(defined.pc, defined.reg);
  AbstractValue kept = EvaluateAt(defined.operands[0], defined.block);
  if (runs->kind == Condition::Kind::kFalse) return kept;
  AbstractValue written = Execute(defined.pc, defined.reg);
  if (written.form && kept.form && *written.form == *kept.form) return written;
  if (IsPredicate(value) && written.condition && kept.condition) {
    return Predicate(Or(And(runs, written.condition), And(Not(runs), kept.condition)));
  }
  return UnknownAt(instruction, "written under a condition",
                   written.region == kept.region ? written.region : -1);
}

RangeContext ValueAnalysis::ContextAt(ptx::BlockId block) {
  return {&ranges_, [this, block] { return GuardsOf(block); }, supposing_ > 0};
}

AbstractValue ValueAnalysis::Execute(uint32_t pc, ptx::RegisterId written) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  if (instruction.opcode == ptx::Opcode::kLd) {
    if (instruction.space == ptx::Space::kParam) return LoadParameter(pc, written);
    if (instruction.space == ptx::Space::kConst) return LoadConstant(pc, written);
    return UnknownAt(instruction, "a loaded value");
  }
  if (instruction.opcode == ptx::Opcode::kUnsupported) {
    const AbstractValue unknown = UnknownAt(
        instruction, fmt::format("'{}' is not executed", ptx::PartsOf(instruction.text).opcode));
    const bool is_predicate = kernel_->registers[written].type == ptx::Type::kPred;
    return is_predicate ? Predicate(UnknownCondition(unknown.reason)) : unknown;
  }
  if (instruction.opcode == ptx::Opcode::kLdmatrix) return UnknownAt(instruction, "a loaded value");
  if (instruction.opcode == ptx::Opcode::kAtom) return UnknownAt(instruction, "an atomic's result");
  if (instruction.opcode == ptx::Opcode::kAllocate)
    return UnknownAt(instruction, "malloc's result");
  if (instruction.opcode == ptx::Opcode::kMbarrier)
    return UnknownAt(instruction, "a barrier's state");
  if (instruction.opcode == ptx::Opcode::kMapa || instruction.opcode == ptx::Opcode::kGetctarank ||
      instruction.opcode == ptx::Opcode::kSuld || instruction.opcode == ptx::Opcode::kTxq) {
    return UnknownAt(instruction, ptx::ToString(instruction.opcode));
  }
  if (instruction.opcode == ptx::Opcode::kElect) return ElectedLane(pc, written);
  const std::span<const ptx::Operand> operands = instruction.operands;
  if (operands.empty() || operands[0].kind == ptx::Operand::Kind::kVector) {
    return UnknownAt(instruction, "an unpacked value");
  }
  std::vector<AbstractValue> sources;
  for (const ptx::Operand& operand : operands.subspan(instruction.destinations)) {
    const bool converts = instruction.opcode == ptx::Opcode::kCvt;
    sources.push_back(
        OperandValue(pc, operand, converts ? instruction.source_type : instruction.type));
  }
  if (sources.empty()) return UnknownAt(instruction, ptx::ToString(instruction.opcode));
  const bool second = instruction.destinations > 1 &&
                      operands[1].kind == ptx::Operand::Kind::kRegister &&
                      operands[1].reg == written;
  AbstractValue result = Apply(instruction, sources, second, ContextAt(flow_->BlockOf(pc)));
  if (!result.form && !result.condition && instruction.type == ptx::Type::kPred) {
    result = Predicate(UnknownCondition(result.reason));
  }
  return result;
}

// Of a whole warp lane 0 is elected. Its number stands first, then a predicate that it alone finds
// true.
AbstractValue ValueAnalysis::ElectedLane(uint32_t pc, ptx::RegisterId written) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  const AbstractValue members = OperandValue(pc, instruction.operands.back(), ptx::Type::kB32);
  const bool whole = members.form && IsConstant(*members.form) &&
                     static_cast<uint32_t>(members.form->constant) == ~uint32_t{0};
  const ptx::Operand& number = instruction.operands[0];
  if (number.kind == ptx::Operand::Kind::kRegister && number.reg == written) {
    return whole ? Number(Constant(0)) : UnknownAt(instruction, "an elected lane");
  }
  const AbstractValue lane = SpecialValue(pc, ptx::SpecialRegister::kLaneid);
  AffineForm below;
  if (!whole || !lane.form || !AddScaled(below, *lane.form, -1)) {
    return Predicate(UnknownCondition(UnknownAt(instruction, "an elected lane").reason));
  }
  return Predicate(AtLeastZero(below, ranges_));
}

AbstractValue ValueAnalysis::OperandValue(uint32_t pc, const ptx::Operand& operand,
                                          ptx::Type type) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  switch (operand.kind) {
    case ptx::Operand::Kind::kRegister: {
      AbstractValue value = EvaluateAt(ssa_->Read(pc, operand.reg), flow_->BlockOf(pc));
      if (operand.negated && value.condition) return Predicate(Not(value.condition));
      return value;
    }
    case ptx::Operand::Kind::kImmediate:
      if (type == ptx::Type::kPred) return Predicate(operand.bits != 0 ? Always() : Never());
      if (ptx::IsFloat(operand.immediate_type) || ptx::IsFloat(type)) {
        return UnknownAt(instruction, "a floating-point value");
      }
      return Number(Constant(static_cast<int64_t>(operand.bits)));
    case ptx::Operand::Kind::kSpecial:
      return SpecialValue(pc, operand.special);
    case ptx::Operand::Kind::kAddress:
      return VariableAddress(pc, operand);
    default:
      return UnknownAt(instruction, "a packed value");
  }
}

AbstractValue ValueAnalysis::VariableAddress(uint32_t pc, const ptx::Operand& operand) {
  const auto found = launch_->symbols.find(operand.variable->name);
  const ptx::Space space = operand.variable->space;
  const bool global = space == ptx::Space::kGlobal || space == ptx::Space::kConst;
  if (!global || found == launch_->symbols.end()) {
    return UnknownAt(kernel_->instructions[pc],
                     fmt::format("an address in {} memory", ptx::ToString(space)));
  }
  const DeviceMemory::Region* region = memory_->Find(found->second, 1);
  return Number(Constant(static_cast<int64_t>(found->second) + operand.offset),
                region == nullptr ? -1 : static_cast<int>(region - memory_->regions().data()));
}

AbstractValue ValueAnalysis::SpecialValue(uint32_t pc, ptx::SpecialRegister special) {
  using Special = ptx::SpecialRegister;
  const Dim3& block = launch_->block;
  const Dim3& grid = launch_->grid;
  const auto symbol = [](uint32_t extent, auto& coefficient, AffineForm& form) {
    if (extent > 1) coefficient = 1;
    return Number(form);
  };
  AffineForm form;
  switch (special) {
    case Special::kTidX:
      return symbol(block.x, form.tid[0], form);
    case Special::kTidY:
      return symbol(block.y, form.tid[1], form);
    case Special::kTidZ:
      return symbol(block.z, form.tid[2], form);
    case Special::kCtaidX:
      return symbol(grid.x, form.ctaid[0], form);
    case Special::kCtaidY:
      return symbol(grid.y, form.ctaid[1], form);
    case Special::kCtaidZ:
      return symbol(grid.z, form.ctaid[2], form);
    case Special::kNtidX:
      return Number(Constant(block.x));
    case Special::kNtidY:
      return Number(Constant(block.y));
    case Special::kNtidZ:
      return Number(Constant(block.z));
    case Special::kNctaidX:
      return Number(Constant(grid.x));
    case Special::kNctaidY:
      return Number(Constant(grid.y));
    case Special::kNctaidZ:
      return Number(Constant(grid.z));
    case Special::kDynamicSmemSize:
      return Number(Constant(launch_->dynamic_shared_bytes));
    case Special::kTotalSmemSize:
      return Number(Constant(launch_->OwnSharedBytes()));
    case Special::kReservedSmemBegin:
      return Number(Constant(launch_->ReservedSharedBegin()));
    case Special::kReservedSmemEnd:
      return Number(Constant(launch_->SharedBytes()));
    case Special::kReservedSmemSize:
      return Number(Constant(KernelLaunch::kReservedSharedBytes));
    case Special::kLaneid:
    case Special::kWarpid: {
      const int64_t row = block.x;
      form.tid = {block.x > 1 ? 1 : 0, block.y > 1 ? row : 0, block.z > 1 ? row * block.y : 0};
      AffineForm warp;
      AffineForm lane;
      if (!Split(form, 32, ContextAt(flow_->BlockOf(pc)), warp, lane)) break;
      return Number(special == Special::kLaneid ? lane : warp);
    }
    default:
      break;
  }
  return UnknownAt(kernel_->instructions[pc], "a special register");
}

// At a place that varies it is left to those that evaluate slices.
AbstractValue ValueAnalysis::LoadConstant(uint32_t pc, ptx::RegisterId written) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  const AbstractValue address = Address(pc, *instruction.Address());
  if (!address.form || !IsConstant(*address.form) || ptx::IsFloat(instruction.type)) {
    return UnknownAt(instruction, "a value from a table");
  }
  const std::vector<ptx::Operand>& elements = instruction.operands[0].elements;
  const auto bytes = static_cast<uint64_t>(ptx::SizeInBytes(instruction.type));
  uint64_t element = 0;
  while (element < elements.size() && elements[element].reg != written) ++element;
  const auto at = static_cast<uint64_t>(address.form->constant) + element * bytes;
  const std::optional<uint64_t> bits = constants_.Read(at, instruction.type);
  if (!bits) return UnknownAt(instruction, "a value from a table");
  const DeviceMemory::Region* region =
      8 * bytes == static_cast<uint64_t>(launch_->module->address_size) ? memory_->Find(*bits, 1)
                                                                        : nullptr;
  return Number(Constant(static_cast<int64_t>(*bits)),
                region == nullptr ? -1 : static_cast<int>(region - memory_->regions().data()));
}

AbstractValue ValueAnalysis::LoadParameter(uint32_t pc, ptx::RegisterId written) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  const ptx::Operand& destination = instruction.operands[0];
  const ptx::Operand& memory = instruction.operands.back();
  const auto bytes = static_cast<uint64_t>(ptx::SizeInBytes(instruction.type));
  uint64_t element = 0;
  while (element < destination.elements.size() && destination.elements[element].reg != written) {
    ++element;
  }
  if (memory.variable == nullptr || memory.has_register_base || bytes == 0) {
    return UnknownAt(instruction, "a parameter at a varying place");
  }
  if (ptx::IsFloat(instruction.type)) return UnknownAt(instruction, "a floating-point value");
  const uint64_t at =
      memory.variable->offset + static_cast<uint64_t>(memory.offset) + element * bytes;
  if (at + bytes > launch_->parameters.size()) {
    return UnknownAt(instruction, "a parameter that the launch does not give");
  }
  uint64_t bits = 0;
  std::memcpy(&bits, launch_->parameters.data() + at, bytes);
  const int64_t value = ptx::IsSigned(instruction.type)
                            ? SignExtend(bits, static_cast<int>(8 * bytes))
                            : static_cast<int64_t>(bits);
  const DeviceMemory::Region* region =
      8 * bytes == static_cast<uint64_t>(launch_->module->address_size) ? memory_->Find(bits, 1)
                                                                        : nullptr;
  return Number(Constant(value),
                region == nullptr ? -1 : static_cast<int>(region - memory_->regions().data()));
}

}  // namespace flagstone
