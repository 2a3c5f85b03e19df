// Conditions over affine forms, in negation normal form: what predicates and paths mean.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_CONDITION_H_
#define FLAGSTONE_ANALYZER_ADDRESS_CONDITION_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/address/affine.h"

namespace flagstone {

struct Condition;
using ConditionPtr = std::shared_ptr<const Condition>;

struct Condition {
  enum class Kind : uint8_t { kTrue, kFalse, kAtLeastZero, kAnd, kOr, kUnknown };
  Kind kind = Kind::kTrue;
  AffineForm form;                     // of kAtLeastZero
  std::vector<ConditionPtr> children;  // of kAnd and kOr; at least two, none true or false
  std::string reason;                  // of kUnknown: why it is not a condition over affine forms
};

ConditionPtr Always();
ConditionPtr Never();
ConditionPtr UnknownCondition(std::string reason);
// form >= 0, folded where the ranges decide it.
ConditionPtr AtLeastZero(const AffineForm& form, const SymbolRanges& ranges);
ConditionPtr And(const ConditionPtr& a, const ConditionPtr& b);
ConditionPtr Or(const ConditionPtr& a, const ConditionPtr& b);
ConditionPtr Not(const ConditionPtr& a);
bool Equal(const Condition& a, const Condition& b);

// The condition with the counter of `loop` at `value`.
ConditionPtr Substitute(const ConditionPtr& a, uint32_t loop, int64_t value,
                        const SymbolRanges& ranges);

// The parts of a conjunction: its atoms, and what else it holds (disjunctions, unknown ones).
struct Conjunction {
  bool never = false;
  std::vector<Guard> atoms;
  std::vector<ConditionPtr> rest;
};
// Leaves out disjunctions that the atoms imply and atoms that stand twice.
Conjunction Flatten(const ConditionPtr& a, const SymbolRanges& ranges);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_CONDITION_H_
