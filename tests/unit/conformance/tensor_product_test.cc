// tcgen05.mma (PTX ISA, section 9.7.16.10) against the host's own product: all kinds, types and
// shapes, A in shared and in tensor memory, all swizzles and transposes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/unit/conformance/matrix_elements.h"
#include "tests/unit/conformance/tensor_product_run.h"

namespace flagstone::conformance {
namespace tensor_product_test {

using ptx::Type;

std::vector<TensorProductCase> AllTypes() {
  using enum Type;
  std::vector<TensorProductCase> cases;
  const auto add = [&](const char* kind, Type d, Type a, Type b, bool saturates = false) {
    TensorProductCase of;
    of.kind = kind;
    of.d = d;
    of.a = a;
    of.b = b;
    of.saturates = saturates;
    cases.push_back(of);
  };
  add("f16", kF32, kF16, kF16);
  add("f16", kF16, kF16, kF16);
  add("f16", kF32, kBf16, kBf16);
  add("f16", kF32, kF16, kBf16);
  add("tf32", kF32, kTf32, kTf32);
  for (const Type a : {kE4m3, kE5m2, kE2m3, kE3m2, kE2m1}) {
    for (const Type b : {kE4m3, kE5m2, kE2m3, kE3m2, kE2m1}) {
      add("f8f6f4", kF32, a, b);
      add("f8f6f4", kF16, a, b);
    }
  }
  for (const Type a : {kS8, kU8}) {
    for (const Type b : {kS8, kU8}) {
      add("i8", kS32, a, b);
      add("i8", kS32, a, b, true);
    }
  }
  return cases;
}

// The value of an element of D; sums in f16 fill the lower half of their cell.
double SumOf(Type type, uint64_t cell) {
  return type == Type::kF16 && cell > 0xffff ? std::nan("") : ValueOf(type, cell);
}

// Sums of small whole numbers, which are exact whatever their order is.
void Check(const TensorProductCase& of) {
  SplitMix64 random(11);
  const uint32_t depth = DepthOf(of);
  const auto fill = [&](Type type, size_t size, TensorMatrix* bits, std::vector<double>* values) {
    bits->resize(size);
    values->resize(size);
    for (size_t i = 0; i < size; ++i) (*bits)[i] = Element(type, &random, &(*values)[i]);
  };
  TensorMatrix a, b, d;
  std::vector<double> av, bv, dv;
  fill(of.a, size_t{of.m} * depth, &a, &av);
  fill(of.b, size_t{of.n} * depth, &b, &bv);
  fill(of.d, size_t{of.m} * of.n, &d, &dv);
  if (of.saturates) {  // sums that leave 32 bits
    d[0] = 0x7fffffff;
    dv[0] = 0x7fffffff;
    d[1] = 0x80000000;
    dv[1] = -0x1p31;
  }
  const TensorMatrix got = RunTensorProduct(of, a, b, d);
  for (uint32_t row = 0; row < of.m; ++row) {
    const uint32_t lane = of.m == 128 ? row : row / 16 * 32 + of.first_lane + row % 16;
    if ((of.disabled[lane / 32] >> (lane % 32) & 1) != 0) continue;
    for (uint32_t column = 0; column < of.n; ++column) {
      double expected = of.keeps ? std::ldexp(dv[row * of.n + column], -of.scale) : 0;
      for (uint32_t k = 0; k < depth; ++k) {
        expected += (of.negates_a ? -1 : 1) * av[row * depth + k] * (of.negates_b ? -1 : 1) *
                    bv[k * of.n + column];
      }
      if (of.saturates) expected = std::fmin(std::fmax(expected, -0x1p31), 0x1p31 - 1);
      ASSERT_EQ(SumOf(of.d, got[row * of.n + column]), expected)
          << ShownProduct(of) << " at " << row << " " << column;
    }
  }
}

TEST(TensorProduct, GivesTheProductForEveryKindAndType) {
  for (TensorProductCase of : AllTypes()) {
    for (const uint32_t m : {64U, 128U}) {
      for (const bool in_memory : {false, true}) {
        of.m = m;
        of.n = 16;
        of.a_in_memory = in_memory;
        ASSERT_NO_FATAL_FAILURE(Check(of));
      }
    }
  }
}

TEST(TensorProduct, HasEveryNumberOfColumns) {
  for (TensorProductCase of : AllTypes()) {
    const bool first = of.a == of.b && (of.a == Type::kBf16 || of.a == Type::kTf32 ||
                                        of.a == Type::kE4m3 || of.a == Type::kS8);
    if (!first || of.saturates || of.d == Type::kF16) continue;
    for (uint32_t n = 8; n <= 256; n += 8) {
      if (of.kind == "i8" && n > 32 && n % 16 != 0) continue;
      of.n = n;
      of.m = n % 16 == 0 ? 128 : 64;
      ASSERT_NO_FATAL_FAILURE(Check(of));
    }
  }
}

TEST(TensorProduct, ReadsMatricesInAllSwizzlesByRowsAndByColumns) {
  std::vector<TensorProductCase> cases = AllTypes();
  for (TensorProductCase of : {cases[0], cases[2], cases[4], cases[5], cases.back()}) {
    const uint32_t bits = ElementBitsOf(of.a);
    of.n = 64;
    for (const bool transposed_a : {false, true}) {
      for (const bool transposed_b : {false, true}) {
        for (const uint32_t width : {16U, 32U, 64U, 128U, 129U}) {  // 129: of pairs
          const bool pairs = width == 129;
          const bool transposed = transposed_a || transposed_b;
          if (transposed && pairs != (bits == 32)) continue;
          of.a_layout = {.width = pairs ? 128 : width, .transposed = transposed_a, .pairs = pairs};
          of.b_layout = {.width = pairs ? 128 : width, .transposed = transposed_b, .pairs = pairs};
          of.m = width % 64 == 0 ? 128 : 64;
          ASSERT_NO_FATAL_FAILURE(Check(of));
          if (transposed || width < 64) continue;
          of.a_layout.offset = 32;
          of.b_layout.offset = width >= 128 ? 96 : 32;
          of.b_layout.first_row = width >= 128 ? 3 : 2;
          ASSERT_NO_FATAL_FAILURE(Check(of));
        }
      }
    }
  }
}

TEST(TensorProduct, NegatesScalesBeginsFromZeroAndLeavesLanes) {
  TensorProductCase of;
  of.n = 24;
  of.negates_a = true;
  ASSERT_NO_FATAL_FAILURE(Check(of));
  of.negates_b = true;
  ASSERT_NO_FATAL_FAILURE(Check(of));
  of.negates_a = false;
  of.keeps = false;
  ASSERT_NO_FATAL_FAILURE(Check(of));
  of = {};
  of.scale = 3;
  ASSERT_NO_FATAL_FAILURE(Check(of));
  of.kind = "tf32";
  of.a = of.b = Type::kTf32;
  of.scale = 15;
  of.disabled = {0x80000001, 0, 0xffffffff, 0x00ff0000};
  ASSERT_NO_FATAL_FAILURE(Check(of));
  of = {};
  of.m = 64;
  of.first_lane = 16;
  for (const bool in_memory : {false, true}) {
    of.a_in_memory = in_memory;
    of.disabled = {0x10000, 0xfff00000, 0, 1};
    ASSERT_NO_FATAL_FAILURE(Check(of));
  }
}

}  // namespace tensor_product_test
}  // namespace flagstone::conformance
