// Instructions that kernels use seldom, against a host oracle (PTX
// ISA 9.7.1, 9.7.3, 9.7.8, 9.7.17).
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "tests/unit/conformance/conformance.h"

namespace flagstone::conformance {
namespace rare_test {

// Bit by bit from the top, as the ISA writes it.
template <class T>
uint32_t HighestBit(T a, bool shift_amount) {
  const int msb = 8 * static_cast<int>(sizeof(T)) - 1;
  if (std::is_signed_v<T> && a < 0) a = static_cast<T>(~a);
  for (int i = msb; i >= 0; --i) {
    if ((a >> i & 1) != 0) return static_cast<uint32_t>(shift_amount ? msb - i : i);
  }
  return 0xffffffff;
}

template <class T>
void CheckBfind(const char* type) {
  Conforms<uint32_t, T>(fmt::format("bfind.{} {{r}}, {{a}};", type),
                        [](T a) { return HighestBit(a, false); });
  Conforms<uint32_t, T>(fmt::format("bfind.shiftamt.{} {{r}}, {{a}};", type),
                        [](T a) { return HighestBit(a, true); });
}

TEST(BitFind, FindsTheHighestBitThatIsNotTheSign) {
  CheckBfind<uint32_t>("u32");
  CheckBfind<int32_t>("s32");
  CheckBfind<uint64_t>("u64");
  CheckBfind<int64_t>("s64");
}

TEST(BitMask, SetsAFieldClampedOrWrapped) {
  const auto mask = [](uint64_t from, uint64_t width) {
    uint32_t bits = 0;
    for (uint64_t i = from; i < 32 && i - from < width; ++i) bits |= 1U << i;
    return bits;
  };
  Conforms<uint32_t, uint32_t, uint32_t>("bmsk.clamp.b32 {r}, {a}, {b};",
                                         [=](uint32_t a, uint32_t b) { return mask(a, b); });
  Conforms<uint32_t, uint32_t, uint32_t>(
      "bmsk.wrap.b32 {r}, {a}, {b};", [=](uint32_t a, uint32_t b) { return mask(a % 32, b % 32); });
}

// Row 4a + 2b + c of the table, bit by bit.
uint32_t Looked(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const uint32_t row = (a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1);
    result |= (table >> row & 1) << bit;
  }
  return result;
}

TEST(Lop3, SetsAPredicateWhereABitIsSetAndCombinesIt) {
  for (const uint32_t table : {0x80U, 0xc0U, 0x96U}) {
    for (const bool is_or : {false, true}) {
      const std::string operands = fmt::format("{{a}}, {{b}}, {{a}}, {}, {{c}};", table);
      const std::string name = is_or ? "lop3.or.b32 " : "lop3.and.b32 ";
      const auto holds = [=](uint32_t a, uint32_t b, bool q) {
        const bool set = Looked(table, a, b, a) != 0;
        return is_or ? set || q : set && q;
      };
      Conforms<bool, uint32_t, uint32_t, bool>(name + "%r29|{r}, " + operands, holds);
      Conforms<bool, uint32_t, uint32_t, bool>(name + "_|{r}, " + operands, holds);
      Conforms<uint32_t, uint32_t, uint32_t, bool>(
          name + "{r}|%p29, " + operands,
          [=](uint32_t a, uint32_t b, bool) { return Looked(table, a, b, a); });
    }
  }
  Conforms<bool, uint32_t, uint32_t, bool>(
      "lop3.or.b32 _|{r}, {a}, {b}, 0, 0x3c, !{c};",
      [](uint32_t a, uint32_t b, bool q) { return (a ^ b) != 0 || !q; });
}

// By whole numbers of 64 bits, so that no step can overflow.
void CheckPack(const std::string& type, int bits, bool is_signed) {
  const int64_t most = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const int64_t least = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const auto part = [=](int32_t value) {
    const int64_t kept = value < least ? least : value > most ? most : value;
    return static_cast<uint64_t>(kept) & ((uint64_t{1} << bits) - 1);
  };
  const auto both = [=](int32_t a, int32_t b) { return part(a) << bits | part(b); };
  if (bits == 16) {
    Conforms<uint32_t, int32_t, int32_t>(
        "cvt.pack.sat." + type + ".s32 {r}, {a}, {b};",
        [=](int32_t a, int32_t b) { return static_cast<uint32_t>(both(a, b)); });
    return;
  }
  Conforms<uint32_t, int32_t, int32_t, uint32_t>(
      "cvt.pack.sat." + type + ".s32.b32 {r}, {a}, {b}, {c};",
      [=](int32_t a, int32_t b, uint32_t c) {
        return static_cast<uint32_t>(uint64_t{c} << (2 * bits) | both(a, b));
      });
}

TEST(ConvertAndPack, ClampsTwoIntegersAndMovesTheThirdUp) {
  for (const int bits : {2, 4, 8, 16}) {
    CheckPack(fmt::format("u{}", bits), bits, false);
    CheckPack(fmt::format("s{}", bits), bits, true);
  }
}

TEST(SignExtend, KeepsTheLowBitsAndTheirSign) {
  const auto extend = [](uint32_t a, uint32_t width, bool is_signed) {
    if (width >= 32) return a;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 32; ++i) {
      const uint32_t from = i < width ? i : width - 1;
      const bool set = i < width || (is_signed && width > 0) ? (a >> from & 1) != 0 : false;
      if (set) bits |= 1U << i;
    }
    return bits;
  };
  for (const bool clamp : {true, false}) {
    const auto width = [=](uint32_t b) { return clamp ? b : b % 32; };
    const std::string mode = clamp ? "clamp" : "wrap";
    Conforms<uint32_t, uint32_t, uint32_t>(
        "szext." + mode + ".u32 {r}, {a}, {b};",
        [=](uint32_t a, uint32_t b) { return extend(a, width(b), false); });
    Conforms<uint32_t, uint32_t, uint32_t>(
        "szext." + mode + ".s32 {r}, {a}, {b};",
        [=](uint32_t a, uint32_t b) { return extend(a, width(b), true); });
  }
}

