#include "analyzer/ladm/prime_expansion.h"

#include <algorithm>

#include "analyzer/address/integer_ops.h"

namespace flagstone {
namespace {

using Kind = Prime::Kind;
using ptx::Opcode;

constexpr size_t kMaxTerms = 256;
constexpr size_t kMostDepth = 1500;  // values worked out within each other: as the stack holds

// What an instruction that is not executed gives is data as well: nothing is known of it.
bool GivesData(const ptx::Instruction& i) {
  return i.opcode == Opcode::kLd || i.opcode == Opcode::kAtom || i.opcode == Opcode::kUnsupported;
}

// Instructions whose result is the same wherever their operands are.
bool HasOperandsAlone(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::kAbs:
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kBfe:
    case Opcode::kBfi:
    case Opcode::kBrev:
    case Opcode::kClz:
    case Opcode::kCvt:
    case Opcode::kDiv:
    case Opcode::kMad:
    case Opcode::kMax:
    case Opcode::kMin:
    case Opcode::kMul:
    case Opcode::kOr:
    case Opcode::kPopc:
    case Opcode::kRem:
    case Opcode::kSad:
    case Opcode::kSelp:
    case Opcode::kSetp:
    case Opcode::kShl:
    case Opcode::kShr:
    case Opcode::kSub:
    case Opcode::kXor:
      return i.modifiers.boolean_op == ptx::BooleanOp::kNone && !ptx::IsFloat(i.type);
    default:
      return false;
  }
}

// The special registers that are prime variables.
std::optional<Prime> PrimeOf(ptx::SpecialRegister special) {
  const auto at = static_cast<uint32_t>(special);
  const auto within = [&](ptx::SpecialRegister first, Kind kind) -> std::optional<Prime> {
    const auto start = static_cast<uint32_t>(first);
    if (at < start || at > start + 2) return std::nullopt;
    return Prime{kind, at - start};
  };
  using Special = ptx::SpecialRegister;
  if (const auto prime = within(Special::kTidX, Kind::kTid)) return prime;
  if (const auto prime = within(Special::kNtidX, Kind::kNtid)) return prime;
  if (const auto prime = within(Special::kCtaidX, Kind::kCtaid)) return prime;
  return within(Special::kNctaidX, Kind::kNctaid);
}

}  // namespace

PrimeExpansion::PrimeExpansion(const KernelLaunch& launch, const KernelStructure& structure,
                               ValueAnalysis& values)
    : launch_(&launch), structure_(&structure), values_(&values) {}

Polynomial PrimeExpansion::Address(uint32_t pc, const ptx::Operand& memory) {
  Polynomial address;
  if (memory.has_register_base) {
    const ptx::BlockId block = structure_->flow.BlockOf(pc);
    address = Resolve(EvaluateAt(structure_->ssa.Read(pc, memory.reg), block), kNoLoop);
  }
  return address.AddScaled(Polynomial(memory.offset), 1);
}

Polynomial PrimeExpansion::AddOpaque(Opaque opaque) {
  opaque_.push_back(std::move(opaque));
  return Polynomial(Prime{Kind::kOther, static_cast<uint32_t>(opaque_.size() - 1)});
}

// Equal operations on equal operands are one value, wherever the compiler left them.
Polynomial PrimeExpansion::AddOpaque(Operation operation, Opaque opaque) {
  const auto next = static_cast<uint32_t>(opaque_.size());
  const auto [known, is_new] = operations_.try_emplace(std::move(operation), next);
  if (is_new) return AddOpaque(std::move(opaque));
  return Polynomial(Prime{Kind::kOther, known->second});
}

Polynomial PrimeExpansion::EvaluateAt(ValueId value, ptx::BlockId block) {
  return LeaveLoops(Evaluate(value), structure_->ssa.values()[value].block, block);
}

