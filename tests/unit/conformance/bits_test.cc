// Logic, shifts, bit fields and counts against a host oracle (PTX ISA 9.7.1, 9.7.8).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "tests/unit/conformance/conformance.h"

namespace flagstone::conformance {
namespace bits_test {

template <class T>
class Bits : public testing::Test {};
using Types = testing::Types<uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(Bits, Types);

template <class T>
constexpr int kBits = 8 * sizeof(T);

TYPED_TEST(Bits, CombineBitwise) {
  using T = TypeParam;
  const auto check = [](const char* op, T (*oracle)(T, T)) {
    Conforms<T, T, T>(fmt::format("{}.b{} {{r}}, {{a}}, {{b}};", op, kBits<T>), oracle);
  };
  check("and", [](T a, T b) { return static_cast<T>(a & b); });
  check("or", [](T a, T b) { return static_cast<T>(a | b); });
  check("xor", [](T a, T b) { return static_cast<T>(a ^ b); });
  Conforms<T, T>(fmt::format("not.b{} {{r}}, {{a}};", kBits<T>),
                 [](T a) { return static_cast<T>(~a); });
}

TYPED_TEST(Bits, ShiftByTheWidthOrMoreClamps) {
  using T = TypeParam;
  using S = std::make_signed_t<T>;
  Conforms<T, T, uint32_t>(
      fmt::format("shl.b{} {{r}}, {{a}}, {{b}};", kBits<T>),
      [](T a, uint32_t n) { return static_cast<T>(n >= kBits<T> ? 0 : uint64_t{a} << n); });
  Conforms<T, T, uint32_t>(
      fmt::format("shr.u{} {{r}}, {{a}}, {{b}};", kBits<T>),
      [](T a, uint32_t n) { return static_cast<T>(n >= kBits<T> ? 0 : a >> n); });
  Conforms<T, T, uint32_t>(
      fmt::format("shr.b{} {{r}}, {{a}}, {{b}};", kBits<T>),
      [](T a, uint32_t n) { return static_cast<T>(n >= kBits<T> ? 0 : a >> n); });
  Conforms<S, S, uint32_t>(
      fmt::format("shr.s{} {{r}}, {{a}}, {{b}};", kBits<T>), [](S a, uint32_t n) {
        return static_cast<S>(n >= kBits<T> ? (a < 0 ? -1 : 0) : int64_t{a} >> n);
      });
}

// The ISA's own definition, bit by bit.
template <class T>
T ExtractField(T a, uint32_t b, uint32_t c) {
  using U = std::make_unsigned_t<T>;
  const uint32_t msb = kBits<T> - 1;
  const uint32_t pos = b & 0xff;
  const uint32_t len = c & 0xff;
  const auto bit = [&](uint32_t i) { return (static_cast<U>(a) >> i) & 1; };
  U sign = 0;
  if (std::is_signed_v<T> && len != 0) sign = bit(std::min(pos + len - 1, msb));
  U result = 0;
  for (uint32_t i = 0; i <= msb; ++i) {
    const U value = i < len && pos + i <= msb ? bit(pos + i) : sign;
    result = static_cast<U>(result | value << i);
  }
  return static_cast<T>(result);
}

template <class T>
T InsertField(T a, T b, uint32_t c, uint32_t d) {
  const uint32_t msb = kBits<T> - 1;
  const uint32_t pos = c & 0xff;
  const uint32_t len = d & 0xff;
  T f = b;
  for (uint32_t i = 0; i < len && pos + i <= msb; ++i) {
    f = static_cast<T>((f & ~(T{1} << (pos + i))) | ((i <= msb ? (a >> i) & 1 : 0) << (pos + i)));
  }
  return f;
}

TEST(BitField, ExtractFollowsTheIsaBitByBit) {
  Conforms<uint32_t, uint32_t, uint32_t, uint32_t>("bfe.u32 {r}, {a}, {b}, {c};",
                                                   ExtractField<uint32_t>);
  Conforms<int32_t, int32_t, uint32_t, uint32_t>("bfe.s32 {r}, {a}, {b}, {c};",
                                                 ExtractField<int32_t>);
  Conforms<uint64_t, uint64_t, uint32_t, uint32_t>("bfe.u64 {r}, {a}, {b}, {c};",
                                                   ExtractField<uint64_t>);
  Conforms<int64_t, int64_t, uint32_t, uint32_t>("bfe.s64 {r}, {a}, {b}, {c};",
                                                 ExtractField<int64_t>);
}

TEST(BitField, InsertFollowsTheIsaBitByBit) {
  Conforms<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>("bfi.b32 {r}, {a}, {b}, {c}, {d};",
                                                             InsertField<uint32_t>);
  Conforms<uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>("bfi.b64 {r}, {a}, {b}, {c}, {d};",
                                                             InsertField<uint64_t>);
}

TEST(BitCount, CountsOnesAndLeadingZeros) {
  const auto ones = [](uint64_t a) { return static_cast<uint32_t>(std::popcount(a)); };
  Conforms<uint32_t, uint32_t>("popc.b32 {r}, {a};", [=](uint32_t a) { return ones(a); });
  Conforms<uint32_t, uint64_t>("popc.b64 {r}, {a};", ones);
  Conforms<uint32_t, uint32_t>("clz.b32 {r}, {a};", [](uint32_t a) { return std::countl_zero(a); });
  Conforms<uint32_t, uint64_t>("clz.b64 {r}, {a};", [](uint64_t a) { return std::countl_zero(a); });
}

template <class T>
T Reversed(T a) {
  T result = 0;
  for (int i = 0; i < kBits<T>; ++i) result |= static_cast<T>((a >> i) & 1) << (kBits<T> - 1 - i);
  return result;
}

TEST(BitReverse, TurnsTheOrderRound) {
  Conforms<uint32_t, uint32_t>("brev.b32 {r}, {a};", Reversed<uint32_t>);
  Conforms<uint64_t, uint64_t>("brev.b64 {r}, {a};", Reversed<uint64_t>);
}

TEST(BytePermute, PicksBytesAndTheirSigns) {
  Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
      "prmt.b32 {r}, {a}, {b}, {c};", [](uint32_t a, uint32_t b, uint32_t c) {
        const uint64_t source = uint64_t{b} << 32 | a;
        uint32_t result = 0;
        for (int i = 0; i < 4; ++i) {
          const uint32_t nibble = c >> (4 * i) & 0xf;
          auto byte = static_cast<uint8_t>(source >> (8 * (nibble & 7)));
          if (nibble >= 8) byte = byte >= 128 ? 0xff : 0;
          result |= uint32_t{byte} << (8 * i);
        }
        return result;
      });
}

TEST(Predicates, CombineAndNegate) {
  Conforms<bool, bool, bool>("and.pred {r}, {a}, {b};", [](bool a, bool b) { return a && b; });
  Conforms<bool, bool, bool>("or.pred {r}, {a}, {b};", [](bool a, bool b) { return a || b; });
  Conforms<bool, bool, bool>("xor.pred {r}, {a}, {b};", [](bool a, bool b) { return a != b; });
  Conforms<bool, bool>("not.pred {r}, {a};", [](bool a) { return !a; });
  Conforms<bool, bool>("mov.pred {r}, {a};", [](bool a) { return a; });
  Conforms<bool, bool>("mov.pred {r}, 1;", [](bool) { return true; });
}

}  // namespace bits_test
}  // namespace flagstone::conformance
