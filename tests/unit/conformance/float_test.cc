// f32 and f64 arithmetic in all its forms: roundings, .ftz, .sat, NaNs, signed zeros (PTX
// ISA 9.7.3).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/float_oracles.h"

namespace flagstone::conformance {
namespace float_test {

using ptx::Opcode;

size_t Operands(Opcode opcode) {
  switch (opcode) {
    case Opcode::kFma:
    case Opcode::kMad:
      return 3;
    case Opcode::kAbs:
    case Opcode::kNeg:
    case Opcode::kRcp:
    case Opcode::kSqrt:
      return 1;
    default:
      return 2;
  }
}

// Rounded to nearest by the host's IEEE 754 arithmetic.
template <class T>
T Nearest(Opcode opcode, T a, T b, T c) {
  switch (opcode) {
    case Opcode::kAdd:
      return a + b;
    case Opcode::kSub:
      return a - b;
    case Opcode::kMul:
      return a * b;
    case Opcode::kDiv:
      return a / b;
    case Opcode::kRcp:
      return 1 / a;
    case Opcode::kSqrt:
      return std::sqrt(a);
    case Opcode::kMin:
      return Minimum(a, b);
    case Opcode::kMax:
      return Maximum(a, b);
    default:
      return std::fma(a, b, c);
  }
}

float DirectedQuotient(Rounding mode, float a, float b) {
  if (!std::isfinite(a) || !std::isfinite(b) || b == 0) return Canonical(a / b);
  const double q = static_cast<double>(a) / static_cast<double>(b);
  // Exact remainder: its sign, against the divisor's, tells on which side of q the quotient is.
  const double rest = std::fma(-q, static_cast<double>(b), static_cast<double>(a));
  return ToFloat(mode, q, b > 0 ? rest : -rest);
}

// Of f32: sums and products are exact in double precision, or with an error term.
float DirectedResult(Opcode opcode, Rounding mode, float a, float b, float c) {
  const float nearest = Nearest(opcode, a, b, c);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return Canonical(nearest);
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(opcode == Opcode::kSub ? -b : b);
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kSub: {
      const ExactSum sum = TwoSum(x, y);
      return ZeroSum(mode, a, static_cast<float>(y), ToFloat(mode, sum.value, sum.error));
    }
    case Opcode::kMul:
      return ToFloat(mode, x * y, 0);
    case Opcode::kDiv:
      return DirectedQuotient(mode, a, b);
    case Opcode::kRcp:
      return DirectedQuotient(mode, 1.0F, a);
    case Opcode::kSqrt: {
      if (a <= 0) return Canonical(nearest);
      const double root = std::sqrt(x);
      return ToFloat(mode, root, std::fma(-root, root, x));
    }
    default: {
      const double product = x * y;
      const ExactSum sum = TwoSum(product, static_cast<double>(c));
      const double zero = ZeroSum(mode, product, static_cast<double>(c), 1.0);
      return zero == 0 ? static_cast<float>(zero) : ToFloat(mode, sum.value, sum.error);
    }
  }
}

// Of f64, where the error terms are exact: see Usable.
double DirectedResult(Opcode opcode, Rounding mode, double a, double b, double c) {
  const double nearest = Nearest(opcode, a, b, c);
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kSub: {
      const double y = opcode == Opcode::kSub ? -b : b;
      return ZeroSum(mode, a, y, Directed(mode, nearest, -Sign(TwoSum(a, y).error)));
    }
    case Opcode::kMul:
      return Directed(mode, nearest, -Sign(std::fma(a, b, -nearest)));
    case Opcode::kDiv:
      return Directed(mode, nearest, -Sign(std::fma(-nearest, b, a)) * Sign(b));
    case Opcode::kRcp:
      return Directed(mode, nearest, -Sign(std::fma(-nearest, a, 1.0)) * Sign(a));
    case Opcode::kSqrt:
      return Directed(mode, nearest, -Sign(std::fma(-nearest, nearest, a)));
    default:  // a * b is exact
      return ZeroSum(mode, a * b, c, Directed(mode, nearest, -Sign(TwoSum(a * b, c).error)));
  }
}

bool IsDirected(Rounding mode) { return mode != Rounding::kNone && mode != Rounding::kRn; }

