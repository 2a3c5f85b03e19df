// Integer arithmetic against a host oracle (PTX ISA 9.7.1).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/conformance/conformance.h"

namespace flagstone::conformance {
namespace integer_test {

__extension__ typedef __int128 Wide;

// Every integer of at most 64 bits, and the product of two, is exact in 128 bits.
template <class T>
T Truncate(Wide value) {
  return static_cast<T>(static_cast<uint64_t>(value));
}

template <class T>
const char* Name() {
  switch (KindOf<T>()) {
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
    default:
      return "s64";
  }
}

template <class T>
class Integer : public testing::Test {};
using Types = testing::Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(Integer, Types);

template <class T>
void Two(const char* op, Wide (*oracle)(Wide, Wide)) {
  Conforms<T, T, T>(fmt::format("{}.{} {{r}}, {{a}}, {{b}};", op, Name<T>()),
                    [=](T a, T b) { return Truncate<T>(oracle(a, b)); });
}

TYPED_TEST(Integer, AddsAndSubtractsModuloTheWidth) {
  Two<TypeParam>("add", [](Wide a, Wide b) { return a + b; });
  Two<TypeParam>("sub", [](Wide a, Wide b) { return a - b; });
}

TYPED_TEST(Integer, TakesMinimumAndMaximum) {
  Two<TypeParam>("min", [](Wide a, Wide b) { return std::min(a, b); });
  Two<TypeParam>("max", [](Wide a, Wide b) { return std::max(a, b); });
}

// By zero: all ones, and the dividend as remainder.
TYPED_TEST(Integer, DividesTowardsZero) {
  Two<TypeParam>("div", [](Wide a, Wide b) { return b == 0 ? Wide{-1} : a / b; });
  Two<TypeParam>("rem", [](Wide a, Wide b) { return b == 0 ? a : a % b; });
}

// The product's upper half: of 128 bits where the type has 64.
template <class T>
T UpperHalf(T a, T b) {
  __extension__ typedef unsigned __int128 Unsigned;
  if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(Unsigned{a} * b >> (8 * sizeof(T)));
  } else {
    return Truncate<T>(Wide{a} * b >> (8 * sizeof(T)));
  }
}

TYPED_TEST(Integer, MultipliesLowAndHigh) {
  using T = TypeParam;
  Two<T>("mul.lo", [](Wide a, Wide b) -> Wide {
    return static_cast<Wide>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  });
  Conforms<T, T, T>(fmt::format("mul.hi.{} {{r}}, {{a}}, {{b}};", Name<T>()), UpperHalf<T>);
}

TYPED_TEST(Integer, MultipliesAndAdds) {
  using T = TypeParam;
  Conforms<T, T, T, T>(fmt::format("mad.lo.{} {{r}}, {{a}}, {{b}}, {{c}};", Name<T>()),
                       [](T a, T b, T c) {
                         return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b) +
                                               static_cast<uint64_t>(c));
                       });
  Conforms<T, T, T, T>(
      fmt::format("sad.{} {{r}}, {{a}}, {{b}}, {{c}};", Name<T>()),
      [](T a, T b, T c) { return Truncate<T>((a < b ? Wide{b} - a : Wide{a} - b) + c); });
}

template <class T, class R>
void WideProducts() {
  Conforms<R, T, T>(fmt::format("mul.wide.{} {{r}}, {{a}}, {{b}};", Name<T>()),
                    [](T a, T b) { return Truncate<R>(Wide{a} * b); });
  Conforms<R, T, T, R>(fmt::format("mad.wide.{} {{r}}, {{a}}, {{b}}, {{c}};", Name<T>()),
                       [](T a, T b, R c) { return Truncate<R>(Wide{a} * b + c); });
}

TEST(IntegerWide, ProductsKeepAllBits) {
  WideProducts<uint16_t, uint32_t>();
  WideProducts<int16_t, int32_t>();
  WideProducts<uint32_t, uint64_t>();
  WideProducts<int32_t, int64_t>();
}