TEST(FunnelShift, MovesBitsBetweenTwoWords) {
  for (const bool clamp : {true, false}) {
    for (const bool left : {true, false}) {
      Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
          fmt::format("shf.{}.{}.b32 {{r}}, {{a}}, {{b}}, {{c}};", left ? "l" : "r",
                      clamp ? "clamp" : "wrap"),
          [=](uint32_t a, uint32_t b, uint32_t c) {
            const uint32_t n = clamp ? (c > 32 ? 32 : c) : c % 32;
            uint64_t both = uint64_t{b} << 32 | a;
            for (uint32_t i = 0; i < n; ++i) both = left ? both << 1 : both >> 1;
            // Shifting left by 32 leaves a in the upper half.
            return static_cast<uint32_t>(left ? both >> 32 : both);
          });
    }
  }
}

TEST(LogicOfThree, FollowsItsTable) {
  for (const int table : {0x00, 0x80, 0x96, 0xe8, 0xca, 0x1e, 0xff, 0x2d}) {
    Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
        fmt::format("lop3.b32 {{r}}, {{a}}, {{b}}, {{c}}, {};", table),
        [=](uint32_t a, uint32_t b, uint32_t c) {
          uint32_t bits = 0;
          for (int i = 0; i < 32; ++i) {
            const auto row = (a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1);
            bits |= (static_cast<uint32_t>(table) >> row & 1) << i;
          }
          return bits;
        });
  }
}

uint32_t FindNthSet(uint32_t mask, uint32_t base, int32_t offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffff;
  int64_t count = offset < 0 ? -int64_t{offset} : offset;
  for (int64_t at = static_cast<int32_t>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
    count -= mask >> at & 1;
    if (count == 0) return static_cast<uint32_t>(at);
  }
  return 0xffffffff;
}

TEST(FindNthSet, CountsSetBitsUpwardsAndDownwards) {
  std::vector<Row> rows;
  for (uint64_t base = 0; base < 32; ++base) {
    for (const int32_t offset : {-33, -32, -5, -2, -1, 0, 1, 2, 7, 31, 32, INT32_MIN}) {
      for (const uint64_t mask : {0U, 0xffffffffU, 0x80000001U, 0x12345678U, 0x00ff00f0U}) {
        rows.push_back({mask, base, static_cast<uint32_t>(offset), 0});
      }
    }
  }
  Check(
      "fns.b32 {r}, {a}, {b}, {c};", Kind::kU32, {Kind::kU32, Kind::kU32, Kind::kU32}, rows,
      [](const Row& row) -> uint64_t {
        return FindNthSet(static_cast<uint32_t>(row[0]), static_cast<uint32_t>(row[1]),
                          static_cast<int32_t>(static_cast<uint32_t>(row[2])));
      },
      [](uint64_t got, uint64_t expected, const Row&) { return got == expected; });
}

