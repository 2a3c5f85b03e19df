// Values where paths meet: phis of branches, and what loops carry from turn to turn.
#include <utility>

#include "analyzer/address/integer_ops.h"
#include "analyzer/address/value_analysis.h"

namespace flagstone {
namespace {

constexpr int kMaxDepth = 64;  // of a chain of additions from one turn of a loop to the next

bool DependsOn(const Condition& condition, uint32_t loop) {
  if (LoopCoefficient(condition.form, loop) != 0) return true;
  for (const ConditionPtr& child : condition.children) {
    if (DependsOn(*child, loop)) return true;
  }
  return false;
}

}  // namespace

bool ValueAnalysis::IsPredicate(ValueId value) const {
  return kernel_->registers[ssa_->values()[value].reg].type == ptx::Type::kPred;
}

AbstractValue ValueAnalysis::EvaluatePhi(ValueId value) {
  const uint32_t loop = forest_->HeaderOf(ssa_->values()[value].block);
  return loop == kNoLoop ? Merge(value, false) : EvaluateHeaderPhi(value, loop);
}

// The value that all live edges bring. With `from_outside`, edges from within the loop that the
// phi's block heads do not count.
AbstractValue ValueAnalysis::Merge(ValueId phi, bool from_outside) {
  const SsaValue& defined = ssa_->values()[phi];
  const std::vector<ptx::BlockId>& before = flow_->blocks()[defined.block].predecessors;
  const ptx::Instruction& here = kernel_->instructions[flow_->blocks()[defined.block].begin];
  if (defined.operands.size() > before.size()) return Unknown("a register that was never written");
  std::optional<AbstractValue> merged;
  bool equal = true;
  ConditionPtr holds = Never();
  for (size_t i = 0; i < before.size(); ++i) {
    if (!forest_->Reachable(before[i])) continue;
    if (from_outside && forest_->Contains(forest_->HeaderOf(defined.block), before[i])) continue;
    if (EdgeIsDead(before[i], defined.block)) continue;
    const AbstractValue value = EvaluateAt(defined.operands[i], defined.block);
    if (value.condition && !from_outside) {
      holds = Or(holds, And(PathThrough(before[i], defined.block), value.condition));
    }
    if (!merged) {
      merged = value;
      continue;
    }
    if (merged->region != value.region) merged->region = -1;
    const bool same_form = merged->form && value.form && *merged->form == *value.form;
    const bool same_condition =
        merged->condition && value.condition && Equal(*merged->condition, *value.condition);
    if (same_form || same_condition) continue;
    equal = false;
    if (!value.Known()) merged->reason = value.reason;
  }
  if (!merged) return Unknown("a value that no path brings");
  if (equal) return *merged;
  if (merged->condition && !from_outside) return Predicate(holds);
  if (!merged->reason.empty()) return Unknown(merged->reason, merged->region);
  return UnknownAt(here, "paths meet with different values", merged->region);
}

AbstractValue ValueAnalysis::EvaluateHeaderPhi(ValueId value, uint32_t loop) {
  const SsaValue& defined = ssa_->values()[value];
  const ptx::Instruction& here = kernel_->instructions[flow_->blocks()[defined.block].begin];
  AbstractValue initial = Merge(value, true);
  if (IsPredicate(value)) {
    return Predicate(UnknownCondition(UnknownAt(here, "a predicate that a loop carries").reason));
  }
  if (!initial.form) return initial;
  Carried carried = {value, loop};
  std::optional<AffineForm> step;
  const std::vector<ptx::BlockId>& before = flow_->blocks()[defined.block].predecessors;
  for (size_t i = 0; i < before.size(); ++i) {
    if (!forest_->Contains(loop, before[i]) || !forest_->Reachable(before[i])) continue;
    const std::optional<AffineForm> of_latch = Step(carried, defined.operands[i], 0);
    if (!of_latch || (step && !(*step == *of_latch))) {
      return UnknownAt(here, "a value that a loop carries", initial.region);
    }
    step = of_latch;
  }
  if (!step || !IsConstant(*step)) {
    return UnknownAt(here, "a loop's stride that varies", initial.region);
  }
  if (step->constant != 0) {
    AffineForm turn;
    SetLoopCoefficient(turn, loop, step->constant);
    if (!AddScaled(*initial.form, turn, 1)) return UnknownAt(here, "a stride beyond 64 bits");
  }
  return initial;
}

std::optional<AffineForm> ValueAnalysis::Step(Carried& carried, ValueId value, int depth) {
  if (value == carried.phi) return AffineForm{};
  const auto known = carried.steps.find(value);
  if (known != carried.steps.end()) return known->second;
  return carried.steps[value] = FindStep(carried, value, depth);
}

std::optional<AffineForm> ValueAnalysis::FindStep(Carried& carried, ValueId value, int depth) {
  const SsaValue& defined = ssa_->values()[value];
  if (depth > kMaxDepth || !forest_->Contains(carried.loop, defined.block)) return std::nullopt;
  switch (defined.kind) {
    case SsaValue::Kind::kInstruction:
      return StepOfInstruction(carried, defined.pc, depth + 1);
    case SsaValue::Kind::kPhi:
      return StepOfPhi(carried, value, depth + 1);
    case SsaValue::Kind::kUndefined:
      break;
  }
  return std::nullopt;
}

std::optional<AffineForm> ValueAnalysis::StepOfInstruction(Carried& carried, uint32_t pc,
                                                           int depth) {
  const ptx::Instruction& instruction = kernel_->instructions[pc];
  if (instruction.guard || instruction.destinations != 1 || !IsModular(instruction)) {
    return std::nullopt;
  }
  const auto step_of = [&](size_t index) -> std::optional<AffineForm> {
    const ptx::Operand& operand = instruction.operands[index];
    if (operand.kind != ptx::Operand::Kind::kRegister) return std::nullopt;
    return Step(carried, ssa_->Read(pc, operand.reg), depth);
  };
  const auto invariant = [&](size_t index) {
    return OperandValue(pc, instruction.operands[index], instruction.type).form;
  };
  const auto sum = [](std::optional<AffineForm> a, const std::optional<AffineForm>& b,
                      int64_t scale) -> std::optional<AffineForm> {
    if (!a || !b || !AddScaled(*a, *b, scale)) return std::nullopt;
    return a;
  };
  switch (instruction.opcode) {
    case ptx::Opcode::kMov:
      return step_of(1);
    case ptx::Opcode::kAdd: {
      const std::optional<AffineForm> left = step_of(1);
      return left ? sum(left, invariant(2), 1) : sum(step_of(2), invariant(1), 1);
    }
    case ptx::Opcode::kSub:
      return sum(step_of(1), invariant(2), -1);
    case ptx::Opcode::kMad: {
      const std::optional<AffineForm> a = invariant(1);
      const std::optional<AffineForm> b = invariant(2);
      if (instruction.modifiers.mul_part != ptx::MulPart::kLo || !a || !b || !IsConstant(*a)) {
        return std::nullopt;
      }
      return sum(step_of(3), b, a->constant);
    }
    default:
      return std::nullopt;
  }
}

std::optional<AffineForm> ValueAnalysis::StepOfPhi(Carried& carried, ValueId value, int depth) {
  const SsaValue& defined = ssa_->values()[value];
  const uint32_t inner = forest_->HeaderOf(defined.block);
  if (inner == carried.loop) return std::nullopt;  // another value that this loop carries
  const std::vector<ptx::BlockId>& before = flow_->blocks()[defined.block].predecessors;
  Carried within = {value, inner};
  std::optional<AffineForm> outside;
  std::optional<AffineForm> turn;
  for (size_t i = 0; i < before.size(); ++i) {
    if (!forest_->Reachable(before[i]) || EdgeIsDead(before[i], defined.block)) continue;
    const bool latch = inner != kNoLoop && forest_->Contains(inner, before[i]);
    const std::optional<AffineForm> step =
        Step(latch ? within : carried, defined.operands[i], depth);
    std::optional<AffineForm>& known = latch ? turn : outside;
    if (!step || (known && !(*known == *step))) return std::nullopt;
    known = step;
  }
  if (!outside || inner == kNoLoop) return outside;
  // Seen from outside the inner loop, it has turned trip count - 1 times.
  const TripCount& trips = TripsOf(inner);
  if (!turn || !trips.uniform ||
      !AddScaled(*outside, *turn, static_cast<int64_t>(trips.count) - 1)) {
    return std::nullopt;
  }
  return outside;
}

AbstractValue ValueAnalysis::LeaveLoops(AbstractValue value, ptx::BlockId from, ptx::BlockId to) {
  for (uint32_t loop = forest_->InnermostOf(from); loop != kNoLoop && !forest_->Contains(loop, to);
       loop = forest_->loops()[loop].parent) {
    const bool varies = value.form ? LoopCoefficient(*value.form, loop) != 0
                                   : value.condition && DependsOn(*value.condition, loop);
    if (!varies) continue;
    const TripCount& trips = TripsOf(loop);
    if (!trips.uniform) {
      const ptx::Instruction& header =
          kernel_->instructions[flow_->blocks()[forest_->loops()[loop].header].begin];
      AbstractValue unknown =
          UnknownAt(header, "a value left by a loop without a fixed trip count", value.region);
      return value.condition ? Predicate(UnknownCondition(unknown.reason)) : unknown;
    }
    const int64_t last = static_cast<int64_t>(trips.count) - 1;
    if (value.condition) {
      value = Predicate(Substitute(value.condition, loop, last, ranges_));
      continue;
    }
    const int64_t coefficient = LoopCoefficient(*value.form, loop);
    SetLoopCoefficient(*value.form, loop, 0);
    if (!AddScaled(*value.form, Constant(coefficient), last)) {
      return Unknown("a value beyond 64 bits", value.region);
    }
  }
  return value;
}

}  // namespace flagstone
