// The effect of instructions that make or use predicates.
#include "analyzer/address/abstract_operations.h"

namespace flagstone {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using Sources = std::span<const AbstractValue>;

ConditionPtr ConditionOf(const AbstractValue& value) {
  return value.condition ? value.condition : UnknownCondition(value.reason);
}

ConditionPtr Xor(const ConditionPtr& a, const ConditionPtr& b) {
  if (a->kind == Condition::Kind::kFalse) return b;
  if (a->kind == Condition::Kind::kTrue) return Not(b);
  if (b->kind == Condition::Kind::kFalse) return a;
  if (b->kind == Condition::Kind::kTrue) return Not(a);
  return Or(And(a, Not(b)), And(Not(a), b));
}

}  // namespace

// A base pointer plus an index points into the base's region.
int RegionOf(Sources sources) {
  int region = -1;
  for (const AbstractValue& source : sources) {
    if (source.region == -1) continue;
    if (region != -1 && region != source.region) return -1;
    region = source.region;
  }
  return region;
}

AbstractValue SetPredicate(const Instruction& i, Sources s, bool second,
                           const RangeContext& context) {
  ConditionPtr result;
  if (ptx::IsFloat(i.type)) {
    result = UnknownCondition(UnknownAt(i, "a floating-point comparison").reason);
  } else if (!s[0].form || !s[1].form) {
    result = UnknownCondition(s[0].form ? s[1].reason : s[0].reason);
  } else {
    result = CompareForms(i.modifiers.comparison, i.type, *s[0].form, *s[1].form, context);
    if (result->kind == Condition::Kind::kUnknown) {
      result = UnknownCondition(UnknownAt(i, result->reason).reason);
    }
  }
  if (second) result = Not(result);
  if (s.size() > 2) {
    const ConditionPtr other = ConditionOf(s[2]);
    switch (i.modifiers.boolean_op) {
      case ptx::BooleanOp::kAnd:
        result = And(result, other);
        break;
      case ptx::BooleanOp::kOr:
        result = Or(result, other);
        break;
      case ptx::BooleanOp::kXor:
        result = Xor(result, other);
        break;
      case ptx::BooleanOp::kNone:
        break;
    }
  }
  return Predicate(result);
}

AbstractValue CombinePredicates(const Instruction& i, Sources s) {
  const ConditionPtr a = ConditionOf(s[0]);
  switch (i.opcode) {
    case Opcode::kMov:
      return Predicate(a);
    case Opcode::kNot:
      return Predicate(Not(a));
    case Opcode::kAnd:
      return Predicate(And(a, ConditionOf(s[1])));
    case Opcode::kOr:
      return Predicate(Or(a, ConditionOf(s[1])));
    case Opcode::kXor:
      return Predicate(Xor(a, ConditionOf(s[1])));
    default:
      return Predicate(UnknownCondition(UnknownAt(i, ptx::ToString(i.opcode)).reason));
  }
}

AbstractValue Select(const Instruction& i, Sources s) {
  const ConditionPtr chosen = ConditionOf(s[2]);
  if (chosen->kind == Condition::Kind::kTrue) return s[0];
  if (chosen->kind == Condition::Kind::kFalse) return s[1];
  const int region = RegionOf(s.first(2));
  if (s[0].form && s[1].form && *s[0].form == *s[1].form) return Number(*s[0].form, region);
  return UnknownAt(i, "select", region);
}

}  // namespace flagstone
