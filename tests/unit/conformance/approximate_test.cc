// Approximate functions stay within the error bounds that the PTX ISA gives (9.7.3), and give the
// special values of its tables.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "tests/unit/conformance/conformance.h"

namespace flagstone::conformance {
namespace approximate_test {

constexpr float kInf = std::numeric_limits<float>::infinity();

// Distance in units of the last place of the exact value.
double Ulps(float got, long double exact) {
  const auto nearest = static_cast<float>(exact);
  int exponent = 0;
  std::frexp(nearest, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - 24, -149));
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) / unit);
}

bool SameSpecial(float got, long double exact) {
  const auto expected = static_cast<float>(exact);
  if (expected != expected) return ToBits(got) == 0x7fffffffU;
  if (std::isinf(expected) || expected == 0) {
    return got == expected && std::signbit(got) == std::signbit(expected);
  }
  return false;
}

using Function = long double (*)(long double);

using Tolerance = std::function<bool(float x, float got, long double exact)>;

// `name` without and with .ftz. A flushed result may be zero up to the bound above the smallest
// normal number.
void CheckUnary(const std::string& name, Function exact, const Tolerance& close) {
  for (const bool flush : {false, true}) {
    const std::string text = name + (flush ? ".ftz" : "") + ".f32 {r}, {a};";
    const auto source = [=](const Row& row) {
      const float x = FromBits<float>(row[0]);
      return exact(static_cast<long double>(flush ? Flush(x) : x));
    };
    Check(
        text, Kind::kF32, {Kind::kF32}, Rows({Kind::kF32}, SeedOf(text)),
        [=](const Row& row) { return ToBits(static_cast<float>(source(row))); },
        [=](uint64_t bits, uint64_t, const Row& row) {
          const long double value = source(row);
          const float got = FromBits<float>(bits);
          const bool flushed = flush && got == 0 && std::fabs(value) < 0x1.0001p-126L &&
                               std::signbit(got) == std::signbit(value);
          if (flush && got != 0 && std::fabs(got) < 0x1p-126F) return false;
          return flushed || SameSpecial(got, value) || close(FromBits<float>(row[0]), got, value);
        });
  }
}

void CheckUlps(const std::string& name, Function exact, double bound) {
  CheckUnary(name, exact,
             [=](float, float got, long double value) { return Ulps(got, value) <= bound; });
}

TEST(Approximate, Ex2WithinTwoUlp) {
  CheckUlps(
      "ex2.approx", [](long double x) { return std::exp2(x); }, 2);
}

TEST(Approximate, RcpAndRootsWithinTheirBounds) {
  CheckUlps(
      "rcp.approx", [](long double x) { return 1 / x; }, 1);
  CheckUlps(
      "sqrt.approx", [](long double x) { return std::sqrt(x); }, 1);
  // Relative error below 2^-22.9.
  CheckUlps(
      "rsqrt.approx", [](long double x) { return 1 / std::sqrt(x); }, 1);
}

// Relative error below 2^-11.
TEST(Approximate, TanhWithinTwoToTheMinus11) {
  const std::string text = "tanh.approx.f32 {r}, {a};";
  Check(
      text, Kind::kF32, {Kind::kF32}, Rows({Kind::kF32}, SeedOf(text)),
      [](const Row& row) { return ToBits(std::tanh(FromBits<float>(row[0]))); },
      [](uint64_t bits, uint64_t, const Row& row) {
        const long double exact = std::tanh(static_cast<long double>(FromBits<float>(row[0])));
        const float got = FromBits<float>(bits);
        if (SameSpecial(got, exact)) return true;
        return std::fabs(static_cast<long double>(got) - exact) <=
               std::ldexp(std::fabs(exact), -11);
      });
}

// Absolute on (0.5, 2), where the result is below one, relative elsewhere.
TEST(Approximate, Lg2WithinTwoToTheMinus22) {
  CheckUnary(
      "lg2.approx", [](long double x) { return std::log2(x); },
      [](float, float got, long double exact) {
        const long double error = std::fabs(static_cast<long double>(got) - exact);
        return error <= std::max(1.0L, std::fabs(exact)) * 0x1p-22L;
      });
}

// The ISA gives no bound far from zero.
TEST(Approximate, SineAndCosineWithinTheirAbsoluteBound) {
  const auto close = [](float x, float got, long double exact) {
    if (std::fabs(x) > 0x1p19F) return std::fabs(got) <= 1;
    return std::fabs(static_cast<long double>(got) - exact) <= 0x1p-20L;
  };
  CheckUnary(
      "sin.approx", [](long double x) { return std::sin(x); }, close);
  CheckUnary(
      "cos.approx", [](long double x) { return std::cos(x); }, close);
}

