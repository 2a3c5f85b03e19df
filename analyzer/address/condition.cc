#include "analyzer/address/condition.h"

#include <algorithm>
#include <utility>

namespace flagstone {
namespace {

using Kind = Condition::Kind;

ConditionPtr Make(Kind kind, std::vector<ConditionPtr> children) {
  auto condition = std::make_shared<Condition>();
  condition->kind = kind;
  condition->children = std::move(children);
  return condition;
}

// And and Or are the same fold with true and false exchanged.
ConditionPtr Combine(Kind kind, const ConditionPtr& a, const ConditionPtr& b) {
  const Kind neutral = kind == Kind::kAnd ? Kind::kTrue : Kind::kFalse;
  const Kind absorbing = kind == Kind::kAnd ? Kind::kFalse : Kind::kTrue;
  if (a->kind == absorbing || b->kind == neutral) return a;
  if (b->kind == absorbing || a->kind == neutral) return b;
  std::vector<ConditionPtr> children;
  const auto add = [&](const ConditionPtr& child) {
    const bool known = std::any_of(children.begin(), children.end(),
                                   [&](const ConditionPtr& c) { return Equal(*c, *child); });
    if (!known) children.push_back(child);
  };
  for (const ConditionPtr& side : {a, b}) {
    if (side->kind == kind) {
      for (const ConditionPtr& child : side->children) add(child);
    } else {
      add(side);
    }
  }
  if (children.size() == 1) return children.front();
  return Make(kind, std::move(children));
}

bool Implied(const Condition& a, const std::vector<Guard>& atoms, const SymbolRanges& ranges) {
  switch (a.kind) {
    case Kind::kTrue:
      return true;
    case Kind::kAtLeastZero:
      return ranges.Of(a.form, atoms).low >= 0;
    case Kind::kAnd:
      return std::all_of(a.children.begin(), a.children.end(),
                         [&](const ConditionPtr& c) { return Implied(*c, atoms, ranges); });
    case Kind::kOr:
      return std::any_of(a.children.begin(), a.children.end(),
                         [&](const ConditionPtr& c) { return Implied(*c, atoms, ranges); });
    case Kind::kFalse:
    case Kind::kUnknown:
      return false;
  }
  return false;
}

}  // namespace

ConditionPtr Always() {
  static const ConditionPtr kAlways = Make(Kind::kTrue, {});
  return kAlways;
}

ConditionPtr Never() {
  static const ConditionPtr kNever = Make(Kind::kFalse, {});
  return kNever;
}

ConditionPtr UnknownCondition(std::string reason) {
  auto condition = std::make_shared<Condition>();
  condition->kind = Kind::kUnknown;
  condition->reason = std::move(reason);
  return condition;
}

ConditionPtr AtLeastZero(const AffineForm& form, const SymbolRanges& ranges) {
  const Interval range = ranges.Of(form);
  if (range.low >= 0) return Always();
  if (range.high < 0) return Never();
  auto condition = std::make_shared<Condition>();
  condition->kind = Kind::kAtLeastZero;
  condition->form = form;
  return condition;
}

ConditionPtr And(const ConditionPtr& a, const ConditionPtr& b) { return Combine(Kind::kAnd, a, b); }

ConditionPtr Or(const ConditionPtr& a, const ConditionPtr& b) { return Combine(Kind::kOr, a, b); }

ConditionPtr Not(const ConditionPtr& a) {
  switch (a->kind) {
    case Kind::kTrue:
      return Never();
    case Kind::kFalse:
      return Always();
    case Kind::kUnknown:
      return a;
    case Kind::kAtLeastZero: {
      AffineForm negated = Constant(-1);
      if (!AddScaled(negated, a->form, -1)) return UnknownCondition("a bound beyond 64 bits");
      auto condition = std::make_shared<Condition>();
      condition->kind = Kind::kAtLeastZero;
      condition->form = std::move(negated);
      return condition;
    }
    case Kind::kAnd:
    case Kind::kOr: {
      ConditionPtr result = a->kind == Kind::kAnd ? Never() : Always();
      for (const ConditionPtr& child : a->children) {
        result = Combine(a->kind == Kind::kAnd ? Kind::kOr : Kind::kAnd, result, Not(child));
      }
      return result;
    }
  }
  return a;
}

bool Equal(const Condition& a, const Condition& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.kind == Kind::kUnknown || !(a.form == b.form)) return false;
  return std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const ConditionPtr& x, const ConditionPtr& y) { return Equal(*x, *y); });
}

ConditionPtr Substitute(const ConditionPtr& a, uint32_t loop, int64_t value,
                        const SymbolRanges& ranges) {
  switch (a->kind) {
    case Kind::kTrue:
    case Kind::kFalse:
    case Kind::kUnknown:
      return a;
    case Kind::kAtLeastZero: {
      const int64_t coefficient = LoopCoefficient(a->form, loop);
      if (coefficient == 0) return a;
      AffineForm form = a->form;
      SetLoopCoefficient(form, loop, 0);
      if (!AddScaled(form, Constant(coefficient), value)) {
        return UnknownCondition("a bound beyond 64 bits");
      }
      return AtLeastZero(form, ranges);
    }
    case Kind::kAnd:
    case Kind::kOr: {
      ConditionPtr result = a->kind == Kind::kAnd ? Always() : Never();
      for (const ConditionPtr& child : a->children) {
        result = Combine(a->kind, result, Substitute(child, loop, value, ranges));
      }
      return result;
    }
  }
  return a;
}

Conjunction Flatten(const ConditionPtr& a, const SymbolRanges& ranges) {
  Conjunction result;
  const auto add = [&](const ConditionPtr& part) {
    if (part->kind == Kind::kFalse) {
      result.never = true;
    } else if (part->kind == Kind::kAtLeastZero) {
      result.atoms.push_back({part->form});
    } else if (part->kind != Kind::kTrue) {
      result.rest.push_back(part);
    }
  };
  if (a->kind == Kind::kAnd) {
    for (const ConditionPtr& child : a->children) add(child);
  } else {
    add(a);
  }
  std::erase_if(result.rest,
                [&](const ConditionPtr& c) { return Implied(*c, result.atoms, ranges); });
  return result;
}

}  // namespace flagstone