// The ISA's table: for each value of c[1:0] the bytes of the result, the highest first.
TEST(BytePermuteMode, PicksTheBytesOfTheIsasTable) {
  const std::vector<std::pair<std::string, std::array<const char*, 4>>> table = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}},
  };
  for (const auto& [mode, bytes] : table) {
    Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
        "prmt.b32." + mode + " {r}, {a}, {b}, {c};",
        [&bytes = bytes](uint32_t a, uint32_t b, uint32_t c) {
          const uint64_t both = uint64_t{b} << 32 | a;
          uint32_t result = 0;
          for (int i = 0; i < 4; ++i) {
            const int from = bytes[c & 3][i] - '0';
            result = result << 8 | (static_cast<uint32_t>(both >> (8 * from)) & 255);
          }
          return result;
        });
  }
}

template <class A, class B>
void CheckDotProducts(const char* types) {
  const auto byte = [](uint32_t word, int i) { return static_cast<B>(word >> (8 * i)); };
  Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
      fmt::format("dp4a.{} {{r}}, {{a}}, {{b}}, {{c}};", types),
      [=](uint32_t a, uint32_t b, uint32_t c) {
        using A8 = std::conditional_t<std::is_signed_v<A>, int8_t, uint8_t>;
        for (int i = 0; i < 4; ++i) {
          c += static_cast<uint32_t>(int{static_cast<A8>(a >> (8 * i))} * int{byte(b, i)});
        }
        return c;
      });
  for (const int half : {0, 1}) {
    Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
        fmt::format("dp2a.{}.{} {{r}}, {{a}}, {{b}}, {{c}};", half == 0 ? "lo" : "hi", types),
        [=](uint32_t a, uint32_t b, uint32_t c) {
          for (int i = 0; i < 2; ++i) {
            const int64_t part = static_cast<A>(a >> (16 * i));
            c += static_cast<uint32_t>(part * int64_t{byte(b, 2 * half + i)});
          }
          return c;
        });
  }
}

TEST(DotProduct, SumsProductsOfParts) {
  CheckDotProducts<uint16_t, uint8_t>("u32.u32");
  CheckDotProducts<int16_t, int8_t>("s32.s32");
  CheckDotProducts<uint16_t, int8_t>("u32.s32");
  CheckDotProducts<int16_t, uint8_t>("s32.u32");
}

template <class T>
int64_t Low24(uint32_t a) {
  const auto low = static_cast<int64_t>(a & 0xffffff);
  return std::is_signed_v<T> && low >= 0x800000 ? low - 0x1000000 : low;
}

template <class T>
void CheckMul24(const char* type) {
  for (const bool high : {false, true}) {
    const auto product = [=](uint32_t a, uint32_t b) {
      const int64_t whole = Low24<T>(a) * Low24<T>(b);
      return static_cast<uint32_t>(high ? whole >> 16 : whole);
    };
    const char* part = high ? "hi" : "lo";
    Conforms<uint32_t, uint32_t, uint32_t>(
        fmt::format("mul24.{}.{} {{r}}, {{a}}, {{b}};", part, type), product);
    Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
        fmt::format("mad24.{}.{} {{r}}, {{a}}, {{b}}, {{c}};", part, type),
        [=](uint32_t a, uint32_t b, uint32_t c) { return product(a, b) + c; });
  }
}

TEST(Product24, KeepsTheLowOrTheHighBitsOf48) {
  CheckMul24<uint32_t>("u32");
  CheckMul24<int32_t>("s32");
  Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
      "mad24.hi.sat.s32 {r}, {a}, {b}, {c};", [](uint32_t a, uint32_t b, uint32_t c) {
        const int64_t part = static_cast<int32_t>(Low24<int32_t>(a) * Low24<int32_t>(b) >> 16);
        const int64_t sum = part + static_cast<int32_t>(c);
        return static_cast<uint32_t>(sum > INT32_MAX   ? INT32_MAX
                                     : sum < INT32_MIN ? INT32_MIN
                                                       : sum);
      });
}