// Directed f64 only away from overflow and underflow, and products of half the bits for fma.
std::vector<Row> RowsFor(const ptx::Instruction& form, const std::vector<Kind>& kinds,
                         uint64_t seed) {
  std::vector<Row> rows = Rows(kinds, seed);
  if (kinds[0] != Kind::kF64 || !IsDirected(form.modifiers.rounding)) return rows;
  std::vector<Row> usable;
  for (Row row : rows) {
    if (kinds.size() == 3) {
      row[0] &= ~uint64_t{0} << 27;
      row[1] &= ~uint64_t{0} << 27;
    }
    bool moderate = true;
    for (size_t k = 0; k < kinds.size(); ++k) {
      const double magnitude = std::fabs(FromBits<double>(row[k]));
      moderate = moderate && magnitude > 1e-100 && magnitude < 1e100;
    }
    if (moderate) usable.push_back(row);
  }
  EXPECT_GT(usable.size(), 100U);
  return usable;
}

template <class T>
T Expected(const ptx::Instruction& form, const Row& row) {
  const ptx::Modifiers& m = form.modifiers;
  std::array<T, 3> in = {};
  for (size_t k = 0; k < Operands(form.opcode); ++k) {
    in[k] = FromBits<T>(row[k]);
    if constexpr (std::is_same_v<T, float>) {
      if (m.flush_to_zero) in[k] = Flush(in[k]);
    }
  }
  if (form.opcode == Opcode::kAbs) return std::fabs(in[0]);
  if (form.opcode == Opcode::kNeg) return -in[0];
  T result = IsDirected(m.rounding) ? DirectedResult(form.opcode, m.rounding, in[0], in[1], in[2])
                                    : Nearest(form.opcode, in[0], in[1], in[2]);
  if constexpr (std::is_same_v<T, float>) {
    if (m.flush_to_zero) result = Flush(result);
  }
  return m.saturate ? Saturated(result) : Canonical(result);
}

template <class T>
void CheckForm(const Form& form) {
  const std::vector<Kind> kinds(Operands(form.instruction.opcode), KindOf<T>());
  std::string text = form.head + " {r}, {a}";
  if (kinds.size() > 1) text += ", {b}";
  if (kinds.size() > 2) text += ", {c}";
  Check(
      text + ";", KindOf<T>(), kinds, RowsFor(form.instruction, kinds, SeedOf(text)),
      [&](const Row& row) { return ToBits(Expected<T>(form.instruction, row)); },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

// f32x2: each half is what the instruction gives of it alone.
void CheckPairs(const Form& form) {
  const size_t count = Operands(form.instruction.opcode);
  const std::vector<Row> halves = Rows(std::vector<Kind>(count, Kind::kF32), SeedOf(form.head));
  std::vector<Row> pairs = halves;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Row& other = halves[(i + 7) % halves.size()];
    for (size_t k = 0; k < count; ++k) pairs[i][k] = (halves[i][k] & 0xffffffff) | other[k] << 32;
  }
  const auto expected = [&](const Row& row) {
    Row low = row, high = row;
    for (size_t k = 0; k < count; ++k) {
      low[k] = row[k] & 0xffffffff;
      high[k] = row[k] >> 32;
    }
    return ToBits(Expected<float>(form.instruction, low)) |
           ToBits(Expected<float>(form.instruction, high)) << 32;
  };
  std::string text = form.head + " {r}, {a}, {b}";
  if (count > 2) text += ", {c}";
  Check(text + ";", Kind::kU64, std::vector<Kind>(count, Kind::kU64), pairs, expected,
        [](uint64_t got, uint64_t wanted, const Row&) { return got == wanted; });
}

class FloatForms : public testing::TestWithParam<Opcode> {};

TEST_P(FloatForms, GiveTheIsasResultBitForBit) {
  for (const Form& form : FormsOf({GetParam()})) {
    const ptx::Modifiers& m = form.instruction.modifiers;
    if (m.approximate || m.full || m.nan || m.xor_sign) continue;  // the last two: half_test.cc
    if (form.instruction.type == ptx::Type::kF32) CheckForm<float>(form);
    if (form.instruction.type == ptx::Type::kF64) CheckForm<double>(form);
    if (form.instruction.type == ptx::Type::kF32x2) CheckPairs(form);
  }
}
INSTANTIATE_TEST_SUITE_P(Of, FloatForms,
                         testing::Values(Opcode::kAdd, Opcode::kSub, Opcode::kMul, Opcode::kFma,
                                         Opcode::kMad, Opcode::kDiv, Opcode::kRcp, Opcode::kSqrt,
                                         Opcode::kMin, Opcode::kMax, Opcode::kAbs, Opcode::kNeg),
                         [](const auto& opcode) {
                           return std::string(ptx::ToString(opcode.param));
                         });

}  // namespace float_test
}  // namespace flagstone::conformance
