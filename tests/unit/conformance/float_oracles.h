// What float instructions give, found without the host's rounding modes: directed results come from
// the nearest one and the sign of an error term that is itself exact.
#ifndef FLAGSTONE_TESTS_UNIT_CONFORMANCE_FLOAT_ORACLES_H_
#define FLAGSTONE_TESTS_UNIT_CONFORMANCE_FLOAT_ORACLES_H_

#include <cmath>
#include <limits>

#include "kernels/ptx/opcode.h"
#include "tests/unit/conformance/conformance.h"

namespace flagstone::conformance {

using ptx::Rounding;

inline int Sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

// The neighbour of `nearest` that the mode asks for, where `nearest` lies above (side > 0), on, or
// below (side < 0) the exact value.
template <class T, class Side>
T Directed(Rounding mode, T nearest, Side side) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (nearest != nearest) return Canonical(nearest);
  // Toward zero is down for what is positive, and for what is exactly +0.
  const bool negative = std::signbit(nearest);
  const bool down = mode == Rounding::kRm || (mode == Rounding::kRz && !negative);
  const bool up = mode == Rounding::kRp || (mode == Rounding::kRz && negative);
  if (down && side > 0) return std::nextafter(nearest, -kInfinity);
  if (up && side < 0) {
    const T next = std::nextafter(nearest, kInfinity);
    return negative && next == 0 ? -T{0} : next;
  }
  return nearest;
}

// Rounds sum + error, error below half a unit of sum, to a float.
inline float ToFloat(Rounding mode, double sum, double error) {
  const auto nearest = static_cast<float>(sum);
  const double difference = static_cast<double>(nearest) - sum;
  const int side = difference != 0 ? Sign(difference) : -Sign(error);
  return Directed(mode, nearest, std::isfinite(sum) ? side : 0);
}

struct ExactSum {
  double value = 0;
  double error = 0;
};
// Knuth's TwoSum: value + error is a + b exactly.
inline ExactSum TwoSum(double a, double b) {
  const double value = a + b;
  const double part = value - a;
  return {value, (a - (value - part)) + (b - part)};
}

// Exact zeros of opposite signs give -0 when rounding down, else +0.
template <class T>
T ZeroSum(Rounding mode, T a, T b, T otherwise) {
  if (a == -b && std::isfinite(a) && !(a == 0 && std::signbit(a) == std::signbit(b))) {
    return mode == Rounding::kRm ? -T{0} : T{0};
  }
  return otherwise;
}

// A NaN loses against a number; -0 is less than +0.
template <class T>
T Minimum(T a, T b) {
  if (a != a) return Canonical(b);
  if (b != b) return a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T Maximum(T a, T b) {
  return Canonical(-Minimum(-a, -b));
}

template <class T>
T Saturated(T value) {
  return value > 0 ? (value < 1 ? value : T{1}) : T{0};
}

}  // namespace flagstone::conformance

#endif  // FLAGSTONE_TESTS_UNIT_CONFORMANCE_FLOAT_ORACLES_H_
