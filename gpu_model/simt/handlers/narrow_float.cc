#include "gpu_model/simt/handlers/narrow_float.h"

#include <bit>
#include <cmath>
#include <limits>

namespace flagstone::simt {
namespace {

using ptx::Rounding;
using ptx::Type;

constexpr NarrowFormat kF16 = {5, 10, 0x7fff, 0x7bff};
constexpr NarrowFormat kBf16 = {8, 7, 0x7fff, 0x7f7f};
constexpr NarrowFormat kTf32 = {8, 10, 0x7fffffff, 0x7f7fe000, true, true, 13};
constexpr NarrowFormat kE4m3 = {4, 3, 0x7f, 0x7e, false};
constexpr NarrowFormat kE5m2 = {5, 2, 0x7f, 0x7b};
constexpr NarrowFormat kE3m2 = {3, 2, 0x1f, 0x1f, false, false};
constexpr NarrowFormat kE2m3 = {2, 3, 0x1f, 0x1f, false, false};
constexpr NarrowFormat kE2m1 = {2, 1, 0x7, 0x7, false, false};

int Bias(const NarrowFormat& format) { return (1 << (format.exponent_bits - 1)) - 1; }

// Whether the magnitude below + rest, 0 < rest < 1, is rounded up to below + 1.
bool Up(Rounding rounding, uint64_t below, double rest, bool negative, double random) {
  switch (rounding) {
    case Rounding::kRz:
      return false;
    case Rounding::kRm:
      return negative && rest > 0;
    case Rounding::kRp:
      return !negative && rest > 0;
    case Rounding::kRna:
      return rest >= 0.5;
    case Rounding::kRs:
      return rest + random >= 1;
    default:
      return rest > 0.5 || (rest == 0.5 && (below & 1) != 0);
  }
}

double Next(double value, bool up) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return std::nextafter(value, up ? kInfinity : -kInfinity);
}

constexpr int kPowerBias = 127;

bool IsEven(double value) { return (std::bit_cast<uint64_t>(value) & 1) == 0; }

}  // namespace

const NarrowFormat& FormatOf(Type type) {
  switch (type) {
    case Type::kBf16:
    case Type::kBf16x2:
      return kBf16;
    case Type::kTf32:
      return kTf32;
    case Type::kE4m3:
    case Type::kE4m3x2:
    case Type::kE4m3x4:
      return kE4m3;
    case Type::kE5m2:
    case Type::kE5m2x2:
    case Type::kE5m2x4:
      return kE5m2;
    case Type::kE3m2:
    case Type::kE3m2x2:
    case Type::kE3m2x4:
      return kE3m2;
    case Type::kE2m3:
    case Type::kE2m3x2:
    case Type::kE2m3x4:
      return kE2m3;
    case Type::kE2m1:
    case Type::kE2m1x2:
    case Type::kE2m1x4:
    case Type::kE2m1Packed:
      return kE2m1;
    default:
      return kF16;
  }
}

double FromNarrow(uint32_t bits, const NarrowFormat& format) {
  bits >>= format.low_bits;
  const int exponent_mask = (1 << format.exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> format.mantissa_bits) & exponent_mask;
  const uint32_t mantissa = bits & ((1U << format.mantissa_bits) - 1);
  const bool negative = (bits >> (format.exponent_bits + format.mantissa_bits) & 1) != 0;
  const uint32_t magnitude = bits & ((1U << (format.exponent_bits + format.mantissa_bits)) - 1);
  double value = 0;
  if (!format.has_infinity && format.has_nan && magnitude == format.nan) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (format.has_infinity && exponent == exponent_mask) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - Bias(format) - format.mantissa_bits);
  } else {
    value = std::ldexp((1U << format.mantissa_bits) + mantissa,
                       exponent - Bias(format) - format.mantissa_bits);
  }
  return negative ? -value : value;
}

uint32_t ToNarrow(double value, const NarrowFormat& format, Rounding rounding, bool finite,
                  double random) {
  if (value != value) return format.nan;
  const bool negative = std::signbit(value);
  const uint32_t sign = negative ? 1U << (format.exponent_bits + format.mantissa_bits) : 0;
  const uint32_t largest = format.largest >> format.low_bits;
  const auto in_register = [&](uint32_t bits) { return (sign | bits) << format.low_bits; };
  const bool bounded = finite || !format.has_infinity;
  if (std::isinf(value)) return in_register(bounded ? largest : largest + 1);
  if (value == 0) return in_register(0);
  int exponent = 0;
  std::frexp(value, &exponent);
  // The weight of the last bit.
  const int lowest = 1 - Bias(format);
  const int last = std::max(exponent - 1, lowest) - format.mantissa_bits;
  const double scaled = std::ldexp(std::fabs(value), -last);
  auto whole = static_cast<uint64_t>(scaled);
  if (Up(rounding, whole, scaled - static_cast<double>(whole), negative, random)) ++whole;
  // One more than the mantissa can hold carries into the exponent.
  const uint64_t hidden = uint64_t{1} << format.mantissa_bits;
  const auto below = static_cast<uint64_t>(last + format.mantissa_bits - lowest);
  const uint64_t bits =
      whole < hidden ? whole : ((below + 1) << format.mantissa_bits) + whole - hidden;
  if (bits <= largest) return in_register(static_cast<uint32_t>(bits));
  const bool inwards = rounding == Rounding::kRz || (rounding == Rounding::kRm && !negative) ||
                       (rounding == Rounding::kRp && negative);
  return in_register(bounded || inwards ? largest : largest + 1);
}

double FromPower(uint32_t bits) {
  constexpr uint32_t kNan = 0xff;
  if (bits == kNan) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1, static_cast<int>(bits) - kPowerBias);
}

uint32_t ToPower(double value, Rounding rounding, bool finite) {
  constexpr uint32_t kNan = 0xff, kLargest = 0xfe;
  if (value != value) return kNan;
  if (std::isinf(value)) return finite ? kLargest : kNan;
  int exponent = 0;
  const double part = std::frexp(std::fabs(value), &exponent);  // 0.5 to 1, or 0
  const bool above = part > 0.5 && rounding == Rounding::kRp;
  const int biased = exponent - 1 + (above ? 1 : 0) + kPowerBias;
  if (part == 0 || biased < 0) return 0;
  const auto bits = static_cast<uint32_t>(biased);
  return bits <= kLargest ? bits : finite ? kLargest : kNan;
}

double Extreme(bool maximum, bool nan_wins, double a, double b) {
  if (a != a || b != b) {
    if (nan_wins || (a != a && b != b)) return std::numeric_limits<double>::quiet_NaN();
    return a != a ? b : a;
  }
  const bool less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return less != maximum ? a : b;
}

double AddToOdd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  return error != 0 && IsEven(sum) ? Next(sum, error > 0) : sum;
}

double IntegerToOdd(uint64_t value, bool is_signed) {
  const bool negative = is_signed && static_cast<int64_t>(value) < 0;
  const uint64_t magnitude = negative ? uint64_t{0} - value : value;
  const auto high = static_cast<double>(magnitude & ~uint64_t{0xffffffff});
  const double sum = AddToOdd(high, static_cast<double>(magnitude & 0xffffffff));
  return negative ? -sum : sum;
}

}  // namespace flagstone::simt