Polynomial PrimeExpansion::Evaluate(ValueId value) {
  const auto found = known_.find(value);
  if (found != known_.end()) return found->second;
  const SsaValue& defined = structure_->ssa.values()[value];
  Polynomial result;
  if (defined.kind == SsaValue::Kind::kUndefined || running_.size() == kMostDepth ||
      !running_.insert(value).second) {
    return AddOpaque({});
  }
  if (defined.kind == SsaValue::Kind::kInstruction) {
    result = EvaluateInstruction(value);
  } else if (structure_->forest.HeaderOf(defined.block) != kNoLoop) {
    result = Polynomial(Prime{Kind::kCarried, value});
  } else {
    result = Merge(value);
  }
  running_.erase(value);
  if (result.terms().size() > kMaxTerms) result = AddOpaque({{}, Of(result).data, {}, 0});
  known_[value] = result;
  return result;
}

Polynomial PrimeExpansion::EvaluateInstruction(ValueId value) {
  const SsaValue& defined = structure_->ssa.values()[value];
  const ptx::Instruction& i = launch_->kernel->instructions[defined.pc];
  if (i.opcode == Opcode::kLd && i.space == ptx::Space::kParam && !i.guard &&
      i.modifiers.vector == 1 && i.operands.back().variable != nullptr &&
      !i.operands.back().has_register_base) {
    return Parameter(i);
  }
  std::vector<Polynomial> sources;
  Opaque opaque;
  opaque.line = i.location.line;
  // A number that .const memory holds is like an argument; at a place that varies it is data:
  // LADM's compiler sees a load.
  const bool fixed = i.space == ptx::Space::kConst && values_->ValueOf(value).form.has_value();
  opaque.data = GivesData(i) && i.space != ptx::Space::kParam && !fixed;
  if (opaque.data) opaque.loops = LoopsAround(defined.block);
  for (const ptx::Operand& operand : std::span(i.operands).subspan(i.destinations)) {
    sources.push_back(Operand(defined.pc, operand));
  }
  opaque.operands = sources;
  if (i.guard) {
    opaque.operands.push_back(
        EvaluateAt(structure_->ssa.Read(defined.pc, *i.guard), defined.block));
    opaque.operands.push_back(EvaluateAt(defined.operands[0], defined.block));
    return AddOpaque(std::move(opaque));
  }
  if (opaque.data || i.destinations != 1) return AddOpaque(std::move(opaque));
  if (const std::optional<Polynomial> exact = Arithmetic(i, sources)) return *exact;
  if (const std::optional<Polynomial> same = Unchanged(value, sources)) return *same;
  if (const std::optional<Polynomial> quotient = Divide(i, sources)) return *quotient;
  const std::optional<AffineForm> form = values_->ValueOf(value).form;
  if (form && flagstone::IsConstant(*form)) opaque.number = form->constant;
  if (!HasOperandsAlone(i)) return AddOpaque(std::move(opaque));
  Operation operation{i.opcode, i.type, i.source_type, i.modifiers.comparison, i.modifiers.mul_part,
                      {}};
  for (const Polynomial& source : sources) operation.operands.push_back(source.terms());
  return AddOpaque(std::move(operation), std::move(opaque));
}

Polynomial PrimeExpansion::Parameter(const ptx::Instruction& load) {
  const ptx::Operand& memory = load.operands.back();
  return Polynomial(
      Prime{Kind::kParameter,
            static_cast<uint32_t>(memory.variable->offset + static_cast<uint64_t>(memory.offset))});
}

Polynomial PrimeExpansion::Operand(uint32_t pc, const ptx::Operand& operand) {
  const ptx::BlockId block = structure_->flow.BlockOf(pc);
  switch (operand.kind) {
    case ptx::Operand::Kind::kRegister:
      return EvaluateAt(structure_->ssa.Read(pc, operand.reg), block);
    case ptx::Operand::Kind::kMemory:
      if (operand.has_register_base) {
        return EvaluateAt(structure_->ssa.Read(pc, operand.reg), block);
      }
      break;
    case ptx::Operand::Kind::kImmediate:
      if (!ptx::IsFloat(operand.immediate_type)) {
        return Polynomial(static_cast<int64_t>(operand.bits));
      }
      break;
    case ptx::Operand::Kind::kSpecial:
      if (const std::optional<Prime> prime = PrimeOf(operand.special)) return Polynomial(*prime);
      break;
    default:
      break;
  }
  return AddOpaque({{}, false, {}, launch_->kernel->instructions[pc].location.line});
}

