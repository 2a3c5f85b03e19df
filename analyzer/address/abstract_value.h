// What a register holds at one launch, and the instructions' effect on such values.
//
// A register of w bits holds its form modulo 2^w. Sums and products keep that without proof;
// wherever the number itself matters (widening, comparing, shifting right), the form's range must
// prove that it fits the type.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ABSTRACT_VALUE_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ABSTRACT_VALUE_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analyzer/address/affine.h"
#include "analyzer/address/condition.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {

// Predicates have a condition, numbers a form; whatever has neither has a reason.
struct AbstractValue {
  std::optional<AffineForm> form;
  ConditionPtr condition;
  std::string reason;
  int region = -1;  // index of the memory region that the base pointer names; -1 if none is known

  bool Known() const { return form.has_value() || condition != nullptr; }
};
AbstractValue Number(AffineForm form, int region = -1);
AbstractValue Predicate(ConditionPtr condition);
AbstractValue Unknown(std::string reason, int region = -1);
// As Unknown, naming the instruction's line in the PTX file.
AbstractValue UnknownAt(const ptx::Instruction& instruction, std::string_view why, int region = -1);

// What is known about ranges where an instruction stands.
struct RangeContext {
  const SymbolRanges* ranges = nullptr;
  // The affine conditions under which the instruction runs; asked only where ranges alone fail.
  std::function<std::span<const Guard>()> guards;
  bool supposing = false;  // take every number to fit its type

  bool Within(const AffineForm& form, const Interval& bounds) const;
  Interval RangeOf(const AffineForm& form) const;
};

// The number that `type` reads from a register that holds `form`; empty where it may wrap around.
std::optional<AffineForm> AsNumber(const AffineForm& form, ptx::Type type,
                                   const RangeContext& context);

// value = quotient * divisor + rest with 0 <= rest < divisor, both affine; false if there is no
// such split.
bool Split(const AffineForm& value, int64_t divisor, const RangeContext& context,
           AffineForm& quotient, AffineForm& rest);

// a (comparison) b as `type` reads the registers; unknown where a value may wrap around.
ConditionPtr CompareForms(ptx::Comparison comparison, ptx::Type type, const AffineForm& a,
                          const AffineForm& b, const RangeContext& context);

// The first destination of an instruction that computes on registers; the second one of setp when
// `second` is set. `sources` are the operands behind the destinations.
AbstractValue Apply(const ptx::Instruction& instruction, std::span<const AbstractValue> sources,
                    bool second, const RangeContext& context);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ABSTRACT_VALUE_H_
