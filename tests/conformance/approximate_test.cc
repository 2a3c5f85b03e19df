// Approximate functions stay within the error bounds that the PTX ISA gives (9.7.3), and give the
// special values of its tables.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/conformance/conformance.h"

namespace flagstone::conformance {
namespace {

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

void CheckUlps(const std::string& text, Function exact, double bound) {
  Check(
      text, Kind::kF32, {Kind::kF32}, Rows({Kind::kF32}, SeedOf(text)),
      [=](const Row& row) {
        return ToBits(static_cast<float>(exact(static_cast<long double>(FromBits<float>(row[0])))));
      },
      [=](uint64_t bits, uint64_t, const Row& row) {
        const long double value = exact(static_cast<long double>(FromBits<float>(row[0])));
        const float got = FromBits<float>(bits);
        return SameSpecial(got, value) || Ulps(got, value) <= bound;
      });
}

TEST(Approximate, Ex2WithinTwoUlp) {
  CheckUlps(
      "ex2.approx.f32 {r}, {a};", [](long double x) { return std::exp2(x); }, 2);
}

TEST(Approximate, RcpAndRootsWithinTheirBounds) {
  CheckUlps(
      "rcp.approx.f32 {r}, {a};", [](long double x) { return 1 / x; }, 1);
  CheckUlps(
      "sqrt.approx.f32 {r}, {a};", [](long double x) { return std::sqrt(x); }, 1);
  // Relative error below 2^-22.9.
  CheckUlps(
      "rsqrt.approx.f32 {r}, {a};", [](long double x) { return 1 / std::sqrt(x); }, 1);
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

TEST(Approximate, Lg2WithinTwoToTheMinus22) {
  const std::string text = "lg2.approx.f32 {r}, {a};";
  Check(
      text, Kind::kF32, {Kind::kF32}, Rows({Kind::kF32}, SeedOf(text)),
      [](const Row& row) { return ToBits(std::log2(FromBits<float>(row[0]))); },
      [](uint64_t bits, uint64_t, const Row& row) {
        const float x = FromBits<float>(row[0]);
        const float got = FromBits<float>(bits);
        const long double exact = std::log2(static_cast<long double>(x));
        if (SameSpecial(got, exact)) return true;
        const long double error = std::fabs(static_cast<long double>(got) - exact);
        // Absolute on (0.5, 2), relative elsewhere.
        return x > 0.5F && x < 2 ? error <= 0x1p-22L : error <= std::fabs(exact) * 0x1p-22L;
      });
}

void CheckSine(const std::string& text, Function exact) {
  Check(
      text, Kind::kF32, {Kind::kF32}, Rows({Kind::kF32}, SeedOf(text)),
      [=](const Row& row) {
        return ToBits(static_cast<float>(exact(static_cast<long double>(FromBits<float>(row[0])))));
      },
      [=](uint64_t bits, uint64_t, const Row& row) {
        const float x = FromBits<float>(row[0]);
        const float got = FromBits<float>(bits);
        if (!std::isfinite(x)) return ToBits(got) == 0x7fffffffU;
        if (std::fabs(x) > 0x1p19F) return std::fabs(got) <= 1;  // the ISA gives no bound here
        const long double error =
            std::fabs(static_cast<long double>(got) - exact(static_cast<long double>(x)));
        return error <= 0x1p-20L;
      });
}

TEST(Approximate, SineAndCosineWithinTheirAbsoluteBound) {
  CheckSine("sin.approx.f32 {r}, {a};", [](long double x) { return std::sin(x); });
  CheckSine("cos.approx.f32 {r}, {a};", [](long double x) { return std::cos(x); });
}

TEST(Approximate, SineOfNegativeZeroIsNegativeZero) {
  Check(
      "sin.approx.ftz.f32 {r}, {a};", Kind::kF32, {Kind::kF32}, {{0x80000000}, {0}, {0x80000001}},
      [](const Row& row) { return row[0] & 0x80000000U; },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

void CheckDivision(const std::string& text, bool wide_divisors_give_zero) {
  const std::vector<Kind> kinds = {Kind::kF32, Kind::kF32};
  Check(
      text, Kind::kF32, kinds, Rows(kinds, SeedOf(text)),
      [](const Row& row) { return ToBits(FromBits<float>(row[0]) / FromBits<float>(row[1])); },
      [=](uint64_t bits, uint64_t, const Row& row) {
        const float a = FromBits<float>(row[0]);
        const float b = FromBits<float>(row[1]);
        const float got = FromBits<float>(bits);
        if (wide_divisors_give_zero && std::fabs(b) > 0x1p126F && b == b) {
          return std::isfinite(a) ? got == 0 : got != got;
        }
        const long double exact = static_cast<long double>(a) / static_cast<long double>(b);
        return SameSpecial(got, exact) || Ulps(got, exact) <= 2;
      });
}

TEST(Approximate, DivisionWithinTwoUlp) {
  CheckDivision("div.approx.f32 {r}, {a}, {b};", true);
  CheckDivision("div.full.f32 {r}, {a}, {b};", false);
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

}  // namespace
}  // namespace flagstone::conformance
