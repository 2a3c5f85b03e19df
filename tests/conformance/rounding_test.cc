// Directed roundings. The oracle never changes the host's rounding mode: it takes the nearest
// result, finds on which side of the exact value it lies from an error term that is itself exact,
// and steps to the neighbour where needed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/conformance/conformance.h"

namespace flagstone::conformance {
namespace {

enum class Mode { kZero, kDown, kUp };
const char* Text(Mode mode) {
  return mode == Mode::kZero ? "rz" : mode == Mode::kDown ? "rm" : "rp";
}

// `nearest` lies above (side > 0), on, or below (side < 0) the exact value.
template <class T>
T Directed(Mode mode, T nearest, int side) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (nearest != nearest) return Canonical(nearest);
  // Toward zero is down for what is positive, and for what is exactly +0.
  const bool negative = std::signbit(nearest);
  const bool down = mode == Mode::kDown || (mode == Mode::kZero && !negative);
  if (down && side > 0) return std::nextafter(nearest, -kInfinity);
  if (!down && side < 0) {
    const T next = std::nextafter(nearest, kInfinity);
    return negative && next == 0 ? -T{0} : next;
  }
  return nearest;
}

int Sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

// Rounds sum + error, error below half a unit of sum, to a float.
float ToFloat(Mode mode, double sum, double error) {
  const auto nearest = static_cast<float>(sum);
  const double difference = static_cast<double>(nearest) - sum;
  const int side = difference != 0 ? Sign(difference) : -Sign(error);
  return Directed(mode, nearest, std::isfinite(sum) ? side : 0);
}

struct Sum {
  double value = 0;
  double error = 0;
};
// Knuth's TwoSum: value + error is a + b exactly.
Sum TwoSum(double a, double b) {
  const double value = a + b;
  const double part = value - a;
  return {value, (a - (value - part)) + (b - part)};
}

bool SmallEnough(float a) { return std::isfinite(a); }

// Exact zeros of opposite signs give -0 when rounding down, else +0.
template <class T>
T ZeroSum(Mode mode, T a, T b, T otherwise) {
  if (a == -b && std::isfinite(a) && !(a == 0 && std::signbit(a) == std::signbit(b))) {
    return mode == Mode::kDown ? -T{0} : T{0};
  }
  return otherwise;
}

class Rounding : public testing::TestWithParam<Mode> {};
INSTANTIATE_TEST_SUITE_P(Directed, Rounding, testing::Values(Mode::kZero, Mode::kDown, Mode::kUp),
                         [](const auto& mode) { return std::string(Text(mode.param)); });

template <class... Args, class F>
void Case(const char* op, Mode mode, const std::string& rest, F oracle) {
  Conforms<std::common_type_t<Args...>, Args...>(std::string(op) + "." + Text(mode) + rest, oracle);
}

TEST_P(Rounding, OfF32SumsAndProducts) {
  const Mode mode = GetParam();
  Case<float, float>("add", mode, ".f32 {r}, {a}, {b};", [=](float a, float b) {
    if (!SmallEnough(a) || !SmallEnough(b)) return Canonical(a + b);
    const Sum sum = TwoSum(static_cast<double>(a), static_cast<double>(b));
    return ZeroSum(mode, a, b, ToFloat(mode, sum.value, sum.error));
  });
  Case<float, float>("sub", mode, ".f32 {r}, {a}, {b};", [=](float a, float b) {
    if (!SmallEnough(a) || !SmallEnough(b)) return Canonical(a - b);
    const Sum sum = TwoSum(static_cast<double>(a), -static_cast<double>(b));
    return ZeroSum(mode, a, -b, ToFloat(mode, sum.value, sum.error));
  });
  Case<float, float>("mul", mode, ".f32 {r}, {a}, {b};", [=](float a, float b) {
    if (!SmallEnough(a) || !SmallEnough(b)) return Canonical(a * b);
    return ToFloat(mode, static_cast<double>(a) * static_cast<double>(b), 0);
  });
}

TEST_P(Rounding, OfF32FusedMultiplyAdd) {
  const Mode mode = GetParam();
  Case<float, float, float>(
      "fma", mode, ".f32 {r}, {a}, {b}, {c};", [=](float a, float b, float c) {
        if (!SmallEnough(a) || !SmallEnough(b) || !SmallEnough(c))
          return Canonical(std::fma(a, b, c));
        const double product = static_cast<double>(a) * static_cast<double>(b);
        const Sum sum = TwoSum(product, static_cast<double>(c));
        const double zero = ZeroSum(mode, product, static_cast<double>(c), 1.0);
        return zero == 0 ? static_cast<float>(zero) : ToFloat(mode, sum.value, sum.error);
      });
}

TEST_P(Rounding, OfF32QuotientsAndRoots) {
  const Mode mode = GetParam();
  const auto quotient = [=](float a, float b) {
    if (!SmallEnough(a) || !SmallEnough(b) || b == 0) return Canonical(a / b);
    const double q = static_cast<double>(a) / static_cast<double>(b);
    // Exact remainder: its sign, against the divisor's, tells on which side of q the quotient is.
    const double rest = std::fma(-q, static_cast<double>(b), static_cast<double>(a));
    return ToFloat(mode, q, b > 0 ? rest : -rest);
  };
  Case<float, float>("div", mode, ".f32 {r}, {a}, {b};", quotient);
  Case<float>("rcp", mode, ".f32 {r}, {a};", [=](float a) { return quotient(1.0F, a); });
  Case<float>("sqrt", mode, ".f32 {r}, {a};", [=](float a) {
    if (!SmallEnough(a) || a <= 0) return Canonical(std::sqrt(a));
    const double root = std::sqrt(static_cast<double>(a));
    return ToFloat(mode, root, std::fma(-root, root, static_cast<double>(a)));
  });
}

// In double precision error terms are exact only away from overflow and underflow.
bool Moderate(double a) { return std::fabs(a) > 1e-100 && std::fabs(a) < 1e100; }

template <class F>
void CheckF64(const std::string& text, size_t operands, F oracle) {
  const std::vector<Kind> kinds(operands, Kind::kF64);
  std::vector<Row> rows;
  for (const Row& row : Rows(kinds, SeedOf(text))) {
    bool usable = true;
    for (size_t k = 0; k < operands; ++k) usable = usable && Moderate(FromBits<double>(row[k]));
    if (usable) rows.push_back(row);
  }
  ASSERT_GT(rows.size(), 100U);
  Check(
      text, Kind::kF64, kinds, rows,
      [&](const Row& row) {
        return ToBits<double>(oracle(FromBits<double>(row[0]), FromBits<double>(row[1])));
      },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

TEST_P(Rounding, OfF64) {
  const Mode mode = GetParam();
  const std::string m = Text(mode);
  CheckF64("add." + m + ".f64 {r}, {a}, {b};", 2, [=](double a, double b) {
    const Sum sum = TwoSum(a, b);
    return ZeroSum(mode, a, b, Directed(mode, sum.value, -Sign(sum.error)));
  });
  CheckF64("mul." + m + ".f64 {r}, {a}, {b};", 2, [=](double a, double b) {
    return Directed(mode, a * b, -Sign(std::fma(a, b, -(a * b))));
  });
  CheckF64("div." + m + ".f64 {r}, {a}, {b};", 2, [=](double a, double b) {
    return Directed(mode, a / b, -Sign(std::fma(-(a / b), b, a)) * Sign(b));
  });
  CheckF64("rcp." + m + ".f64 {r}, {a};", 1, [=](double a, double) {
    return Directed(mode, 1 / a, -Sign(std::fma(-(1 / a), a, 1.0)) * Sign(a));
  });
  CheckF64("sqrt." + m + ".f64 {r}, {a};", 1, [=](double a, double) {
    const double root = std::sqrt(a);
    return Directed(mode, root, -Sign(std::fma(-root, root, a)));
  });
}

TEST_P(Rounding, OfConversionsToF32) {
  const Mode mode = GetParam();
  const std::string m = Text(mode);
  Conforms<float, double>("cvt." + m + ".f32.f64 {r}, {a};",
                          [=](double a) { return ToFloat(mode, a, 0); });
  Conforms<float, int32_t>("cvt." + m + ".f32.s32 {r}, {a};",
                           [=](int32_t a) { return ToFloat(mode, a, 0); });
  Conforms<float, uint64_t>("cvt." + m + ".f32.u64 {r}, {a};", [=](uint64_t a) {
    // In two exact halves.
    const Sum sum =
        TwoSum(std::ldexp(static_cast<double>(a >> 32), 32), static_cast<double>(a & 0xffffffffU));
    return ToFloat(mode, sum.value, sum.error);
  });
}

TEST_P(Rounding, OfConversionsToF64) {
  const Mode mode = GetParam();
  Conforms<double, int64_t>(std::string("cvt.") + Text(mode) + ".f64.s64 {r}, {a};",
                            [=](int64_t a) {
                              const Sum sum = TwoSum(std::ldexp(static_cast<double>(a >> 32), 32),
                                                     static_cast<double>(a & 0xffffffff));
                              return Directed(mode, sum.value, -Sign(sum.error));
                            });
}

}  // namespace
}  // namespace flagstone::conformance
