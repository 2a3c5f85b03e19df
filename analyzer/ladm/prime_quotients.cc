// Quotients, however a compiler writes them: divisions, remainders, shifts, masks, and products
// with an inverse of which the upper half is taken.
#include <bit>
#include <cstdlib>
#include <numeric>

#include "analyzer/ladm/prime_expansion.h"

namespace flagstone {
namespace {

using ptx::Opcode;

// The exponent of a power of two; empty for other numbers.
std::optional<int> Log2(uint64_t number) {
  if (number == 0 || (number & (number - 1)) != 0) return std::nullopt;
  return std::countr_zero(number);
}

int64_t ContentOf(const Polynomial& polynomial) {
  int64_t content = 0;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    content = std::gcd(content, coefficient);
  }
  return content;
}

Polynomial Exactly(const Polynomial& polynomial, int64_t divisor) {
  Polynomial result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    result.Add(monomial, coefficient / divisor);
  }
  return result;
}

}  // namespace

// Indices are taken not to be negative: their quotients round down, and their sign is 0.
std::optional<Polynomial> PrimeExpansion::Divide(const ptx::Instruction& i,
                                                 const std::vector<Polynomial>& s) {
  const int bits = 8 * ptx::SizeInBytes(i.type);
  if (ptx::IsFloat(i.type) || i.type == ptx::Type::kPred || bits < 32) return std::nullopt;
  const int line = i.location.line;
  const auto masked = [&](const Polynomial& value, uint64_t mask) -> std::optional<Polynomial> {
    if (bits < 64) mask &= (uint64_t{1} << bits) - 1;
    const uint64_t all = bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
    const std::optional<int> low = Log2(mask + 1);
    const std::optional<int> high = Log2((~mask & all) + 1);
    if (!(low && *low < 63) && !(high && *high < 63)) return std::nullopt;
    const Polynomial unit(int64_t{1} << (low ? *low : *high));
    const Polynomial whole = Quotient(value, unit, line) * unit;
    return low ? Polynomial(value).AddScaled(whole, -1) : whole;
  };
  switch (i.opcode) {
    case Opcode::kDiv:
      return Quotient(s[0], s[1], line);
    case Opcode::kRem:
      return Polynomial(s[0]).AddScaled(Quotient(s[0], s[1], line) * s[1], -1);
    case Opcode::kShr: {
      if (!s[1].IsConstant() || s[1].Constant() < 0 || s[1].Constant() > 63) return std::nullopt;
      const auto shift = static_cast<int>(s[1].Constant());
      if (shift == bits - 1 && ptx::IsSigned(i.type)) return Polynomial(0);
      if (const auto quotient = QuotientOfProduct(s[0], shift, line)) return quotient;
      if (shift > 62) return Polynomial(0);
      return Quotient(s[0], Polynomial(int64_t{1} << shift), line);
    }
    case Opcode::kBfe: {
      if (!s[1].IsConstant() || !s[2].IsConstant() || ptx::IsSigned(i.type)) return std::nullopt;
      const int64_t position = s[1].Constant(), length = s[2].Constant();
      if (position < 0 || length < 1 || position + length > 62) return std::nullopt;
      const Polynomial above = Quotient(s[0], Polynomial(int64_t{1} << position), line);
      return masked(above, (uint64_t{1} << length) - 1);
    }
    case Opcode::kAnd:
      if (s[1].IsConstant()) return masked(s[0], static_cast<uint64_t>(s[1].Constant()));
      if (s[0].IsConstant()) return masked(s[1], static_cast<uint64_t>(s[0].Constant()));
      return std::nullopt;
    case Opcode::kMul: {
      if (i.modifiers.mul_part != ptx::MulPart::kHi || bits != 32) return std::nullopt;
      const Polynomial low = s[0] * s[1];
      if (const auto quotient = QuotientOfProduct(low, 32, line)) return quotient;
      return Quotient(low, Polynomial(int64_t{1} << 32), line);
    }
    default:
      return std::nullopt;
  }
}

// (value * inverse) >> shift = value / divisor for all values of 31 bits, where inverse * divisor
// is less than 2^(shift - 31) above 2^shift (Granlund, Montgomery 1994).
std::optional<Polynomial> PrimeExpansion::QuotientOfProduct(const Polynomial& product, int shift,
                                                            int line) {
  if (shift < 32 || shift > 62) return std::nullopt;
  const uint64_t unit = uint64_t{1} << shift;
  for (auto inverse = static_cast<uint64_t>(std::llabs(ContentOf(product)));
       inverse > uint64_t{1} << 16; inverse /= 2) {
    const uint64_t divisor = unit / inverse + 1;
    const uint64_t above = divisor * inverse - unit;
    if (above <= uint64_t{1} << (shift - 31)) {
      return Quotient(Exactly(product, static_cast<int64_t>(inverse)),
                      Polynomial(static_cast<int64_t>(divisor)), line);
    }
    if (inverse % 2 != 0) break;
  }
  return std::nullopt;
}

Polynomial PrimeExpansion::Quotient(Polynomial dividend, const Polynomial& divisor, int line) {
  Polynomial whole;
  if (divisor.IsConstant()) {
    const int64_t by = divisor.Constant();
    if (by == 1) return dividend;
    if (by > 1) {
      Polynomial rest;
      for (const auto& [monomial, coefficient] : dividend.terms()) {
        const int64_t times = coefficient / by;
        const bool exact = coefficient % by == 0;
        if (exact) {
          whole.Add(monomial, times);
        } else {
          rest.Add(monomial, coefficient);
        }
      }
      dividend = rest;
      if (dividend.IsConstant()) {
        const int64_t constant = dividend.Constant();
        return whole.AddScaled(Polynomial(constant < 0 ? (constant - by + 1) / by : constant / by),
                               1);
      }
      // Of a quotient by a number: one by the product of both.
      const auto& [monomial, coefficient] = *dividend.terms().begin();
      if (dividend.terms().size() == 1 && coefficient == 1 && monomial.size() == 1 &&
          monomial[0].kind == Prime::Kind::kOther) {
        const Opaque inner = opaque_[monomial[0].index];
        if (inner.divisor > 1 && inner.divisor < (int64_t{1} << 31) && by < (int64_t{1} << 31)) {
          // Beyond what an index of 32 bits reaches: its sign.
          if (by >= int64_t{1} << 30) return whole;
          return whole.AddScaled(Quotient(inner.operands[0], Polynomial(inner.divisor * by), line),
                                 1);
        }
      }
    }
  }
  Opaque opaque;
  opaque.operands = {dividend, divisor};
  opaque.line = line;
  opaque.divisor = divisor.IsConstant() ? divisor.Constant() : 0;
  const Polynomial above = AtLaunch(dividend), below = AtLaunch(divisor);
  if (above.IsConstant() && below.IsConstant() && below.Constant() > 0 && above.Constant() >= 0) {
    opaque.number = above.Constant() / below.Constant();
  }
  Operation operation{ptx::Opcode::kDiv, ptx::Type::kNone,
                      ptx::Type::kNone,  ptx::Comparison::kNone,
                      ptx::MulPart::kLo, {dividend.terms(), divisor.terms()}};
  return whole.AddScaled(AddOpaque(std::move(operation), std::move(opaque)), 1);
}

}  // namespace flagstone