TYPED_TEST(Integer, AddsToTheUpperHalfOfAProduct) {
  using T = TypeParam;
  Conforms<T, T, T, T>(
      fmt::format("mad.hi.{} {{r}}, {{a}}, {{b}}, {{c}};", Name<T>()), [](T a, T b, T c) {
        return static_cast<T>(static_cast<uint64_t>(UpperHalf(a, b)) + static_cast<uint64_t>(c));
      });
}

int32_t Clamp(Wide value) {
  return static_cast<int32_t>(std::clamp<Wide>(value, INT32_MIN, INT32_MAX));
}

TEST(IntegerSaturated, ClampsToTheRangeOfS32) {
  Conforms<int32_t, int32_t, int32_t>("add.sat.s32 {r}, {a}, {b};",
                                      [](int32_t a, int32_t b) { return Clamp(Wide{a} + b); });
  Conforms<int32_t, int32_t, int32_t>("sub.sat.s32 {r}, {a}, {b};",
                                      [](int32_t a, int32_t b) { return Clamp(Wide{a} - b); });
  Conforms<int32_t, int32_t, int32_t, int32_t>(
      "mad.hi.sat.s32 {r}, {a}, {b}, {c};",
      [](int32_t a, int32_t b, int32_t c) { return Clamp((Wide{a} * b >> 32) + c); });
}

// Of halves of a register; the greater of it and 0 with .relu.
template <class T>
void Pairs(const std::string& op, Wide (*oracle)(Wide, Wide)) {
  const auto half = [=](uint32_t a, uint32_t b, int shift) {
    const Wide result = oracle(static_cast<T>(a >> shift), static_cast<T>(b >> shift));
    return uint32_t{Truncate<uint16_t>(result)} << shift;
  };
  Conforms<uint32_t, uint32_t, uint32_t>(
      fmt::format("{}.{}x2 {{r}}, {{a}}, {{b}};", op, Name<T>()),
      [=](uint32_t a, uint32_t b) { return half(a, b, 0) | half(a, b, 16); });
}

TEST(IntegerPairs, AddAndCompareEachHalfAlone) {
  Pairs<uint16_t>("add", [](Wide a, Wide b) { return a + b; });
  Pairs<int16_t>("add", [](Wide a, Wide b) { return a + b; });
  Pairs<uint16_t>("min", [](Wide a, Wide b) { return std::min(a, b); });
  Pairs<int16_t>("min", [](Wide a, Wide b) { return std::min(a, b); });
  Pairs<uint16_t>("max", [](Wide a, Wide b) { return std::max(a, b); });
  Pairs<int16_t>("max", [](Wide a, Wide b) { return std::max(a, b); });
}

TEST(IntegerRelu, GivesNothingBelowZero) {
  Pairs<int16_t>("min.relu", [](Wide a, Wide b) { return std::max(std::min(a, b), Wide{0}); });
  Pairs<int16_t>("max.relu", [](Wide a, Wide b) { return std::max({a, b, Wide{0}}); });
  Two<int32_t>("min.relu", [](Wide a, Wide b) { return std::max(std::min(a, b), Wide{0}); });
  Two<int32_t>("max.relu", [](Wide a, Wide b) { return std::max({a, b, Wide{0}}); });
}

template <class T>
void Signs() {
  Conforms<T, T>(fmt::format("abs.{} {{r}}, {{a}};", Name<T>()),
                 [](T a) { return Truncate<T>(a < 0 ? -Wide{a} : Wide{a}); });
  Conforms<T, T>(fmt::format("neg.{} {{r}}, {{a}};", Name<T>()),
                 [](T a) { return Truncate<T>(-Wide{a}); });
}

TEST(IntegerSign, OfTheLowestNumberWrapsToItself) {
  Signs<int16_t>();
  Signs<int32_t>();
  Signs<int64_t>();
}

}  // namespace integer_test
}  // namespace flagstone::conformance
