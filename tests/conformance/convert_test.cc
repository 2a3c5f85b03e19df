// cvt against a host oracle, all pairs of types (PTX ISA 9.7.9).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tests/conformance/conformance.h"

namespace flagstone::conformance {
namespace {

__extension__ typedef __int128 Wide;

template <class T>
const char* Name() {
  switch (KindOf<T>()) {
    case Kind::kU8:
      return "u8";
    case Kind::kS8:
      return "s8";
    case Kind::kU16:
      return "u16";
    case Kind::kS16:
      return "s16";
    case Kind::kU32:
      return "u32";
    case Kind::kS32:
      return "s32";
    case Kind::kU64:
      return "u64";
    case Kind::kS64:
      return "s64";
    case Kind::kF32:
      return "f32";
    default:
      return "f64";
  }
}

template <class D, class S>
std::string Text(const char* modifiers) {
  return fmt::format("cvt{}.{}.{} {{r}}, {{a}};", modifiers, Name<D>(), Name<S>());
}

template <class S>
class FromInteger : public testing::Test {};
using Integers =
    testing::Types<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(FromInteger, Integers);

template <class D, class S>
void IntegerPair() {
  Conforms<D, S>(Text<D, S>(""), [](S a) { return static_cast<D>(a); });
  using Limits = std::numeric_limits<D>;
  Conforms<D, S>(Text<D, S>(".sat"), [](S a) {
    return static_cast<D>(std::clamp<Wide>(a, Limits::min(), Limits::max()));
  });
}

TYPED_TEST(FromInteger, TruncatesExtendsAndSaturates) {
  IntegerPair<uint8_t, TypeParam>();
  IntegerPair<int8_t, TypeParam>();
  IntegerPair<uint16_t, TypeParam>();
  IntegerPair<int16_t, TypeParam>();
  IntegerPair<uint32_t, TypeParam>();
  IntegerPair<int32_t, TypeParam>();
  IntegerPair<uint64_t, TypeParam>();
  IntegerPair<int64_t, TypeParam>();
}

TYPED_TEST(FromInteger, RoundsToFloats) {
  using S = TypeParam;
  Conforms<float, S>(Text<float, S>(".rn"), [](S a) { return static_cast<float>(a); });
  Conforms<double, S>(Text<double, S>(".rn"), [](S a) { return static_cast<double>(a); });
}

// Rounded by libm in double precision, then clamped; NaN gives 0, or the top bit where a type of 64
// bits takes part.
template <class D, class S>
D ToInteger(S a, double (*round)(double)) {
  using Limits = std::numeric_limits<D>;
  if (a != a) {
    constexpr bool kWide = sizeof(D) == 8 || sizeof(S) == 8;
    return kWide ? static_cast<D>(uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  }
  const double value = round(static_cast<double>(a));
  if (value >= std::ldexp(1.0, Limits::digits)) return Limits::max();
  if (value < static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<D>(value);
}

template <class D, class S>
void FloatPair() {
  Conforms<D, S>(Text<D, S>(".rni"), [](S a) { return ToInteger<D>(a, std::nearbyint); });
  Conforms<D, S>(Text<D, S>(".rzi"), [](S a) { return ToInteger<D>(a, std::trunc); });
  Conforms<D, S>(Text<D, S>(".rmi"), [](S a) { return ToInteger<D>(a, std::floor); });
  Conforms<D, S>(Text<D, S>(".rpi"), [](S a) { return ToInteger<D>(a, std::ceil); });
}

TYPED_TEST(FromInteger, IsWhatFloatsRoundAndClampTo) {
  FloatPair<TypeParam, float>();
  FloatPair<TypeParam, double>();
}

double Round(double value, const std::string& mode) {
  if (mode == ".rni") return std::nearbyint(value);
  if (mode == ".rzi") return std::trunc(value);
  return mode == ".rmi" ? std::floor(value) : std::ceil(value);
}

TEST(FloatToFloat, RoundsToIntegralValues) {
  for (const std::string mode : {".rni", ".rzi", ".rmi", ".rpi"}) {
    Conforms<float, float>(Text<float, float>(mode.c_str()), [=](float a) {
      return Canonical(static_cast<float>(Round(static_cast<double>(a), mode)));
    });
    Conforms<double, double>(Text<double, double>(mode.c_str()),
                             [=](double a) { return Canonical(Round(a, mode)); });
  }
}

TEST(FloatToFloat, WidensExactlyAndNarrowsToNearest) {
  Conforms<double, float>(Text<double, float>(""),
                          [](float a) { return Canonical(static_cast<double>(a)); });
  Conforms<double, float>(Text<double, float>(".ftz"),
                          [](float a) { return Canonical(static_cast<double>(Flush(a))); });
  Conforms<float, double>(Text<float, double>(".rn"),
                          [](double a) { return Canonical(static_cast<float>(a)); });
  Conforms<float, double>(Text<float, double>(".rn.ftz"),
                          [](double a) { return Canonical(Flush(static_cast<float>(a))); });
}

TEST(FloatToFloat, SaturatesToTheUnitInterval) {
  Conforms<float, float>(Text<float, float>(".sat"),
                         [](float a) { return a > 0 ? std::min(a, 1.0F) : 0.0F; });
  Conforms<float, double>(Text<float, double>(".rn.sat"), [](double a) {
    const auto narrow = static_cast<float>(a);
    return narrow > 0 ? std::min(narrow, 1.0F) : 0.0F;
  });
}

TEST(FloatToInteger, FlushesSubnormalsWithFtz) {
  Conforms<int32_t, float>(Text<int32_t, float>(".rpi.ftz"),
                           [](float a) { return ToInteger<int32_t>(Flush(a), std::ceil); });
}

// Registers may be wider than the integer types.
TEST(WideRegisters, AreReadInPartAndWrittenWhole) {
  Conforms<uint32_t, uint32_t>("cvt.s32.s8 {r}, {a};", [](uint32_t a) {
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(a)));
  });
  Conforms<uint64_t, uint64_t>("cvt.u32.u16 {r}, {a};",
                               [](uint64_t a) { return static_cast<uint64_t>(a & 0xffff); });
  Conforms<uint64_t, uint32_t>("cvt.u32.s8 {r}, {a};", [](uint32_t a) {
    return static_cast<uint64_t>(static_cast<uint32_t>(static_cast<int8_t>(a)));
  });
}

}  // namespace
}  // namespace flagstone::conformance
