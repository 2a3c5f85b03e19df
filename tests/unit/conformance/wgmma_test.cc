// wgmma.mma_async (PTX ISA, section 9.7.15) against the host's own product: every type and width, A
// in registers and in shared memory, all swizzles and transposes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/matrix_elements.h"
#include "tests/unit/conformance/wgmma_run.h"

namespace flagstone::conformance {
namespace wgmma_test {

using ptx::Type;

constexpr uint32_t kRows = 64;

// With n = 8.
std::vector<WgmmaCase> AllTypes() {
  using enum Type;
  std::vector<WgmmaCase> cases;
  const auto add = [&](Type d, Type a, Type b, uint32_t k, bool saturates = false) {
    WgmmaCase of;
    of.d = d;
    of.a = a;
    of.b = b;
    of.k = k;
    of.saturates = saturates;
    cases.push_back(of);
  };
  add(kF32, kF16, kF16, 16);
  add(kF16, kF16, kF16, 16);
  add(kF32, kBf16, kBf16, 16);
  add(kF32, kTf32, kTf32, 8);
  for (const Type a : {kE4m3, kE5m2}) {
    for (const Type b : {kE4m3, kE5m2}) {
      add(kF32, a, b, 32);
      add(kF16, a, b, 32);
    }
  }
  for (const Type a : {kS8, kU8}) {
    for (const Type b : {kS8, kU8}) {
      add(kS32, a, b, 32);
      add(kS32, a, b, 32, true);
    }
  }
  add(kS32, kB1, kB1, 256);
  return cases;
}

std::vector<uint32_t> WidthsOf(const WgmmaCase& of) {
  std::vector<uint32_t> widths;
  for (uint32_t n = 8; n <= 256; n += 8) {
    const bool whole = of.d != Type::kS32 || n % 16 == 0 || n == 8 || n == 24;
    if (whole) widths.push_back(n);
  }
  return widths;
}

bool HasColumns(const WgmmaCase& of) { return of.a == Type::kF16 || of.a == Type::kBf16; }

std::string Shown(const WgmmaCase& of) {
  return fmt::format("{}, A in {}: width {}{}+{}, B: width {}{}+{}, signs {} {}", NameOf(of),
                     of.a_in_registers ? "registers" : "memory", of.a_layout.width,
                     of.a_layout.transposed ? " by columns" : "", of.a_layout.offset,
                     of.b_layout.width, of.b_layout.transposed ? " by columns" : "",
                     of.b_layout.offset, of.sign_a, of.sign_b);
}

// Sums of small whole numbers, which are exact whatever their order is.
void Check(const WgmmaCase& of) {
  SplitMix64 random(11);
  const auto fill = [&](Type type, size_t size, WgmmaMatrix* bits, std::vector<double>* values) {
    bits->resize(size);
    values->resize(size);
    for (size_t i = 0; i < size; ++i) (*bits)[i] = Element(type, &random, &(*values)[i]);
  };
  WgmmaMatrix a, b, d;
  std::vector<double> av, bv, dv;
  fill(of.a, size_t{kRows} * of.k, &a, &av);
  fill(of.b, size_t{of.n} * of.k, &b, &bv);
  fill(of.d, size_t{kRows} * of.n, &d, &dv);
  if (of.saturates) {  // sums that leave 32 bits
    d[0] = 0x7fffffff;
    dv[0] = 0x7fffffff;
    d[1] = 0x80000000;
    dv[1] = -0x1p31;
  }
  const WgmmaMatrix got = RunWgmma(of, a, b, d);
  for (uint32_t row = 0; row < kRows; ++row) {
    for (uint32_t column = 0; column < of.n; ++column) {
      double expected = of.keeps ? dv[row * of.n + column] : 0;
      for (uint32_t k = 0; k < of.k; ++k) {
        expected += of.sign_a * av[row * of.k + k] * of.sign_b * bv[k * of.n + column];
      }
      if (of.saturates) expected = std::fmin(std::fmax(expected, -0x1p31), 0x1p31 - 1);
      ASSERT_EQ(ValueOf(of.d, got[row * of.n + column]), expected)
          << Shown(of) << " at " << row << " " << column;
    }
  }
}

TEST(WarpgroupMultiply, GivesTheProductForEveryTypeAndWidth) {
  for (WgmmaCase of : AllTypes()) {
    for (const uint32_t n : WidthsOf(of)) {
      of.n = n;
      for (const bool in_registers : {false, true}) {
        of.a_in_registers = in_registers;
        ASSERT_NO_FATAL_FAILURE(Check(of));
      }
    }
  }
}

// The four layouts of A and of B in turn, with each step along k that a pattern's width holds.
TEST(WarpgroupMultiply, ReadsEverySwizzleByRows) {
  for (WgmmaCase of : AllTypes()) {
    of.n = 48;
    for (const uint32_t width : {16U, 32U, 64U, 128U}) {
      for (uint32_t offset = 0; offset < std::max(width, 32U); offset += 32) {
        Layout layout;
        layout.width = width;
        layout.offset = offset;
        of.a_in_registers = false;
        of.a_layout = layout;
        of.b_layout = {};
        ASSERT_NO_FATAL_FAILURE(Check(of));
        for (const bool in_registers : {false, true}) {
          of.a_in_registers = in_registers;
          of.a_layout = {};
          of.b_layout = layout;
          ASSERT_NO_FATAL_FAILURE(Check(of));
        }
      }
    }
  }
}

TEST(WarpgroupMultiply, ReadsEverySwizzleByColumns) {
  for (WgmmaCase of : AllTypes()) {
    if (!HasColumns(of)) continue;
    for (const uint32_t n : {8U, 40U, 64U, 144U, 256U}) {
      of.n = n;
      for (const uint32_t width : {16U, 32U, 64U, 128U}) {
        for (const int transposes : {1, 2, 3}) {
          of.a_layout = of.b_layout = {};
          of.a_layout.width = of.b_layout.width = width;
          of.a_layout.transposed = (transposes & 1) != 0;
          of.b_layout.transposed = (transposes & 2) != 0;
          of.a_in_registers = false;
          ASSERT_NO_FATAL_FAILURE(Check(of));
          if (transposes != 2) continue;
          of.a_in_registers = true;
          ASSERT_NO_FATAL_FAILURE(Check(of));
        }
      }
    }
  }
}

// Patterns that begin at a line of 128 bytes of their own.
TEST(WarpgroupMultiply, KnowsTheBaseOffsetOfAPattern) {
  for (const uint32_t width : {64U, 128U}) {
    for (uint32_t line = 1; line < width / 16; ++line) {
      for (const bool transposed : {false, true}) {
        WgmmaCase of;
        of.n = 64;
        of.a_layout.width = of.b_layout.width = width;
        of.a_layout.transposed = of.b_layout.transposed = transposed;
        of.a_layout.first_row = line;
        of.b_layout.first_row = width / 16 - line;
        ASSERT_NO_FATAL_FAILURE(Check(of));
      }
    }
  }
}

TEST(WarpgroupMultiply, StartsFromZeroWhereTheSumsDoNotCount) {
  for (WgmmaCase of : AllTypes()) {
    of.keeps = false;
    ASSERT_NO_FATAL_FAILURE(Check(of));
  }
}

TEST(WarpgroupMultiply, ChangesTheSignsOfFloats) {
  for (WgmmaCase of : AllTypes()) {
    if (of.d == Type::kS32) continue;
    for (const bool in_registers : {false, true}) {
      of.a_in_registers = in_registers;
      for (const auto& [a, b] : {std::pair{-1, 1}, std::pair{1, -1}, std::pair{-1, -1}}) {
        of.sign_a = a;
        of.sign_b = b;
        ASSERT_NO_FATAL_FAILURE(Check(of));
      }
    }
  }
}

// One product, of an element of A and 1, gives that element: all bits of 8-bit floats and of
// halves.
TEST(WarpgroupMultiply, KnowsEveryFloatOf8And16Bits) {
  for (WgmmaCase of : AllTypes()) {
    const uint32_t bits = BitsOf(of.a);
    if (of.d != Type::kF32 || bits > 16) continue;
    for (uint64_t first = 0; first < uint64_t{1} << bits; first += kRows) {
      if (bits == 16 && first % 1024 != 0) continue;  // of these a few
      WgmmaMatrix a(size_t{kRows} * of.k), b(size_t{of.n} * of.k);
      for (uint32_t row = 0; row < kRows; ++row) a[row * of.k] = first + row;
      const uint64_t one = of.b == Type::kBf16 ? 0x3f80 : NarrowBits(NarrowOf(of.b), 1);
      for (uint32_t column = 0; column < of.n; ++column) b[column] = one;
      const WgmmaMatrix got = RunWgmma(of, a, b, WgmmaMatrix(size_t{kRows} * of.n));
      for (uint32_t row = 0; row < kRows; ++row) {
        const uint64_t element = a[row * of.k];
        const double expected =
            of.a == Type::kBf16 ? double{std::bit_cast<float>(static_cast<uint32_t>(element << 16))}
                                : NarrowValue(of.a, element);
        const double value = ValueOf(of.d, got[row * of.n]);
        if (expected != expected) {
          EXPECT_EQ(got[row * of.n], 0x7fffffffU) << Shown(of) << " " << element;
        } else {
          EXPECT_EQ(value, expected) << Shown(of) << " " << element;
        }
      }
    }
  }
}

TEST(WarpgroupMultiply, LeavesOutTheLowBitsOfTf32) {
  WgmmaCase of;
  of.a = of.b = Type::kTf32;
  of.k = 8;
  for (const bool in_registers : {false, true}) {
    of.a_in_registers = in_registers;
    WgmmaMatrix a(size_t{kRows} * of.k), b(size_t{of.n} * of.k);
    a[0] = 0x3f801fff;
    b.at(0) = 0x40001fff;
    EXPECT_EQ(ValueOf(of.d, RunWgmma(of, a, b, WgmmaMatrix(size_t{kRows} * of.n))[0]), 2);
  }
}

// 2^24 + 1 - 2^24: with each sum rounded to f32, in the order of k, the 1 is lost.
TEST(WarpgroupMultiply, RoundsEachSumInTheOrderOfK) {
  WgmmaCase of;
  of.a = of.b = Type::kBf16;
  WgmmaMatrix a(size_t{kRows} * of.k), b(size_t{of.n} * of.k), d(size_t{kRows} * of.n);
  const std::array<float, 3> row = {0x1p24F, 1, -0x1p24F};
  for (uint32_t k = 0; k < row.size(); ++k) {
    a[k] = std::bit_cast<uint32_t>(row[k]) >> 16;
    b[k * of.n] = 0x3f80;
  }
  EXPECT_EQ(ValueOf(of.d, RunWgmma(of, a, b, d)[0]), 0);
}

// Half of the last place of a sum below 1: halves are rounded once, at the end.
TEST(WarpgroupMultiply, RoundsHalvesOnceAtTheEnd) {
  WgmmaCase of;
  of.d = Type::kF16;
  WgmmaMatrix a(size_t{kRows} * of.k), b(size_t{of.n} * of.k), d(size_t{kRows} * of.n, 0x3c00);
  for (uint32_t k = 0; k < 2; ++k) {  // 1 + 2^-11 + 2^-11
    a[k] = 0x1000;
    b[k * of.n] = 0x3c00;
  }
  EXPECT_EQ(RunWgmma(of, a, b, d)[0], 0x3c01U);
}

}  // namespace wgmma_test
}  // namespace flagstone::conformance