int Byte(uint32_t word, int i, bool is_signed) {
  const auto byte = static_cast<uint8_t>(word >> (8 * i));
  return is_signed ? static_cast<int8_t>(byte) : byte;
}

TEST(AbsoluteDifferenceOfBytes, IsTakenByteByByteOrSummed) {
  for (int types = 0; types < 8; ++types) {
    const bool d = (types & 4) != 0, s = (types & 2) != 0, t = (types & 1) != 0;
    const auto name = [](bool is_signed) { return is_signed ? "s32" : "u32"; };
    const std::string suffix = fmt::format("{}.{}.{}", name(d), name(s), name(t));
    const auto difference = [=](uint32_t a, uint32_t b, int i) {
      return std::abs(Byte(a, i, s) - Byte(b, i, t));
    };
    for (const bool saturate : {false, true}) {
      Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
          fmt::format("vabsdiff4.{}{} {{r}}, {{a}}, {{b}}, {{c}};", suffix, saturate ? ".sat" : ""),
          [=](uint32_t a, uint32_t b, uint32_t) {
            uint32_t result = 0;
            for (int i = 0; i < 4; ++i) {
              const int most = d ? 127 : 255;
              const int value = difference(a, b, i);
              const int kept = saturate && value > most ? most : value;
              result |= (static_cast<uint32_t>(kept) & 255) << (8 * i);
            }
            return result;
          });
    }
    Conforms<uint32_t, uint32_t, uint32_t, uint32_t>(
        fmt::format("vabsdiff4.{}.add {{r}}, {{a}}, {{b}}, {{c}};", suffix),
        [=](uint32_t a, uint32_t b, uint32_t c) {
          for (int i = 0; i < 4; ++i) c += static_cast<uint32_t>(difference(a, b, i));
          return c;
        });
  }
}

template <class T>
void CheckSlct(const char* type) {
  Conforms<T, T, T, int32_t>(fmt::format("slct.{}.s32 {{r}}, {{a}}, {{b}}, {{c}};", type),
                             [](T a, T b, int32_t c) { return c >= 0 ? a : b; });
  Conforms<T, T, T, float>(fmt::format("slct.{}.f32 {{r}}, {{a}}, {{b}}, {{c}};", type),
                           [](T a, T b, float c) { return c >= 0.0F ? a : b; });
  Conforms<T, T, T, float>(fmt::format("slct.ftz.{}.f32 {{r}}, {{a}}, {{b}}, {{c}};", type),
                           [](T a, T b, float c) { return Flush(c) >= 0.0F ? a : b; });
}

TEST(SelectBySign, TakesTheFirstForZeroAndAbove) {
  for (const char* type : {"b16", "u16", "s16"}) CheckSlct<uint16_t>(type);
  for (const char* type : {"b32", "u32", "s32"}) CheckSlct<uint32_t>(type);
  for (const char* type : {"b64", "u64", "s64"}) CheckSlct<uint64_t>(type);
  CheckSlct<float>("f32");
  CheckSlct<double>("f64");
}

TEST(CopySign, GivesTheSecondTheSignOfTheFirst) {
  Conforms<float, float, float>("copysign.f32 {r}, {a}, {b};",
                                [](float a, float b) { return std::copysign(b, a); });
  Conforms<double, double, double>("copysign.f64 {r}, {a}, {b};",
                                   [](double a, double b) { return std::copysign(b, a); });
}

template <class T>
void CheckTestp(const char* type) {
  const auto check = [=](const char* property, auto holds) {
    Conforms<bool, T>(fmt::format("testp.{}.{} {{r}}, {{a}};", property, type), holds);
  };
  const auto subnormal = [](T a) { return std::fpclassify(a) == FP_SUBNORMAL; };
  check("finite", [](T a) { return std::isfinite(a); });
  check("infinite", [](T a) { return std::isinf(a); });
  check("number", [](T a) { return !std::isnan(a); });
  check("notanumber", [](T a) { return std::isnan(a); });
  check("normal", [=](T a) { return std::isfinite(a) && !subnormal(a); });  // zero too
  check("subnormal", subnormal);
}

TEST(TestProperty, TellsTheClassOfANumber) {
  CheckTestp<float>("f32");
  CheckTestp<double>("f64");
}

}  // namespace rare_test
}  // namespace flagstone::conformance
