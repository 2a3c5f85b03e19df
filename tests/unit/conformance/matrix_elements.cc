#include "tests/unit/conformance/matrix_elements.h"

#include <bit>
#include <cmath>
#include <limits>

namespace flagstone::conformance {

using ptx::Type;

Narrow NarrowOf(Type type) {
  switch (type) {
    case Type::kE4m3:
      return {4, 3};
    case Type::kE5m2:
      return {5, 2};
    case Type::kE3m2:
      return {3, 2};
    case Type::kE2m3:
      return {2, 3};
    case Type::kE2m1:
    case Type::kE2m1Packed:
      return {2, 1};
    default:
      return {5, 10};
  }
}

uint64_t NarrowBits(Narrow of, double whole) {
  if (whole == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(whole), &exponent);
  const auto mantissa = static_cast<uint64_t>((2 * fraction - 1) * (1 << of.mantissa));
  const auto biased = static_cast<uint64_t>(exponent - 1 + of.Bias());
  const uint64_t sign = whole < 0 ? uint64_t{1} << (of.exponent + of.mantissa) : 0;
  return sign | biased << of.mantissa | mantissa;
}

double NarrowValue(Type type, uint64_t bits) {
  const Narrow of = NarrowOf(type);
  const auto mantissa = static_cast<int>(bits & ((1U << of.mantissa) - 1));
  const auto exponent = static_cast<int>(bits >> of.mantissa & ((1U << of.exponent) - 1));
  const bool negative = (bits >> (of.exponent + of.mantissa) & 1) != 0;
  const int hidden = 1 << of.mantissa;
  double value = exponent == 0 ? std::ldexp(mantissa, 1 - of.Bias() - of.mantissa)
                               : std::ldexp(hidden + mantissa, exponent - of.Bias() - of.mantissa);
  const bool below_bytes = of.exponent + of.mantissa < 7;
  if (below_bytes) {  // every one is a number
    return negative ? -value : value;
  }
  if (type == Type::kE4m3) {  // no infinities, and one NaN of either sign
    if ((bits & 0x7f) == 0x7f) value = std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == (1 << of.exponent) - 1) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  }
  return negative ? -value : value;
}

uint64_t Element(Type type, SplitMix64* random, double* value) {
  const bool is_unsigned = type == Type::kU8 || type == Type::kU4;
  const uint64_t range = type == Type::kB1 ? 2 : type == Type::kU4 || type == Type::kS4 ? 16 : 17;
  const auto n = static_cast<int64_t>(random->Below(range)) - (range > 2 ? 8 : 0);
  const auto whole = static_cast<double>(is_unsigned ? n + 8 : n);
  if (type >= Type::kE2m3 && type <= Type::kE2m1Packed) {
    // What has no fraction of those of 4 bits; 6 bits hold them, too.
    constexpr double kWhole[] = {-6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6};
    *value = kWhole[random->Below(11)];
    return NarrowBits(NarrowOf(type), *value) << (type == Type::kE2m1 ? 2 : 0);
  }
  *value = whole;
  switch (type) {
    case Type::kS8:
    case Type::kU8:
      return static_cast<uint64_t>(static_cast<int64_t>(whole)) & 0xff;
    case Type::kS4:
    case Type::kU4:
    case Type::kB1:
      return static_cast<uint64_t>(static_cast<int64_t>(whole)) & 0xf;
    case Type::kS32:
      return static_cast<uint32_t>(static_cast<int32_t>(whole));
    case Type::kF64:
      return std::bit_cast<uint64_t>(whole);
    case Type::kBf16:
      return std::bit_cast<uint32_t>(static_cast<float>(whole)) >> 16;
    case Type::kF16:
    case Type::kE4m3:
    case Type::kE5m2:
    case Type::kE3m2:
      return NarrowBits(NarrowOf(type), whole);
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(whole));
  }
}

double ValueOf(Type type, uint64_t bits) {
  switch (type) {
    case Type::kF64:
      return std::bit_cast<double>(bits);
    case Type::kS32:
      return static_cast<int32_t>(bits);
    case Type::kF16:
      return NarrowValue(type, bits);
    default:
      return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
}

}  // namespace flagstone::conformance
