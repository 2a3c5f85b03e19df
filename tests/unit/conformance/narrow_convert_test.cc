// cvt to and from floats of 6 and 4 bits and powers of two, and rounding by random bits (PTX ISA,
// section 9.7.9.21), against all numbers of a format in a table: the oracle finds the two next to
// a value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/float_oracles.h"

namespace flagstone::conformance {
namespace narrow_convert_test {

using ptx::Opcode;
using ptx::Type;

// The magnitudes of a format, by their bits; behind the last one an infinity or nothing.
struct Format {
  std::vector<double> values;
  uint32_t sign = 0;
  bool infinity = false;
  uint32_t nan = 0;
};

Format Make(int exponent_bits, int mantissa_bits, int bias, uint32_t count) {
  Format format;
  for (uint32_t bits = 0; bits < count; ++bits) {
    const uint32_t exponent = bits >> mantissa_bits;
    const double part = std::ldexp(bits & ((1U << mantissa_bits) - 1), -mantissa_bits);
    format.values.push_back(exponent == 0
                                ? std::ldexp(part, 1 - bias)
                                : std::ldexp(1 + part, static_cast<int>(exponent) - bias));
  }
  format.sign = 1U << (exponent_bits + mantissa_bits);
  format.nan = count - 1;
  return format;
}

// Of the largest numbers e4m3 lacks one, which is its NaN; e5m2, f16 and bf16 lack an exponent.
Format Of(Type type) {
  switch (type) {
    case Type::kE2m1x2:
    case Type::kE2m1x4:
      return Make(2, 1, 1, 8);
    case Type::kE2m3x2:
    case Type::kE2m3x4:
      return Make(2, 3, 1, 32);
    case Type::kE3m2x2:
    case Type::kE3m2x4:
      return Make(3, 2, 3, 32);
    case Type::kE4m3x4: {
      Format format = Make(4, 3, 7, 127);
      format.nan = 0x7f;
      return format;
    }
    case Type::kE5m2x4: {
      Format format = Make(5, 2, 15, 124);
      format.infinity = true;
      format.nan = 0x7f;
      return format;
    }
    case Type::kBf16x2: {
      Format format = Make(8, 7, 127, 0x7f80);
      format.infinity = true;
      format.nan = 0x7fff;
      return format;
    }
    default: {
      Format format = Make(5, 10, 15, 0x7c00);
      format.infinity = true;
      format.nan = 0x7fff;
      return format;
    }
  }
}

// Rounded to the nearest, to the even one of two; with random bits: away from zero where these and
// the fraction that is lost make one.
uint32_t Rounded(const Format& format, double value, const ptx::Modifiers& m, double random) {
  if (value != value) return format.nan;
  const bool negative = std::signbit(value);
  if (m.relu && negative) return 0;
  const uint32_t sign = negative ? format.sign : 0;
  const double magnitude = std::fabs(value);
  const std::vector<double>& values = format.values;
  const auto above = std::lower_bound(values.begin(), values.end(), magnitude);
  const auto bits = static_cast<uint32_t>(above - values.begin());
  const auto last = static_cast<uint32_t>(values.size()) - 1;
  const uint32_t beyond = format.infinity && !m.finite ? last + 1 : last;
  if (bits <= last && *above == magnitude) return sign | bits;
  // Beyond the last number the distance of those before it goes on.
  const double next = bits <= last ? *above : 2 * values[last] - values[last - 1];
  if (magnitude >= next) return sign | beyond;
  const double below = values[bits - 1];
  const double lost = (magnitude - below) / (next - below);
  const bool up = m.rounding == Rounding::kRs ? lost + random >= 1
                                              : lost > 0.5 || (lost == 0.5 && bits % 2 == 0);
  return sign | (up ? std::min(bits, beyond) : bits - 1);
}

double FloatAt(uint64_t bits) { return FromBits<float>(bits); }

// Of a half.
double HalfAt(uint64_t bits) {
  static const Format half = Of(Type::kF16x2);
  const auto magnitude = static_cast<uint32_t>(bits & 0x7fff);
  const double value = magnitude < 0x7c00    ? half.values[magnitude]
                       : magnitude == 0x7c00 ? std::numeric_limits<double>::infinity()
                                             : std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -value : value;
}

// All numbers of the format, those in the midst of two, and what is next to both.
std::vector<float> Telling(const Format& format) {
  std::vector<float> values = {0};
  const size_t step = format.values.size() > 1000 ? 97 : 1;
  for (size_t i = 0; i + 1 < format.values.size(); i += step) {
    const auto a = static_cast<float>(format.values[i]);
    const auto b = static_cast<float>(format.values[i + 1]);
    for (const float at : {a, a + (b - a) / 2, b}) {
      for (const float near : {std::nextafter(at, 0.0F), at, std::nextafter(at, 1e30F)}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  }
  const auto last = static_cast<float>(format.values.back());
  for (const float by : {1.01F, 1.1F, 1.5F, 2.0F, 100.0F}) values.push_back(last * by);
  return values;
}

bool IsSame(uint64_t got, uint64_t expected, const Row&) { return got == expected; }

Kind ResultKind(Type type) {
  const int bytes = ptx::SizeInBytes(type);
  return bytes == 1 ? Kind::kB8 : bytes == 2 ? Kind::kU16 : Kind::kU32;
}

std::vector<Form> Forms(const std::function<bool(const ptx::Instruction&)>& wanted) {
  std::vector<Form> forms;
  for (const Form& form : FormsOf({Opcode::kCvt})) {
    if (wanted(form.instruction)) forms.push_back(form);
  }
  return forms;
}

bool IsBelowByte(Type type) {
  return type == Type::kE2m1x2 || type == Type::kE2m3x2 || type == Type::kE3m2x2;
}

TEST(NarrowConvert, PairsOfFloatsBecomeFloatsOf6And4Bits) {
  const auto forms =
      Forms([](const auto& i) { return IsBelowByte(i.type) && i.source_type == Type::kF32; });
  EXPECT_EQ(forms.size(), 6U);  // with and without .relu
  for (const Form& form : forms) {
    const ptx::Instruction& i = form.instruction;
    const Format format = Of(i.type);
    std::vector<Row> rows = Rows({Kind::kF32, Kind::kF32}, SeedOf(form.head));
    const std::vector<float> telling = Telling(format);
    for (size_t k = 0; k < telling.size(); ++k) {
      rows.push_back({ToBits(telling[k]), ToBits(telling[telling.size() - 1 - k])});
    }
    const int shift = 4 * ptx::SizeInBytes(i.type);
    Check(
        form.head + " {r}, {a}, {b};", ResultKind(i.type), {Kind::kF32, Kind::kF32}, rows,
        [&](const Row& row) -> uint64_t {
          return Rounded(format, FloatAt(row[0]), i.modifiers, 0) << shift |
                 Rounded(format, FloatAt(row[1]), i.modifiers, 0);
        },
        IsSame);
  }
}

TEST(NarrowConvert, PairsOfHalvesBecomeFloatsOf4Bits) {
  const auto forms =
      Forms([](const auto& i) { return IsBelowByte(i.type) && i.source_type == Type::kF16x2; });
  EXPECT_EQ(forms.size(), 2U);
  for (const Form& form : forms) {
    const ptx::Instruction& i = form.instruction;
    const Format format = Of(i.type);
    std::vector<Row> rows;  // all halves
    for (uint32_t bits = 0; bits < 0x8000; ++bits) rows.push_back({bits << 16 | (bits ^ 0xffff)});
    Check(
        form.head + " {r}, {a};", ResultKind(i.type), {Kind::kU32}, rows,
        [&](const Row& row) -> uint64_t {
          return Rounded(format, HalfAt(row[0] >> 16), i.modifiers, 0) << 4 |
                 Rounded(format, HalfAt(row[0]), i.modifiers, 0);
        },
        IsSame);
  }
}

TEST(NarrowConvert, AllFloatsOf6And4BitsBecomeHalves) {
  const auto forms = Forms([](const auto& i) { return IsBelowByte(i.source_type); });
  EXPECT_EQ(forms.size(), 6U);
  const Format half = Of(Type::kF16x2);
  for (const Form& form : forms) {
    const ptx::Instruction& i = form.instruction;
    const Format format = Of(i.source_type);
    const int shift = 4 * ptx::SizeInBytes(i.source_type);
    std::vector<Row> rows;
    for (uint64_t upper = 0; upper < 2 * format.sign; ++upper) {
      for (uint64_t lower = 0; lower < 2 * format.sign; ++lower) {
        rows.push_back({upper << shift | lower});
      }
    }
    const auto converted = [&](uint64_t bits) {
      const double value = format.values[bits & (format.sign - 1)];
      return uint64_t{Rounded(half, (bits & format.sign) != 0 ? -value : value, i.modifiers, 0)};
    };
    Check(
        form.head + " {r}, {a};", Kind::kU32, {ResultKind(i.source_type)}, rows,
        [&](const Row& row) {
          return converted(row[0] >> shift) << 16 | converted(row[0] & ((1U << shift) - 1));
        },
        IsSame);
  }
}

// The least power that is not less, or the greatest that is not more; the sign does not count.
uint64_t PowerOf(const ptx::Modifiers& m, double value) {
  constexpr uint64_t kNan = 0xff;
  if (value != value) return kNan;
  const double magnitude = std::fabs(value);
  uint64_t bits = 0;
  if (m.rounding == Rounding::kRp) {
    while (bits < kNan && std::ldexp(1, static_cast<int>(bits) - 127) < magnitude) ++bits;
  } else {
    while (bits < kNan && std::ldexp(1, static_cast<int>(bits) - 126) <= magnitude) ++bits;
  }
  if (bits < kNan && !std::isinf(value)) return bits;
  return m.finite ? 0xfe : kNan;
}

TEST(NarrowConvert, FloatsBecomePowersOfTwo) {
  const auto forms = Forms([](const auto& i) { return i.type == Type::kUe8m0x2; });
  EXPECT_EQ(forms.size(), 8U);  // of two types, with two roundings, with and without .satfinite
  for (const Form& form : forms) {
    const ptx::Instruction& i = form.instruction;
    const bool wide = i.source_type == Type::kF32;
    const std::vector<Kind> kinds(wide ? 2 : 1, wide ? Kind::kF32 : Kind::kU32);
    std::vector<Row> rows = Rows(kinds, SeedOf(form.head));
    for (uint64_t exponent = 0; exponent < 256; ++exponent) {
      for (const uint64_t mantissa : {0x0U, 0x1U, 0x40U, 0x41U, 0x7fU}) {
        const uint64_t half = exponent << 7 | mantissa;
        rows.push_back(wide ? Row{half << 16, (half ^ 0x8000) << 16 | 1} : Row{half << 16 | half});
      }
    }
    Check(
        form.head + (wide ? " {r}, {a}, {b};" : " {r}, {a};"), Kind::kU16, kinds, rows,
        [&](const Row& row) {
          const double upper = FloatAt(wide ? row[0] : row[0] & 0xffff0000);
          const double lower = FloatAt(wide ? row[1] : row[0] << 16 & 0xffff0000);
          return PowerOf(i.modifiers, upper) << 8 | PowerOf(i.modifiers, lower);
        },
        IsSame);
  }
}

TEST(NarrowConvert, AllPowersOfTwoBecomeBfloats) {
  const auto forms = Forms([](const auto& i) { return i.source_type == Type::kUe8m0x2; });
  ASSERT_EQ(forms.size(), 1U);
  std::vector<Row> rows;
  for (uint64_t bits = 0; bits < 256; ++bits) rows.push_back({bits << 8 | (255 - bits)});
  const auto converted = [](uint64_t bits) {
    return bits == 255 ? uint64_t{0x7fff} : bits == 0 ? uint64_t{0x40} : bits << 7;
  };
  Check(
      forms[0].head + " {r}, {a};", Kind::kU32, {Kind::kU16}, rows,
      [&](const Row& row) { return converted(row[0] >> 8) << 16 | converted(row[0] & 0xff); },
      IsSame);
}

// The part of one that a value's random bits are.
double RandomPart(Type type, uint64_t random, int value) {
  const uint64_t upper = random >> 16, lower = random & 0xffff;
  if (type == Type::kF16x2) return std::ldexp((value == 0 ? upper : lower) & 0x1fff, -13);
  if (type == Type::kBf16x2) return std::ldexp(value == 0 ? upper : lower, -16);
  if (type != Type::kE2m1x4) return std::ldexp(value < 2 ? upper : lower, -16);
  const uint64_t bits =
      value < 2 ? (upper & 0xff00) | lower >> 8 : (upper & 0xff) << 8 | (lower & 0xff);
  return std::ldexp(bits, -16);
}

TEST(NarrowConvert, RandomBitsDecideOnRounding) {
  const auto forms = Forms([](const auto& i) { return i.modifiers.rounding == Rounding::kRs; });
  EXPECT_EQ(forms.size(), 18U);
  for (const Form& form : forms) {
    const ptx::Instruction& i = form.instruction;
    const Format format = Of(i.type);
    const int values = ptx::IsPackedByFour(i.type) ? 4 : 2;
    const int shift = 8 * ptx::SizeInBytes(i.type) / values;
    // A row has room for two values and the random bits: of four the last two are the negated
    // first two.
    const std::vector<Kind> kinds = {Kind::kF32, Kind::kF32, Kind::kU32};
    std::vector<Row> rows = Rows(kinds, SeedOf(form.head));
    const std::vector<float> telling = Telling(format);
    for (size_t k = 0; k < telling.size(); ++k) {
      rows.push_back({ToBits(telling[k]), ToBits(telling[(k * 7 + 3) % telling.size()]),
                      SeedOf(std::to_string(k)) & 0xffffffff});
    }
    const std::string text = values == 2 ? form.head + " {r}, {a}, {b}, {c};"
                                         : "neg.f32 %f11, {a};\nneg.f32 %f12, {b};\n@%p30 " +
                                               form.head + " {r}, {{{a}, {b}, %f11, %f12}}, {c};";
    const auto oracle = [&](const Row& row) {
      uint64_t packed = 0;
      for (int k = 0; k < values; ++k) {
        const double value = FloatAt(row[static_cast<size_t>(k % 2)]);
        packed = packed << shift | Rounded(format, k < 2 ? value : -value, i.modifiers,
                                           RandomPart(i.type, row[2], k));
      }
      return packed;
    };
    if (values == 2) {
      Check(text, Kind::kU32, kinds, rows, oracle, IsSame);
      continue;
    }
    const Kind result = ResultKind(i.type);
    const uint64_t untouched = kUntouched & (result == Kind::kU16 ? 0xffff : 0xffffffff);
    const std::vector<uint64_t> got = Execute(text, result, kinds, rows, false);
    for (size_t k = 0; k < rows.size(); ++k) {
      ASSERT_EQ(got[k], Guarded(k) ? oracle(rows[k]) : untouched)
          << form.head << " of " << rows[k][0] << " " << rows[k][1] << " " << rows[k][2];
    }
  }
}

}  // namespace narrow_convert_test
}  // namespace flagstone::conformance