std::optional<Polynomial> PrimeExpansion::Arithmetic(const ptx::Instruction& i,
                                                     const std::vector<Polynomial>& s) {
  if (!IsModular(i) || ptx::IsFloat(i.source_type) || i.type == ptx::Type::kPred ||
      i.modifiers.mul_part == ptx::MulPart::kHi) {
    return std::nullopt;
  }
  const auto sum = [](Polynomial a, const Polynomial& b, int64_t scale) {
    return a.AddScaled(b, scale);
  };
  switch (i.opcode) {
    case Opcode::kMov:
    case Opcode::kCvta:
      return s[0];
    case Opcode::kCvt:
      if (ptx::SizeInBytes(i.type) < 4) return std::nullopt;
      return s[0];
    case Opcode::kAdd:
      return sum(s[0], s[1], 1);
    case Opcode::kSub:
      return sum(s[0], s[1], -1);
    case Opcode::kNeg:
      return sum(Polynomial(0), s[0], -1);
    case Opcode::kNot:
      return sum(Polynomial(-1), s[0], -1);
    case Opcode::kMul:
      return s[0] * s[1];
    case Opcode::kMad:
      return sum(s[0] * s[1], s[2], 1);
    case Opcode::kShl:
      if (!s[1].IsConstant() || s[1].Constant() < 0 || s[1].Constant() > 62) return std::nullopt;
      return s[0] * Polynomial(int64_t{1} << s[1].Constant());
    case Opcode::kOr:
      if (LeavesRoomFor(s[0], s[1]) || LeavesRoomFor(s[1], s[0])) return sum(s[0], s[1], 1);
      return std::nullopt;
    case Opcode::kBfi:
      return Inserted(i, s);
    default:
      return std::nullopt;
  }
}

// At this launch the instruction may only hand one of its sources on, or an `or` may add.
std::optional<Polynomial> PrimeExpansion::Unchanged(ValueId value,
                                                    const std::vector<Polynomial>& sources) {
  const SsaValue& defined = structure_->ssa.values()[value];
  const ptx::Instruction& i = launch_->kernel->instructions[defined.pc];
  const std::optional<AffineForm> result = values_->ValueOf(value).form;
  if (!result || flagstone::IsConstant(*result)) return std::nullopt;
  std::vector<std::optional<AffineForm>> forms;
  for (size_t k = 0; k < sources.size(); ++k) {
    forms.push_back(FormOf(defined.pc, i.operands[i.destinations + k]));
    if (forms.back() && *forms.back() == *result) return sources[k];
  }
  if (i.opcode == Opcode::kOr && forms[0] && forms[1] &&
      flagstone::AddScaled(*forms[0], *forms[1], 1) && *forms[0] == *result) {
    return Polynomial(sources[0]).AddScaled(sources[1], 1);
  }
  return std::nullopt;
}

std::optional<AffineForm> PrimeExpansion::FormOf(uint32_t pc, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::kRegister) return std::nullopt;
  return values_->ValueOf(structure_->ssa.Read(pc, operand.reg)).form;
}

std::set<uint32_t> PrimeExpansion::LoopsAround(ptx::BlockId block) const {
  std::set<uint32_t> loops;
  for (uint32_t loop = structure_->forest.InnermostOf(block); loop != kNoLoop;
       loop = structure_->forest.loops()[loop].parent) {
    loops.insert(loop);
  }
  return loops;
}

}  // namespace flagstone
