// The effect of each instruction on abstract numbers.
#include <bit>
#include <vector>

#include "analyzer/address/abstract_operations.h"
#include "analyzer/address/abstract_value.h"
#include "analyzer/address/integer_ops.h"

namespace flagstone {
namespace {

using ptx::Instruction;
using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;
using Sources = std::span<const AbstractValue>;

AbstractValue Sum(const Instruction& i, const AffineForm& a, const AffineForm& b, int64_t scale,
                  int region) {
  AffineForm sum = a;
  if (!AddScaled(sum, b, scale)) return UnknownAt(i, "a sum beyond 64 bits", region);
  return Number(std::move(sum), region);
}

AbstractValue Product(const Instruction& i, const AffineForm& a, const AffineForm& b) {
  if (!IsConstant(a) && !IsConstant(b)) return UnknownAt(i, "product of two varying values");
  const AffineForm& varying = IsConstant(a) ? b : a;
  AffineForm product;
  if (!AddScaled(product, varying, IsConstant(a) ? a.constant : b.constant)) {
    return UnknownAt(i, "a product beyond 64 bits");
  }
  return Number(std::move(product));
}

// The constant with the smallest magnitude that leaves the register's bits as they are.
AffineForm Normalized(const AffineForm& form, Type type) {
  if (!IsConstant(form)) return form;
  return Constant(SignExtend(static_cast<uint64_t>(form.constant), BitWidth(type)));
}

AbstractValue Multiply(const Instruction& i, const AffineForm& a, const AffineForm& b,
                       const RangeContext& context) {
  if (i.modifiers.mul_part == MulPart::kWide) {
    const std::optional<AffineForm> x = AsNumber(a, i.type, context);
    const std::optional<AffineForm> y = AsNumber(b, i.type, context);
    if (!x || !y) return UnknownAt(i, "a 32-bit index may wrap around");
    return Product(i, *x, *y);
  }
  if (i.modifiers.mul_part == MulPart::kHi) return UnknownAt(i, "high part of a product");
  return Product(i, Normalized(a, i.type), Normalized(b, i.type));
}

AbstractValue ShiftLeft(const Instruction& i, const AffineForm& a, const AffineForm& amount) {
  if (!IsConstant(amount)) return UnknownAt(i, "shift by a varying amount");
  const uint64_t by = Truncate(static_cast<uint64_t>(amount.constant), 32);
  if (by >= static_cast<uint64_t>(BitWidth(i.type))) return Number(Constant(0));
  if (by > 62) return UnknownAt(i, "a shift beyond 64 bits");
  return Product(i, a, Constant(int64_t{1} << by));
}

AbstractValue Divide(const Instruction& i, const AffineForm& a, int64_t divisor, bool remainder,
                     bool floors, const RangeContext& context) {
  const std::optional<AffineForm> value = AsNumber(a, i.type, context);
  if (!value) return UnknownAt(i, "a divided value may wrap around");
  AffineForm quotient;
  AffineForm rest;
  if (!Split(*value, divisor, context, quotient, rest) ||
      (!floors && !context.Within(*value, {0, Interval::kMax}))) {
    return UnknownAt(i, remainder ? "remainder" : "quotient");
  }
  return Number(remainder ? rest : quotient);
}

AbstractValue DivideBy(const Instruction& i, const AffineForm& a, const AffineForm& b,
                       const RangeContext& context) {
  const std::optional<AffineForm> divisor = AsNumber(b, i.type, context);
  if (!divisor || !IsConstant(*divisor)) return UnknownAt(i, "division by a varying value");
  return Divide(i, a, divisor->constant, i.opcode == Opcode::kRem, false, context);
}

AbstractValue ShiftRight(const Instruction& i, const AffineForm& a, const AffineForm& amount,
                         const RangeContext& context) {
  if (!IsConstant(amount)) return UnknownAt(i, "shift by a varying amount");
  const uint64_t by = Truncate(static_cast<uint64_t>(amount.constant), 32);
  if (by > 62) return UnknownAt(i, "right shift");
  return Divide(i, a, int64_t{1} << by, false, true, context);
}

// a & mask, for masks that keep or clear the low bits. Any wrap-around is a multiple of them.
AbstractValue And(const Instruction& i, const AffineForm& a, const AffineForm& b,
                  const RangeContext& context) {
  if (!IsConstant(a) && !IsConstant(b)) return UnknownAt(i, "and of two varying values");
  const AffineForm& value = IsConstant(a) ? b : a;
  const int width = BitWidth(i.type);
  const uint64_t mask =
      Truncate(static_cast<uint64_t>(IsConstant(a) ? a.constant : b.constant), width);
  const uint64_t inverse = Truncate(~mask, width);
  if (inverse == 0) return Number(value);
  const bool keeps_low = (mask & (mask + 1)) == 0;
  const bool clears_low = (inverse & (inverse + 1)) == 0;
  const uint64_t low_bits = keeps_low ? mask : inverse;
  AffineForm quotient;
  AffineForm rest;
  if ((!keeps_low && !clears_low) || low_bits >= uint64_t{1} << 62 ||
      !Split(value, static_cast<int64_t>(low_bits + 1), context, quotient, rest)) {
    return UnknownAt(i, "mask");
  }
  return keeps_low ? Number(rest) : Sum(i, value, rest, -1, -1);
}

// Whether each value of b lies in the bits that are zero in each value of a.
bool Disjoint(const AffineForm& a, const AffineForm& b, const RangeContext& context) {
  uint64_t bits = 0;
  ForEachCoefficient(a, [&](int64_t c) { bits |= static_cast<uint64_t>(c); });
  const int varying = bits == 0 ? 62 : std::min(std::countr_zero(bits), 62);
  const uint64_t low = static_cast<uint64_t>(a.constant) & ((uint64_t{1} << varying) - 1);
  const int zeros = low == 0 ? varying : std::countr_zero(low);
  if (context.Within(b, {0, (int64_t{1} << zeros) - 1})) return true;
  return IsConstant(b) && b.constant >= 0 && b.constant < int64_t{1} << varying &&
         (low & static_cast<uint64_t>(b.constant)) == 0;
}

AbstractValue OrXor(const Instruction& i, const AffineForm& a, const AffineForm& b, int region,
                    RangeContext context) {
  context.supposing = false;  // no proof, no addition
  if (i.opcode == Opcode::kXor) {
    for (const auto& [value, mask] : {std::pair{a, b}, std::pair{b, a}}) {
      if (IsConstant(mask) &&
          SignExtend(static_cast<uint64_t>(mask.constant), BitWidth(i.type)) == -1) {
        return Sum(i, Constant(-1), value, -1, region);
      }
    }
  }
  if (Disjoint(a, b, context) || Disjoint(b, a, context)) return Sum(i, a, b, 1, region);
  return UnknownAt(i, i.opcode == Opcode::kOr ? "or" : "xor", region);
}

AbstractValue Extremum(const Instruction& i, const AffineForm& a, const AffineForm& b,
                       const RangeContext& context) {
  const std::optional<AffineForm> x = AsNumber(a, i.type, context);
  const std::optional<AffineForm> y = AsNumber(b, i.type, context);
  AffineForm difference = x ? *x : AffineForm{};
  if (!x || !y || !AddScaled(difference, *y, -1)) return UnknownAt(i, "min or max may wrap around");
  const Interval range = context.RangeOf(difference);
  const bool maximum = i.opcode == Opcode::kMax;
  if (range.low >= 0) return Number(maximum ? *x : *y);
  if (range.high <= 0) return Number(maximum ? *y : *x);
  return UnknownAt(i, maximum ? "max" : "min");
}

AbstractValue Convert(const Instruction& i, const AbstractValue& source,
                      const RangeContext& context) {
  if (ptx::IsFloat(i.type) || ptx::IsFloat(i.source_type)) {
    return UnknownAt(i, "a floating-point value");
  }
  const int to = BitWidth(i.type);
  std::optional<AffineForm> number = *source.form;
  const bool widens = to > BitWidth(i.source_type);
  if (widens || i.modifiers.saturate) {
    number = AsNumber(*number, i.source_type, context);
    if (!number) return UnknownAt(i, "a widened value may wrap around", source.region);
  }
  // Saturation, and the extension of a type that is narrower than any register.
  if (i.modifiers.saturate || to < 16) {
    const std::optional<AffineForm> fitted = AsNumber(*number, i.type, context);
    if (!fitted || (i.modifiers.saturate && !(*fitted == *number))) {
      return UnknownAt(i, "a narrowed value may wrap around");
    }
    number = fitted;
  } else if (!widens) {
    // A narrower type may stand in a wider register: keep the number itself where it fits.
    const std::optional<AffineForm> fitted = AsNumber(*number, i.type, context);
    if (to < BitWidth(i.source_type) && to < 32 && !fitted) {
      return UnknownAt(i, "a narrowed value may wrap around");
    }
    if (to < 32 && fitted) number = fitted;
  }
  return Number(std::move(*number), source.region);
}

bool AllConstant(Sources sources) {
  for (const AbstractValue& source : sources) {
    const bool constant =
        source.form ? IsConstant(*source.form)
                    : source.condition && (source.condition->kind == Condition::Kind::kTrue ||
                                           source.condition->kind == Condition::Kind::kFalse);
    if (!constant) return false;
  }
  return true;
}

std::optional<AbstractValue> Fold(const Instruction& i, Sources sources) {
  if (ptx::IsFloat(i.type) || !AllConstant(sources)) return std::nullopt;
  std::vector<uint64_t> bits;
  for (const AbstractValue& source : sources) {
    bits.push_back(source.form ? static_cast<uint64_t>(source.form->constant)
                               : source.condition->kind == Condition::Kind::kTrue);
  }
  const std::optional<uint64_t> result = EvaluateInteger(i, bits);
  if (!result) return std::nullopt;
  int width = BitWidth(i.type);
  if (i.modifiers.mul_part == MulPart::kWide) width *= 2;
  if (i.opcode == Opcode::kPopc || i.opcode == Opcode::kClz) width = 32;
  if (i.opcode == Opcode::kCvt) width = 64;
  return Number(Constant(SignExtend(*result, width)), RegionOf(sources));
}

AbstractValue OnForms(const Instruction& i, Sources s, const RangeContext& context) {
  const int region = RegionOf(s);
  switch (i.opcode) {
    case Opcode::kMov:
    case Opcode::kCvta:
      return s[0];
    case Opcode::kAdd:
      return Sum(i, *s[0].form, *s[1].form, 1, region);
    case Opcode::kSub:
      return Sum(i, *s[0].form, *s[1].form, -1, s[1].region == -1 ? s[0].region : -1);
    case Opcode::kNeg:
      return Sum(i, Constant(0), *s[0].form, -1, -1);
    case Opcode::kNot:
      return Sum(i, Constant(-1), *s[0].form, -1, -1);
    case Opcode::kMul:
      return Multiply(i, *s[0].form, *s[1].form, context);
    case Opcode::kMad: {
      const AbstractValue product = Multiply(i, *s[0].form, *s[1].form, context);
      if (!product.form) return Unknown(product.reason, region);
      return Sum(i, *product.form, *s[2].form, 1, region);
    }
    case Opcode::kShl:
      return ShiftLeft(i, *s[0].form, *s[1].form);
    case Opcode::kShr:
      return ShiftRight(i, *s[0].form, *s[1].form, context);
    case Opcode::kDiv:
    case Opcode::kRem:
      return DivideBy(i, *s[0].form, *s[1].form, context);
    case Opcode::kAnd: {
      AbstractValue masked = And(i, *s[0].form, *s[1].form, context);
      masked.region = region;
      return masked;
    }
    case Opcode::kOr:
    case Opcode::kXor:
      return OrXor(i, *s[0].form, *s[1].form, region, context);
    case Opcode::kMin:
    case Opcode::kMax: {
      AbstractValue extremum = Extremum(i, *s[0].form, *s[1].form, context);
      extremum.region = region;
      return extremum;
    }
    case Opcode::kAbs: {
      const std::optional<AffineForm> value = AsNumber(*s[0].form, i.type, context);
      if (value && context.Within(*value, {0, Interval::kMax})) return Number(*value);
      return UnknownAt(i, "absolute value");
    }
    default:
      return UnknownAt(i, ptx::ToString(i.opcode), region);
  }
}

}  // namespace

AbstractValue Apply(const Instruction& instruction, Sources sources, bool second,
                    const RangeContext& context) {
  if (instruction.opcode == Opcode::kSetp) {
    return SetPredicate(instruction, sources, second, context);
  }
  if (instruction.type == Type::kPred) return CombinePredicates(instruction, sources);
  if (instruction.opcode == Opcode::kSelp) return Select(instruction, sources);
  const int region = RegionOf(sources);
  for (const AbstractValue& source : sources) {
    if (!source.form) {
      return source.condition ? UnknownAt(instruction, "a predicate as a number")
                              : Unknown(source.reason, region);
    }
  }
  if (std::optional<AbstractValue> folded = Fold(instruction, sources)) return *folded;
  if (instruction.opcode == Opcode::kCvt) return Convert(instruction, sources[0], context);
  if (ptx::IsFloat(instruction.type) && instruction.opcode != Opcode::kMov) {
    return UnknownAt(instruction, "a floating-point value");
  }
  if (ptx::IsPackedInteger(instruction.type)) return UnknownAt(instruction, "a packed value");
  if (!ptx::IsFloat(instruction.type) && !IsModular(instruction)) {
    return UnknownAt(instruction, "a clamped value");
  }
  return OnForms(instruction, sources, context);
}

}  // namespace flagstone
