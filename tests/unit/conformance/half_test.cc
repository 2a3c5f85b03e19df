// f16, bf16, their pairs, tf32 and floats of 8 bits against an oracle in 113 bits that finds the
// nearest number by search (PTX ISA, sections 9.7.4 and 9.7.9); add.cc and its like.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/float_oracles.h"

namespace flagstone::conformance {
namespace half_test {

using ptx::Opcode;
using ptx::Type;
__extension__ typedef __float128 Exact;
__extension__ typedef __int128 Wide;

struct Narrow {
  int exponent_bits, mantissa_bits;
  uint32_t largest, nan;
  bool has_infinity;
  uint32_t Sign() const { return 1U << (exponent_bits + mantissa_bits); }
};

Narrow Of(Type type) {
  switch (type) {
    case Type::kBf16:
    case Type::kBf16x2:
      return {8, 7, 0x7f7f, 0x7fff, true};
    case Type::kTf32:
      return {8, 10, 0x7f7fe000 >> 13, 0x7fffffff, true};
    case Type::kE4m3x2:
      return {4, 3, 0x7e, 0x7f, false};
    case Type::kE5m2x2:
      return {5, 2, 0x7b, 0x7f, true};
    default:
      return {5, 10, 0x7bff, 0x7fff, true};
  }
}

Exact Scaled(Exact value, int by) {
  for (; by > 0; --by) value *= 2;
  for (; by < 0; ++by) value /= 2;
  return value;
}
const Exact kInf = static_cast<Exact>(std::numeric_limits<double>::infinity());
const Exact kNan = static_cast<Exact>(std::numeric_limits<double>::quiet_NaN());

// a + b. Where one is so small that 113 bits hold nothing of it, a tiny part of the other stands
// for it, which decides ties.
Exact Sum(Exact a, Exact b) {
  const Exact sum = a + b;
  if (sum != sum || sum == kInf || sum == -kInf) return sum;
  const Exact lost = sum == a ? b : sum == b ? a : Exact{0};
  const Exact tiny = Scaled(sum < 0 ? -sum : sum, -100);
  return lost == 0 ? sum : lost > 0 ? sum + tiny : sum - tiny;
}

Exact Value(const Narrow& f, uint32_t bits) {
  const uint32_t magnitude = bits & (f.Sign() - 1);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  Exact value = 0;
  if (magnitude > f.largest) {
    value = f.has_infinity && magnitude == f.largest + 1 ? kInf : kNan;
  } else if (const int exponent = static_cast<int>(magnitude >> f.mantissa_bits); exponent == 0) {
    value = Scaled(magnitude, 1 - bias - f.mantissa_bits);
  } else {
    const uint32_t mantissa = magnitude & ((1U << f.mantissa_bits) - 1);
    value = Scaled((1U << f.mantissa_bits) + mantissa, exponent - bias - f.mantissa_bits);
  }
  return (bits & f.Sign()) != 0 ? -value : value;
}

bool Negative(Exact value) { return std::signbit(static_cast<double>(value)) || value < 0; }

// By search among all numbers of the format.
uint32_t Rounded(const Narrow& f, Exact value, Rounding mode, bool finite) {
  if (value != value) return f.nan;
  const bool negative = Negative(value);
  const uint32_t sign = negative ? f.Sign() : 0;
  const Exact magnitude = value < 0 ? -value : value;
  const bool bounded = finite || !f.has_infinity;
  if (magnitude == kInf) return sign | (bounded ? f.largest : f.largest + 1);
  uint32_t low = 0;
  for (uint32_t step = f.Sign() / 2; step != 0; step /= 2) {
    if (low + step <= f.largest && Value(f, low + step) <= magnitude) low += step;
  }
  const Exact below = Value(f, low);
  if (below == magnitude) return sign | low;
  const Exact gap = low == f.largest ? below - Value(f, low - 1) : Value(f, low + 1) - below;
  const Exact twice = 2 * (magnitude - below);
  bool up = false;
  if (mode == Rounding::kRm) up = negative;
  if (mode == Rounding::kRp) up = !negative;
  if (mode == Rounding::kRna) up = twice >= gap;
  if (mode == Rounding::kRn || mode == Rounding::kNone) {
    up = twice > gap || (twice == gap && (low & 1) != 0);
  }
  if (!up) return sign | low;
  return sign | (low == f.largest && bounded ? low : low + 1);
}

Exact Extreme(const ptx::Modifiers& m, bool maximum, Exact a, Exact b) {
  const bool negative = Negative(a) != Negative(b);
  if (m.xor_sign) {
    a = Negative(a) ? -a : a;
    b = Negative(b) ? -b : b;
  }
  Exact result = a != a ? b : b != b ? a : (a < b) != maximum ? a : b;
  if (a == b) result = Negative(a) != maximum ? a : b;
  if (m.nan && (a != a || b != b)) result = kNan;
  return m.xor_sign && negative ? -result : result;
}

uint32_t FlushHalf(const Narrow& f, bool flush, uint32_t bits) {
  const bool subnormal = ((bits & (f.Sign() - 1)) >> f.mantissa_bits) == 0;
  return flush && subnormal ? bits & f.Sign() : bits;
}

uint32_t One(const ptx::Instruction& form, uint32_t a, uint32_t b, uint32_t c) {
  const Narrow f = Of(form.type);
  const ptx::Modifiers& m = form.modifiers;
  a = FlushHalf(f, m.flush_to_zero, a);
  if (form.opcode == Opcode::kAbs) return a & 0x7fff;
  if (form.opcode == Opcode::kNeg) return a ^ 0x8000;
  const Exact x = Value(f, a);
  const Exact y = Value(f, FlushHalf(f, m.flush_to_zero, b));
  const Exact z = Value(f, FlushHalf(f, m.flush_to_zero, c));
  Exact exact = 0;
  switch (form.opcode) {
    case Opcode::kAdd:
      exact = x + y;
      break;
    case Opcode::kSub:
      exact = x - y;
      break;
    case Opcode::kMul:
      exact = x * y;
      break;
    case Opcode::kFma:
      exact = Sum(x * y, z);
      break;
    default:
      exact = Extreme(m, form.opcode == Opcode::kMax, x, y);
  }
  uint32_t bits = FlushHalf(f, m.flush_to_zero, Rounded(f, exact, Rounding::kRn, false));
  const Exact value = Value(f, bits);
  if (m.saturate) {
    if (!(value > 0)) bits = 0;
    if (value > 1) bits = Rounded(f, 1, Rounding::kRn, false);
  }
  if (m.relu && value == value && (bits & f.Sign()) != 0) bits = 0;
  return bits;
}

size_t Sources(Opcode opcode) {
  if (opcode == Opcode::kFma) return 3;
  return opcode == Opcode::kAbs || opcode == Opcode::kNeg ? 1 : 2;
}

class HalfForms : public testing::TestWithParam<Opcode> {};

TEST_P(HalfForms, GiveTheNearestNumberToTheExactResult) {
  for (const Form& form : FormsOf({GetParam()})) {
    if (!ptx::IsHalf(form.instruction.type)) continue;
    const bool packed = ptx::IsPacked(form.instruction.type);
    const Kind kind = packed ? Kind::kU32 : Kind::kU16;
    const std::vector<Kind> kinds(Sources(GetParam()), kind);
    std::string text = form.head + " {r}, {a}";
    if (kinds.size() > 1) text += ", {b}";
    if (kinds.size() > 2) text += ", {c}";
    Check(
        text + ";", kind, kinds, Rows(kinds, SeedOf(text)),
        [&](const Row& row) -> uint64_t {
          const auto part = [&](size_t k, int shift) {
            return static_cast<uint32_t>(row[k] >> shift) & 0xffff;
          };
          const uint32_t low = One(form.instruction, part(0, 0), part(1, 0), part(2, 0));
          if (!packed) return low;
          return low | One(form.instruction, part(0, 16), part(1, 16), part(2, 16)) << 16;
        },
        [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
  }
}
INSTANTIATE_TEST_SUITE_P(Of, HalfForms,
                         testing::Values(Opcode::kAdd, Opcode::kSub, Opcode::kMul, Opcode::kFma,
                                         Opcode::kMin, Opcode::kMax, Opcode::kAbs, Opcode::kNeg),
                         [](const auto& opcode) {
                           return std::string(ptx::ToString(opcode.param));
                         });

TEST(HalfFunctions, AreWithinTwoUnitsOfTheirValue) {
  for (const Form& form : FormsOf({Opcode::kEx2, Opcode::kTanh})) {
    const Type type = form.instruction.type;
    if (!ptx::IsHalf(type)) continue;
    const bool packed = ptx::IsPacked(type);
    const Narrow f = Of(type);
    const Kind kind = packed ? Kind::kU32 : Kind::kU16;
    const auto one = [&](uint32_t bits) {
      const auto x = static_cast<double>(
          Value(f, FlushHalf(f, form.instruction.modifiers.flush_to_zero, bits)));
      const double y = form.instruction.opcode == Opcode::kEx2 ? std::exp2(x) : std::tanh(x);
      return FlushHalf(f, form.instruction.modifiers.flush_to_zero,
                       Rounded(f, static_cast<Exact>(y), Rounding::kRn, false));
    };
    Check(
        form.head + " {r}, {a};", kind, {kind}, Rows({kind}, SeedOf(form.head)),
        [&](const Row& row) -> uint64_t {
          const auto bits = static_cast<uint32_t>(row[0]);
          return one(bits & 0xffff) | (packed ? one(bits >> 16) << 16 : 0);
        },
        [&](uint64_t got, uint64_t expected, const Row&) {
          for (const int shift : {0, 16}) {
            const auto a = static_cast<int>(got >> shift & 0xffff);
            const auto b = static_cast<int>(expected >> shift & 0xffff);
            if (std::abs(a - b) > 2) return false;
          }
          return true;
        });
  }
}

TEST(SpecialMinMax, LetsNansWinAndCombinesSigns) {
  for (const Form& form : FormsOf({Opcode::kMin, Opcode::kMax})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    if (form.instruction.type != Type::kF32 || (!m.nan && !m.xor_sign)) continue;
    Conforms<float, float, float>(form.head + " {r}, {a}, {b};", [&](float a, float b) {
      if (m.flush_to_zero) {
        a = Flush(a);
        b = Flush(b);
      }
      const bool maximum = form.instruction.opcode == Opcode::kMax;
      return Canonical(static_cast<float>(
          static_cast<double>(Extreme(m, maximum, static_cast<Exact>(a), static_cast<Exact>(b)))));
    });
  }
}

bool CompareOracle(ptx::Comparison comparison, Exact a, Exact b) {
  using C = ptx::Comparison;
  const bool nan = a != a || b != b;
  const bool ordered_only = comparison <= C::kHs;
  if (comparison == C::kNum) return !nan;
  if (comparison == C::kNan) return nan;
  if (nan) return !ordered_only;
  switch (comparison) {
    case C::kEq:
    case C::kEqu:
      return a == b;
    case C::kNe:
    case C::kNeu:
      return a != b;
    case C::kLt:
    case C::kLtu:
      return a < b;
    case C::kLe:
    case C::kLeu:
      return a <= b;
    case C::kGt:
    case C::kGtu:
      return a > b;
    default:
      return a >= b;
  }
}

TEST(HalfComparisons, FollowTheOrderOfNumbersAndTheRuleForNans) {
  for (const Form& form : FormsOf({Opcode::kSetp})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    if (!ptx::IsHalf(form.instruction.type) || ptx::IsPacked(form.instruction.type)) continue;
    const Narrow f = Of(form.instruction.type);
    const auto holds = [&](uint16_t a, uint16_t b) {
      return CompareOracle(m.comparison, Value(f, FlushHalf(f, m.flush_to_zero, a)),
                           Value(f, FlushHalf(f, m.flush_to_zero, b)));
    };
    if (m.boolean_op == ptx::BooleanOp::kNone) {
      Conforms<bool, uint16_t, uint16_t>(form.head + " {r}, {a}, {b};", holds);
      continue;
    }
    Conforms<bool, uint16_t, uint16_t, bool>(form.head + " {r}, {a}, {b}, {c};",
                                             [&](uint16_t a, uint16_t b, bool c) {
                                               if (m.boolean_op == ptx::BooleanOp::kAnd)
                                                 return holds(a, b) && c;
                                               if (m.boolean_op == ptx::BooleanOp::kOr)
                                                 return holds(a, b) || c;
                                               return holds(a, b) != c;
                                             });
  }
}

bool Combined(const ptx::Modifiers& m, bool holds, bool c) {
  switch (m.boolean_op) {
    case ptx::BooleanOp::kAnd:
      return holds && c;
    case ptx::BooleanOp::kOr:
      return holds || c;
    case ptx::BooleanOp::kXor:
      return holds != c;
    default:
      return holds;
  }
}

// The result of a comparison of the halves of a and b from bit `shift` on.
bool HoldsAt(const ptx::Instruction& form, Type type, const Row& row, int shift) {
  const Narrow f = Of(type);
  const ptx::Modifiers& m = form.modifiers;
  const auto value = [&](uint64_t bits) {
    return Value(f, FlushHalf(f, m.flush_to_zero, static_cast<uint32_t>(bits >> shift) & 0xffff));
  };
  return Combined(m, CompareOracle(m.comparison, value(row[0]), value(row[1])), row[2] != 0);
}

// Edges crossed, and a few of the random rows: there are many forms.
std::vector<Row> FewRows(const std::vector<Kind>& kinds, const std::string& text) {
  std::vector<Row> rows = Rows(kinds, SeedOf(text));
  rows.resize(rows.size() - 900);
  return rows;
}

void CheckHalfComparison(const Form& form, Type compared, const std::string& destination,
                         Kind result, const Oracle& oracle) {
  const Kind kind = ptx::IsPacked(compared) ? Kind::kU32 : Kind::kU16;
  std::vector<Kind> kinds = {kind, kind};
  std::string text = form.head + " " + destination + ", {a}, {b}";
  if (form.instruction.modifiers.boolean_op != ptx::BooleanOp::kNone) {
    kinds.push_back(Kind::kPred);
    text += ", {c}";
  }
  Check(text + ";", result, kinds, FewRows(kinds, text), oracle,
        [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

TEST(HalfComparisons, OfPairsSetAPredicateForEachHalf) {
  for (const Form& form : FormsOf({Opcode::kSetp})) {
    const Type type = form.instruction.type;
    if (!ptx::IsPacked(type)) continue;
    CheckHalfComparison(form, type, "{r}|%p29", Kind::kPred, [&](const Row& row) -> uint64_t {
      return HoldsAt(form.instruction, type, row, 0) ? 1 : 0;
    });
    CheckHalfComparison(form, type, "%p29|{r}", Kind::kPred, [&](const Row& row) -> uint64_t {
      return HoldsAt(form.instruction, type, row, 16) ? 1 : 0;
    });
  }
}

TEST(HalfComparisons, SetOnesWhereTheyHold) {
  for (const Form& form : FormsOf({Opcode::kSet})) {
    const Type compared = form.instruction.source_type;
    if (!ptx::IsHalf(compared)) continue;
    const Type type = form.instruction.type;
    const bool packed = ptx::IsPacked(compared);
    const bool wide = type == Type::kU32 || type == Type::kS32;
    const uint64_t one = type == Type::kF16 || type == Type::kF16x2     ? 0x3c00
                         : type == Type::kBf16 || type == Type::kBf16x2 ? 0x3f80
                         : wide && !packed                              ? 0xffffffff
                                                                        : 0xffff;
    CheckHalfComparison(
        form, compared, "{r}", wide || packed ? Kind::kU32 : Kind::kU16, [&](const Row& row) {
          const auto at = [&](int shift) {
            return HoldsAt(form.instruction, compared, row, shift) ? one << shift : 0;
          };
          return packed ? at(0) | at(16) : at(0);
        });
  }
}

Kind KindOfType(Type type) {
  switch (type) {
    case Type::kU8:
      return Kind::kU8;
    case Type::kS8:
      return Kind::kS8;
    case Type::kU16:
    case Type::kF16:
    case Type::kBf16:
    case Type::kE4m3x2:
    case Type::kE5m2x2:
      return Kind::kU16;
    case Type::kS16:
      return Kind::kS16;
    case Type::kS32:
      return Kind::kS32;
    case Type::kU64:
      return Kind::kU64;
    case Type::kS64:
      return Kind::kS64;
    case Type::kF32:
      return Kind::kF32;
    case Type::kF64:
      return Kind::kF64;
    default:
      return Kind::kU32;
  }
}

bool IsNarrow(Type type) { return type >= Type::kF16 && type <= Type::kE5m2x2; }

Exact SourceValue(const ptx::Instruction& form, uint64_t bits) {
  const bool flush = form.modifiers.flush_to_zero;
  switch (form.source_type) {
    case Type::kF32: {
      const auto value = FromBits<float>(bits);
      return static_cast<Exact>(flush ? Flush(value) : value);
    }
    case Type::kF64:
      return static_cast<Exact>(FromBits<double>(bits));
    case Type::kU8:
      return static_cast<uint8_t>(bits);
    case Type::kS8:
      return static_cast<int8_t>(bits);
    case Type::kU16:
      return static_cast<uint16_t>(bits);
    case Type::kS16:
      return static_cast<int16_t>(bits);
    case Type::kU32:
      return static_cast<uint32_t>(bits);
    case Type::kS32:
      return static_cast<int32_t>(bits);
    case Type::kU64:
      return static_cast<Exact>(bits);
    case Type::kS64:
      return static_cast<Exact>(static_cast<int64_t>(bits));
    default:
      return Value(Of(form.source_type), static_cast<uint32_t>(bits) & 0xffff);
  }
}

// Halves are exact in double precision.
Exact ToIntegral(Rounding mode, Exact value) {
  const auto narrow = static_cast<double>(value);
  switch (mode) {
    case Rounding::kRni:
      return static_cast<Exact>(std::nearbyint(narrow));
    case Rounding::kRzi:
      return static_cast<Exact>(std::trunc(narrow));
    case Rounding::kRmi:
      return static_cast<Exact>(std::floor(narrow));
    case Rounding::kRpi:
      return static_cast<Exact>(std::ceil(narrow));
    default:
      return value;
  }
}

uint64_t IntegerOf(Type type, Exact value) {
  const int bits = 8 * ptx::SizeInBytes(type);
  if (value != value) return bits == 64 ? uint64_t{1} << 63 : 0;
  const bool is_signed = ptx::IsSigned(type);
  const Wide high = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
  const Wide low = is_signed ? -high - 1 : 0;
  const Exact bounded = std::clamp(value, static_cast<Exact>(low), static_cast<Exact>(high));
  const auto whole = static_cast<Wide>(bounded);
  return static_cast<uint64_t>(whole) & (~uint64_t{0} >> (64 - bits));
}

uint64_t ConvertedOne(const ptx::Instruction& form, Exact value) {
  const ptx::Modifiers& m = form.modifiers;
  value = ToIntegral(m.rounding, value);
  if (m.saturate) value = value > 0 ? (value < 1 ? value : Exact{1}) : Exact{0};
  if (m.relu && value == value && Negative(value)) value = 0;
  if (IsNarrow(form.type)) {
    const uint32_t bits = Rounded(Of(form.type), value, m.rounding, m.finite);
    return form.type == Type::kTf32 && value == value ? uint64_t{bits} << 13 & 0xffffffff : bits;
  }
  if (form.type == Type::kF32) {
    const auto single = static_cast<float>(static_cast<double>(value));
    return ToBits(Canonical(m.flush_to_zero ? Flush(single) : single));
  }
  if (form.type == Type::kF64) return ToBits(Canonical(static_cast<double>(value)));
  return IntegerOf(form.type, value);
}

uint64_t Converted(const ptx::Instruction& form, const Row& row) {
  const int to = 4 * ptx::SizeInBytes(form.type);
  if (ptx::IsPacked(form.source_type)) {
    const int from = 4 * ptx::SizeInBytes(form.source_type);
    const Narrow f = Of(form.source_type);
    const auto part = [&](int shift) {
      const uint64_t bits = row[0] >> shift & ((uint64_t{1} << from) - 1);
      return ConvertedOne(form, Value(f, static_cast<uint32_t>(bits)));
    };
    return part(from) << to | part(0);
  }
  const uint64_t first = ConvertedOne(form, SourceValue(form, row[0]));
  if (!ptx::IsPacked(form.type)) return first;
  return first << to | ConvertedOne(form, SourceValue(form, row[1]));
}

class NarrowConversions : public testing::TestWithParam<Type> {};

TEST_P(NarrowConversions, RoundTheExactValueOnce) {
  for (const Form& form : FormsOf({Opcode::kCvt})) {
    const ptx::Instruction& i = form.instruction;
    if (i.type != GetParam() || (!IsNarrow(i.type) && !IsNarrow(i.source_type))) continue;
    const auto below = [](Type type) { return type > Type::kE5m2x2 && type <= Type::kE3m2x4; };
    // narrow_convert_test.cc has these.
    if (below(i.type) || below(i.source_type) || i.modifiers.rounding == Rounding::kRs) continue;
    const bool two = ptx::IsPacked(i.type) && i.source_type == Type::kF32;
    const std::vector<Kind> kinds(two ? 2 : 1, KindOfType(i.source_type));
    std::vector<Row> rows = Rows(kinds, SeedOf(form.head));
    if (i.source_type == Type::kF64) {
      // The oracle scales by two step by step: not thousands of times.
      std::erase_if(rows, [](const Row& row) {
        const double magnitude = std::fabs(FromBits<double>(row[0]));
        return magnitude != 0 && magnitude < 1e-60;
      });
    }
    Check(
        form.head + (two ? " {r}, {a}, {b};" : " {r}, {a};"), KindOfType(i.type), kinds, rows,
        [&](const Row& row) { return Converted(i, row); },
        [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
  }
}
INSTANTIATE_TEST_SUITE_P(Types, NarrowConversions,
                         testing::Values(Type::kU8, Type::kS8, Type::kU16, Type::kS16, Type::kU32,
                                         Type::kS32, Type::kU64, Type::kS64, Type::kF16,
                                         Type::kF16x2, Type::kBf16, Type::kBf16x2, Type::kTf32,
                                         Type::kE4m3x2, Type::kE5m2x2, Type::kF32, Type::kF64),
                         [](const auto& type) { return std::string(ptx::ToString(type.param)); });

// Several instructions, on the scratch register {t}.
template <class T, class Function>
void Sequence(std::string text, int operands, Function function) {
  const std::string scratch = sizeof(T) == 8 ? "%rd15" : "%r15";
  for (size_t at = 0; (at = text.find("{t}", at)) != std::string::npos;) {
    text.replace(at, 3, scratch);
  }
  const std::vector<Kind> kinds(static_cast<size_t>(operands), KindOf<T>());
  const std::vector<Row> rows = Rows(kinds, SeedOf(text));
  const std::vector<uint64_t> got = Execute(text, KindOf<T>(), kinds, rows, false);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const T expected = function(FromBits<T>(row[0]), FromBits<T>(row[1]), FromBits<T>(row[2]));
    ASSERT_EQ(got[i], ToBits(expected)) << text << " " << row[0] << " " << row[1] << " " << row[2];
  }
}

// The carry is seen in a later instruction: addc of 0 and 0 gives it.
template <class T>
void CheckCarries(const std::string& type) {
  using U = std::make_unsigned_t<T>;
  constexpr int kBits = 8 * sizeof(T);
  const auto wide = [](T v) { return static_cast<Wide>(static_cast<U>(v)); };
  const auto high = [](Wide v) { return static_cast<T>(v >> kBits & 1); };
  const auto borrow = [](T a, T b) {
    return static_cast<U>(a) < static_cast<U>(b) ? static_cast<T>(~U{0}) : T{0};
  };
  const auto line = [&](const char* op, const char* operands) {
    return std::string(op) + type + " " + operands + "; ";
  };
  const std::string read_add = "addc." + type + " {r}, 0, 0;";
  const std::string read_sub = "subc." + type + " {r}, 0, 0;";
  Conforms<T, T, T>(line("add.cc.", "{r}, {a}, {b}"), [](T a, T b) {
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  });
  Conforms<T, T, T>(line("sub.cc.", "{r}, {a}, {b}"), [](T a, T b) {
    return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
  });
  Sequence<T>(line("add.cc.", "{t}, {a}, {b}") + read_add, 2,
              [=](T a, T b, T) { return high(wide(a) + wide(b)); });
  Sequence<T>(line("sub.cc.", "{t}, {a}, {b}") + read_sub, 2,
              [=](T a, T b, T) { return borrow(a, b); });
  // Through a middle word of all ones, or of zero.
  Sequence<T>(line("add.cc.", "{t}, {a}, {b}") + line("addc.cc.", "{t}, -1, 0") + read_add, 2,
              [=](T a, T b, T) { return high(wide(a) + wide(b)); });
  Sequence<T>(line("sub.cc.", "{t}, {a}, {b}") + line("subc.cc.", "{t}, 0, 0") + read_sub, 2,
              [=](T a, T b, T) { return borrow(a, b); });
  for (const bool upper : {false, true}) {
    const std::string part = upper ? "hi." : "lo.";
    const auto product = [=](T a, T b) -> U {
      if (!upper) return static_cast<U>(static_cast<U>(a) * static_cast<U>(b));
      if (std::is_signed_v<T>) return static_cast<U>(static_cast<Wide>(a) * b >> kBits);
      // Of halves, as on paper.
      __extension__ typedef unsigned __int128 UnsignedWide;
      return static_cast<U>(static_cast<UnsignedWide>(static_cast<U>(a)) * static_cast<U>(b) >>
                            kBits);
    };
    const auto sum = [=](T a, T b, T c, U carry) {
      return static_cast<T>(static_cast<U>(product(a, b) + static_cast<U>(c) + carry));
    };
    Conforms<T, T, T, T>(line(("mad." + part + "cc.").c_str(), "{r}, {a}, {b}, {c}"),
                         [=](T a, T b, T c) { return sum(a, b, c, 0); });
    Sequence<T>(line(("mad." + part + "cc.").c_str(), "{t}, {a}, {b}, {c}") +
                    line(("madc." + part).c_str(), "{r}, 0, 0, 0"),
                3,
                [=](T a, T b, T c) { return high(wide(static_cast<T>(product(a, b))) + wide(c)); });
    Sequence<T>(line("add.cc.", "{t}, {a}, -1") +
                    line(("madc." + part + "cc.").c_str(), "{r}, {a}, {b}, {c}"),
                3, [=](T a, T b, T c) { return sum(a, b, c, a != 0 ? 1 : 0); });
  }
}

TEST(Carries, GoFromWordToWord) {
  CheckCarries<uint32_t>("u32");
  CheckCarries<int32_t>("s32");
  CheckCarries<uint64_t>("u64");
  CheckCarries<int64_t>("s64");
}

}  // namespace half_test
}  // namespace flagstone::conformance
