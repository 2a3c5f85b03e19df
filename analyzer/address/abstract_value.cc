#include "analyzer/address/abstract_value.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "analyzer/address/integer_ops.h"
#include "base/arithmetic.h"

namespace flagstone {
namespace {

using ptx::Comparison;
using ptx::Type;

bool Fits(const Interval& range, const Interval& bounds) {
  return bounds.low <= range.low && range.high <= bounds.high;
}

// Values of a type; those of u64 beyond 63 bits are out of reach.
Interval Bounds(Type type) {
  const int width = BitWidth(type);
  if (ptx::IsSigned(type)) {
    if (width >= 64) return {Interval::kMin + 1, Interval::kMax - 1};
    return {-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1};
  }
  if (width >= 64) return {0, Interval::kMax - 1};
  return {0, (int64_t{1} << width) - 1};
}

Type SignedOf(Type type) {
  switch (BitWidth(type)) {
    case 8:
      return Type::kS8;
    case 16:
      return Type::kS16;
    case 32:
      return Type::kS32;
    default:
      return Type::kS64;
  }
}

// a - b - less >= 0; less is 0 or 1.
ConditionPtr Difference(const AffineForm& a, const AffineForm& b, int64_t less,
                        const SymbolRanges& ranges) {
  AffineForm difference = a;
  if (!AddScaled(difference, b, -1) || !AddScaled(difference, Constant(less), -1)) {
    return UnknownCondition("a comparison beyond 64 bits");
  }
  return AtLeastZero(difference, ranges);
}

ConditionPtr CompareNumbers(Comparison comparison, const AffineForm& a, const AffineForm& b,
                            const SymbolRanges& ranges) {
  switch (comparison) {
    case Comparison::kEq:
      return And(Difference(a, b, 0, ranges), Difference(b, a, 0, ranges));
    case Comparison::kNe:
      return Or(Difference(a, b, 1, ranges), Difference(b, a, 1, ranges));
    case Comparison::kLt:
    case Comparison::kLo:
      return Difference(b, a, 1, ranges);
    case Comparison::kLe:
    case Comparison::kLs:
      return Difference(b, a, 0, ranges);
    case Comparison::kGt:
    case Comparison::kHi:
      return Difference(a, b, 1, ranges);
    default:
      return Difference(a, b, 0, ranges);
  }
}

bool IsLess(Comparison c) {
  return c == Comparison::kLt || c == Comparison::kLo || c == Comparison::kLe ||
         c == Comparison::kLs;
}

Comparison Opposite(Comparison c) {
  switch (c) {
    case Comparison::kLt:
    case Comparison::kLo:
      return Comparison::kGe;
    case Comparison::kLe:
    case Comparison::kLs:
      return Comparison::kGt;
    case Comparison::kGt:
    case Comparison::kHi:
      return Comparison::kLe;
    default:
      return Comparison::kLt;
  }
}

// (unsigned)a < b, with a possibly negative and b not: 0 <= a and a < b.
ConditionPtr CompareWrapped(Comparison comparison, Type type, const AffineForm& a,
                            const AffineForm& b, const RangeContext& context) {
  const Type as_signed = SignedOf(type);
  const std::optional<AffineForm> x = AsNumber(a, as_signed, context);
  const std::optional<AffineForm> y = AsNumber(b, as_signed, context);
  if (!x || !y) return nullptr;
  if (!context.Within(*y, {0, Interval::kMax})) return nullptr;
  if (!IsLess(comparison)) {
    return Not(CompareWrapped(Opposite(comparison), type, a, b, context));
  }
  return And(AtLeastZero(*x, *context.ranges), CompareNumbers(comparison, *x, *y, *context.ranges));
}

Comparison Mirrored(Comparison c) {
  switch (c) {
    case Comparison::kLt:
    case Comparison::kLo:
      return Comparison::kGt;
    case Comparison::kLe:
    case Comparison::kLs:
      return Comparison::kGe;
    case Comparison::kGt:
    case Comparison::kHi:
      return Comparison::kLt;
    default:
      return Comparison::kLe;
  }
}

}  // namespace

AbstractValue Number(AffineForm form, int region) {
  AbstractValue value;
  value.form = std::move(form);
  value.region = region;
  return value;
}

AbstractValue Predicate(ConditionPtr condition) {
  AbstractValue value;
  if (condition->kind == Condition::Kind::kUnknown) value.reason = condition->reason;
  value.condition = std::move(condition);
  return value;
}

AbstractValue Unknown(std::string reason, int region) {
  AbstractValue value;
  value.reason = std::move(reason);
  value.region = region;
  return value;
}

AbstractValue UnknownAt(const ptx::Instruction& instruction, std::string_view why, int region) {
  return Unknown(fmt::format("{} (line {})", why, instruction.location.line), region);
}

bool RangeContext::Within(const AffineForm& form, const Interval& bounds) const {
  if (Fits(ranges->Of(form), bounds)) return true;
  return supposing || Fits(RangeOf(form), bounds);
}

Interval RangeContext::RangeOf(const AffineForm& form) const {
  return guards ? ranges->Of(form, guards()) : ranges->Of(form);
}

std::optional<AffineForm> AsNumber(const AffineForm& form, Type type, const RangeContext& context) {
  const Interval bounds = Bounds(type);
  const int width = BitWidth(type);
  Interval range = context.ranges->Of(form);
  if (Fits(range, bounds)) return form;
  for (const bool refined : {false, true}) {
    if (refined) range = context.RangeOf(form);
    if (Fits(range, bounds)) return form;
    if (width >= 64 || range.low == Interval::kMin || range.high == Interval::kMax) continue;
    // The same bits read one or more times 2^w away: -1 as u32.
    const int64_t period = int64_t{1} << width;
    const int64_t turns = FloorDivide(range.low - bounds.low, period);
    AffineForm moved = form;
    if (!AddScaled(moved, Constant(turns), -period)) continue;
    const Interval at = refined ? context.RangeOf(moved) : context.ranges->Of(moved);
    if (Fits(at, bounds)) return moved;
  }
  if (context.supposing) return form;
  return std::nullopt;
}

bool Split(const AffineForm& value, int64_t divisor, const RangeContext& context,
           AffineForm& quotient, AffineForm& rest) {
  if (divisor <= 0) return false;
  const auto part = [&](int64_t c, int64_t& q, int64_t& r) {
    if (c % divisor == 0) {
      q = c / divisor;
    } else {
      r = c;
    }
  };
  quotient = {};
  rest = {};
  quotient.loops.resize(value.loops.size(), 0);
  rest.loops.resize(value.loops.size(), 0);
  for (size_t d = 0; d < 3; ++d) {
    part(value.tid[d], quotient.tid[d], rest.tid[d]);
    part(value.ctaid[d], quotient.ctaid[d], rest.ctaid[d]);
  }
  for (size_t l = 0; l < value.loops.size(); ++l) {
    part(value.loops[l], quotient.loops[l], rest.loops[l]);
  }
  if (!AddScaled(quotient, {}, 1) || !AddScaled(rest, {}, 1)) return false;  // drops zeros
  // The constant goes where it keeps the rest in [0, divisor).
  rest.constant = value.constant;
  const int64_t low = context.RangeOf(rest).low;
  if (low == Interval::kMin) return false;
  const int64_t turns = FloorDivide(low, divisor);
  quotient.constant = turns;
  return AddScaled(rest, Constant(turns), -divisor) && context.Within(rest, {0, divisor - 1});
}

ConditionPtr CompareForms(Comparison comparison, Type type, const AffineForm& a,
                          const AffineForm& b, const RangeContext& context) {
  const bool equality = comparison == Comparison::kEq || comparison == Comparison::kNe;
  const auto compare_as = [&](Type as) -> ConditionPtr {
    const std::optional<AffineForm> x = AsNumber(a, as, context);
    const std::optional<AffineForm> y = AsNumber(b, as, context);
    return x && y ? CompareNumbers(comparison, *x, *y, *context.ranges) : nullptr;
  };
  ConditionPtr result = compare_as(type);
  if (!result && equality) {
    const bool is_signed = ptx::IsSigned(type);
    if (!is_signed) result = compare_as(SignedOf(type));
    if (is_signed && BitWidth(type) == 32) result = compare_as(Type::kU32);
  } else if (!result && !ptx::IsSigned(type)) {
    result = CompareWrapped(comparison, type, a, b, context);
    if (!result) result = CompareWrapped(Mirrored(comparison), type, b, a, context);
  }
  return result ? result : UnknownCondition("a compared value may wrap around");
}

}  // namespace flagstone