TEST(Approximate, SineOfNegativeZeroIsNegativeZero) {
  Check(
      "sin.approx.ftz.f32 {r}, {a};", Kind::kF32, {Kind::kF32}, {{0x80000000}, {0}, {0x80000001}},
      [](const Row& row) { return row[0] & 0x80000000U; },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

void CheckDivision(const std::string& name, bool flush, bool wide_divisors_give_zero) {
  const std::vector<Kind> kinds = {Kind::kF32, Kind::kF32};
  const std::string text = name + (flush ? ".ftz" : "") + ".f32 {r}, {a}, {b};";
  const auto source = [=](uint64_t bits) {
    return flush ? Flush(FromBits<float>(bits)) : FromBits<float>(bits);
  };
  Check(
      text, Kind::kF32, kinds, Rows(kinds, SeedOf(text)),
      [=](const Row& row) { return ToBits(source(row[0]) / source(row[1])); },
      [=](uint64_t bits, uint64_t, const Row& row) {
        const float a = source(row[0]);
        const float b = source(row[1]);
        const float got = FromBits<float>(bits);
        if (wide_divisors_give_zero && std::fabs(b) > 0x1p126F && b == b) {
          return std::isfinite(a) ? got == 0 : got != got;
        }
        const long double exact = static_cast<long double>(a) / static_cast<long double>(b);
        if (flush && got == 0 && std::fabs(exact) < 0x1.0001p-126L) return true;
        if (flush && got != 0 && std::fabs(got) < 0x1p-126F) return false;
        return SameSpecial(got, exact) || Ulps(got, exact) <= 2;
      });
}

TEST(Approximate, DivisionWithinTwoUlp) {
  for (const bool flush : {false, true}) {
    CheckDivision("div.approx", flush, true);
    CheckDivision("div.full", flush, false);
  }
}

// Of the two in double precision: one keeps the upper half of source and result.
TEST(Approximate, DoubleRootsWithinTheirRelativeBound) {
  for (const bool gross : {false, true}) {
    const std::string text = std::string("rsqrt.approx") + (gross ? ".ftz" : "") + ".f64 {r}, {a};";
    Check(
        text, Kind::kF64, {Kind::kF64}, Rows({Kind::kF64}, SeedOf(text)),
        [](const Row& row) { return ToBits(1 / std::sqrt(FromBits<double>(row[0]))); },
        [=](uint64_t bits, uint64_t, const Row& row) {
          double a = FromBits<double>(row[0]);
          if (gross && std::fabs(a) < 0x1p-1022) a = std::copysign(0.0, a);
          const double got = FromBits<double>(bits);
          const double exact = 1 / std::sqrt(a);
          if (exact != exact) return got != got;
          if (std::isinf(exact) || exact == 0) return got == exact;
          return std::fabs(got - exact) <= exact * (gross ? 0x1p-19 : 0x1p-51);
        });
  }
}

TEST(Approximate, FlushesSubnormalsWithFtz) {
  Conforms<float, float>("rcp.approx.ftz.f32 {r}, {a};",
                         [](float a) { return Canonical(Flush(1 / Flush(a))); });
  EXPECT_EQ(Execute("ex2.approx.ftz.f32 {r}, {a};", Kind::kF32, {Kind::kF32},
                    {{ToBits(-127.0F)}, {ToBits(-126.0F)}, {ToBits(-kInf)}}, false),
            (std::vector<uint64_t>{0, 0x00800000, 0}));
}

TEST(Approximate, DoubleReciprocalKeepsTheUpperHalf) {
  const std::string text = "rcp.approx.ftz.f64 {r}, {a};";
  Check(
      text, Kind::kF64, {Kind::kF64}, Rows({Kind::kF64}, SeedOf(text)),
      [](const Row& row) { return ToBits(1 / FromBits<double>(row[0])); },
      [](uint64_t bits, uint64_t, const Row& row) {
        const double a = FromBits<double>(row[0]);
        const double got = FromBits<double>(bits);
        if ((bits & 0xffffffffU) != 0) return false;
        if (a != a) return got != got;
        if (std::fabs(a) < 0x1p-1022)
          return std::isinf(got) && std::signbit(got) == std::signbit(a);
        const double exact = 1 / a;
        if (std::fabs(exact) < 0x1p-1022) return got == 0;
        return std::fabs(got - exact) <= std::fabs(exact) * 0x1p-19;
      });
}

}  // namespace approximate_test
}  // namespace flagstone::conformance
