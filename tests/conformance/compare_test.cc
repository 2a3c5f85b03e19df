// setp, set and selp against a host oracle (PTX ISA 9.7.6).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "tests/conformance/conformance.h"

namespace flagstone::conformance {
namespace {

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
    case Kind::kS64:
      return "s64";
    case Kind::kF32:
      return "f32";
    default:
      return "f64";
  }
}

template <class T>
bool Compare(const std::string& op, T a, T b) {
  if (op == "eq") return a == b;
  if (op == "lt" || op == "lo") return a < b;
  if (op == "le" || op == "ls") return a <= b;
  if (op == "gt" || op == "hi") return a > b;
  if (op == "ge" || op == "hs") return a >= b;
  return a != b;
}

template <class T>
class IntegerCompare : public testing::Test {};
using Integers = testing::Types<uint16_t, int16_t, uint32_t, int32_t, uint64_t, int64_t>;
TYPED_TEST_SUITE(IntegerCompare, Integers);

TYPED_TEST(IntegerCompare, OrdersByTheTypesSign) {
  using T = TypeParam;
  for (const std::string op : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    Conforms<bool, T, T>(fmt::format("setp.{}.{} {{r}}, {{a}}, {{b}};", op, Name<T>()),
                         [=](T a, T b) { return Compare(op, a, b); });
  }
}

TYPED_TEST(IntegerCompare, LoLsHiHsAreUnsigned) {
  using T = TypeParam;
  if (!std::is_unsigned_v<T>) return;
  for (const std::string op : {"lo", "ls", "hi", "hs"}) {
    Conforms<bool, T, T>(fmt::format("setp.{}.{} {{r}}, {{a}}, {{b}};", op, Name<T>()),
                         [=](T a, T b) { return Compare(op, a, b); });
  }
}

template <class T>
class FloatCompare : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatCompare, Floats);

// Ordered comparisons are false for a NaN, unordered ones ("ltu") true.
TYPED_TEST(FloatCompare, TreatsNansAsTheIsaSays) {
  using T = TypeParam;
  for (const std::string op : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    Conforms<bool, T, T>(
        fmt::format("setp.{}.{} {{r}}, {{a}}, {{b}};", op, Name<T>()),
        [=](T a, T b) { return !std::isnan(a) && !std::isnan(b) && Compare(op, a, b); });
    Conforms<bool, T, T>(
        fmt::format("setp.{}u.{} {{r}}, {{a}}, {{b}};", op, Name<T>()),
        [=](T a, T b) { return std::isnan(a) || std::isnan(b) || Compare(op, a, b); });
  }
  Conforms<bool, T, T>(fmt::format("setp.num.{} {{r}}, {{a}}, {{b}};", Name<T>()),
                       [](T a, T b) { return !std::isnan(a) && !std::isnan(b); });
  Conforms<bool, T, T>(fmt::format("setp.nan.{} {{r}}, {{a}}, {{b}};", Name<T>()),
                       [](T a, T b) { return std::isnan(a) || std::isnan(b); });
}

TEST(Setp, FlushesWithFtz) {
  Conforms<bool, float, float>("setp.eq.ftz.f32 {r}, {a}, {b};",
                               [](float a, float b) { return Flush(a) == Flush(b); });
}

TEST(Setp, CombinesWithAPredicate) {
  Conforms<bool, int32_t, int32_t, bool>("setp.lt.and.s32 {r}, {a}, {b}, {c};",
                                         [](int32_t a, int32_t b, bool c) { return a < b && c; });
  Conforms<bool, int32_t, int32_t, bool>("setp.lt.or.s32 {r}, {a}, {b}, !{c};",
                                         [](int32_t a, int32_t b, bool c) { return a < b || !c; });
  Conforms<bool, int32_t, int32_t, bool>("setp.lt.xor.s32 {r}, {a}, {b}, {c};",
                                         [](int32_t a, int32_t b, bool c) { return (a < b) != c; });
}

TEST(Setp, GivesTheComplementToItsSecondDestination) {
  Conforms<bool, int32_t, int32_t, bool>("setp.lt.and.s32 %p29|{r}, {a}, {b}, {c};",
                                         [](int32_t a, int32_t b, bool c) { return a >= b && c; });
}

TEST(Set, GivesAllOnesOrOnePointZero) {
  Conforms<uint32_t, int32_t, int32_t>("set.gt.u32.s32 {r}, {a}, {b};", [](int32_t a, int32_t b) {
    return a > b ? 0xffffffffU : 0U;
  });
  Conforms<float, float, float>("set.le.f32.f32 {r}, {a}, {b};",
                                [](float a, float b) { return a <= b ? 1.0F : 0.0F; });
  Conforms<uint32_t, int64_t, int64_t, bool>(
      "set.ne.or.u32.s64 {r}, {a}, {b}, {c};",
      [](int64_t a, int64_t b, bool c) { return a != b || c ? 0xffffffffU : 0U; });
}

TEST(Selp, ChoosesByAPredicate) {
  Conforms<uint32_t, uint32_t, uint32_t, bool>(
      "selp.b32 {r}, {a}, {b}, {c};", [](uint32_t a, uint32_t b, bool c) { return c ? a : b; });
  Conforms<double, double, double, bool>("selp.f64 {r}, {a}, {b}, {c};",
                                         [](double a, double b, bool c) { return c ? a : b; });
}

}  // namespace
}  // namespace flagstone::conformance
