#include "analyzer/ladm/prime_expansion.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace flagstone {
namespace {

using Kind = Prime::Kind;
using ptx::Opcode;

constexpr size_t kMaxTerms = 256;
constexpr size_t kMostDepth = 1500;  // values worked out within each other: as the stack holds

bool HasMemory(const ptx::Instruction& i) {
  return i.opcode == Opcode::kLd || i.opcode == Opcode::kAtom;
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

// Whether all terms are multiples of a power of two above `low`: then `or` is an addition.
bool LeavesRoomFor(const Polynomial& high, const Polynomial& low) {
  if (!low.IsConstant() || low.Constant() < 0) return false;
  uint64_t bits = 0;
  for (const auto& [monomial, coefficient] : high.terms()) {
    bits |= static_cast<uint64_t>(coefficient);
  }
  return bits == 0 || (bits & (~bits + 1)) > static_cast<uint64_t>(low.Constant());
}

}  // namespace

void Dependence::Join(const Dependence& other) {
  bx = bx || other.bx;
  by = by || other.by;
  gdimx = gdimx || other.gdimx;
  data = data || other.data;
  loops.insert(other.loops.begin(), other.loops.end());
}

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
  opaque.data = HasMemory(i) && i.space != ptx::Space::kParam;
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
  if (!opaque.data && i.destinations == 1) {
    if (const std::optional<Polynomial> exact = Arithmetic(i, sources)) return *exact;
    if (const std::optional<Polynomial> same = Unchanged(value, sources)) return *same;
  }
  return AddOpaque(std::move(opaque));
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
                                                     const std::vector<Polynomial>& s) const {
  if (ptx::IsFloat(i.type) || ptx::IsFloat(i.source_type) || i.type == ptx::Type::kPred ||
      i.modifiers.saturate || i.modifiers.mul_part == ptx::MulPart::kHi) {
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

Dependence PrimeExpansion::Of(const Prime& prime) {
  Dependence result;
  switch (prime.kind) {
    case Kind::kCtaid:
      result.bx = prime.index == 0;
      result.by = prime.index == 1;
      break;
    case Kind::kNctaid:
      result.gdimx = prime.index == 0;
      break;
    case Kind::kParameter:
      result.gdimx = ValueOf(Monomial{prime}) == RowWidth();
      break;
    case Kind::kCounter:
      result.loops.insert(prime.index);
      break;
    case Kind::kTrips:
      result.data =
          !values_->TripsOf(prime.index).uniform && !values_->TripsOf(prime.index).bounded;
      break;
    case Kind::kCarried:
      return Of(CarriedValue(prime.index));
    case Kind::kOther: {
      const auto [known, is_new] = depends_.try_emplace(prime.index);
      if (!is_new) return known->second;
      // Copied: working out the operands may add opaque values.
      const Opaque opaque = opaque_[prime.index];
      result.data = opaque.data;
      result.loops = opaque.loops;
      depends_[prime.index] = result;
      for (const Polynomial& operand : opaque.operands) result.Join(Of(operand));
      depends_[prime.index] = result;
      break;
    }
    case Kind::kTid:
    case Kind::kNtid:
      break;
  }
  return result;
}

Dependence PrimeExpansion::Of(const Monomial& monomial) {
  Dependence result;
  for (const Prime& prime : monomial) result.Join(Of(prime));
  return result;
}

Dependence PrimeExpansion::Of(const Polynomial& polynomial) {
  Dependence result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) result.Join(Of(monomial));
  return result;
}

std::optional<int64_t> PrimeExpansion::ValueOf(const Monomial& monomial) const {
  uint64_t product = 1;
  const auto axis = [](const Dim3& dim, uint32_t index) {
    return index == 0 ? dim.x : index == 1 ? dim.y : dim.z;
  };
  for (const Prime& prime : monomial) {
    if (prime.kind == Kind::kNtid) {
      product *= axis(launch_->block, prime.index);
    } else if (prime.kind == Kind::kNctaid) {
      product *= axis(launch_->grid, prime.index);
    } else if (prime.kind == Kind::kParameter && prime.index + 4 <= launch_->parameters.size()) {
      int32_t number = 0;
      std::memcpy(&number, launch_->parameters.data() + prime.index, sizeof(number));
      product *= static_cast<uint64_t>(int64_t{number});
    } else {
      return std::nullopt;
    }
  }
  return static_cast<int64_t>(product);
}

std::string PrimeExpansion::ToString(const Polynomial& polynomial, int64_t unit) const {
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  const auto name = [&](const Prime& prime) -> std::string {
    switch (prime.kind) {
      case Kind::kTid:
        return fmt::format("tid.{}", kAxes[prime.index]);
      case Kind::kCtaid:
        return fmt::format("ctaid.{}", kAxes[prime.index]);
      case Kind::kNtid:
        return fmt::format("ntid.{}", kAxes[prime.index]);
      case Kind::kNctaid:
        return fmt::format("nctaid.{}", kAxes[prime.index]);
      case Kind::kCounter:
        return fmt::format("m{}", prime.index);
      case Kind::kTrips:
        return fmt::format("last(m{})", prime.index);
      case Kind::kParameter:
        for (const auto& parameter : launch_->kernel->parameters) {
          if (parameter->offset == prime.index) return parameter->name;
        }
        return fmt::format("param+{}", prime.index);
      case Kind::kOther:
        return fmt::format("{}@{}", opaque_[prime.index].data ? "load" : "value",
                           opaque_[prime.index].line);
      case Kind::kCarried:
        break;
    }
    return "?";
  };
  std::string text;
  for (const auto& [monomial, bytes] : polynomial.terms()) {
    const int64_t coefficient = unit != 0 && bytes % unit == 0 ? bytes / unit : bytes;
    if (!text.empty()) text += coefficient < 0 ? " - " : " + ";
    if (text.empty() && coefficient < 0) text += "-";
    const uint64_t magnitude = coefficient < 0 ? uint64_t{0} - static_cast<uint64_t>(coefficient)
                                               : static_cast<uint64_t>(coefficient);
    std::string product = magnitude == 1 && !monomial.empty() ? "" : std::to_string(magnitude);
    for (const Prime& prime : monomial) {
      if (!product.empty()) product += "*";
      product += name(prime);
    }
    text += product;
  }
  return text.empty() ? "0" : text;
}

}  // namespace flagstone
