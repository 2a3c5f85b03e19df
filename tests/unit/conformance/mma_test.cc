// mma.sync (PTX ISA, section 9.7.14.5): every shape and type against the host's own product.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"
#include "kernels/ptx/matrix_forms.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/conformance/matrix_elements.h"
#include "tests/unit/conformance/mma_run.h"

namespace flagstone::conformance {
namespace mma_test {

using ptx::MmaForm;
using ptx::Opcode;
using ptx::Type;

void CheckMma(const Form& of) {
  const MmaForm& f = *ptx::FindMma(of.instruction);
  // sparse_mma_test.cc has these.
  if (f.sparse || of.instruction.modifiers.block_scale) return;
  SplitMix64 random(7);
  BitMatrix a(f.ElementsOfA()), b(f.ElementsOfB()), c(f.ElementsOfC());
  std::vector<double> av(a.size()), bv(b.size()), cv(c.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = Element(f.a, &random, &av[i]);
  for (size_t i = 0; i < b.size(); ++i) b[i] = Element(f.b, &random, &bv[i]);
  for (size_t i = 0; i < c.size(); ++i) c[i] = Element(f.c, &random, &cv[i]);
  const bool saturated = of.instruction.modifiers.finite;
  if (saturated) {  // sums that leave 32 bits
    c[0] = 0x7fffffff;
    cv[0] = 0x7fffffff;
    c[1] = 0x80000000;
    cv[1] = -0x1p31;
  }
  const BitMatrix d = RunMma(of.head, f, a, b, c);
  for (uint32_t row = 0; row < f.Products() * f.m; ++row) {
    for (uint32_t column = 0; column < f.n; ++column) {
      double expected = cv[row * f.n + column];
      for (uint32_t k = 0; k < f.k; ++k) {
        const double x = av[row * f.k + k];
        const double y = bv[(row / f.m * f.k + k) * f.n + column];  // of the row's product
        const bool is_xor = of.instruction.modifiers.boolean_op == ptx::BooleanOp::kXor;
        expected += is_xor ? (x != y ? 1 : 0) : x * y;
      }
      if (saturated) expected = std::fmin(std::fmax(expected, -0x1p31), 0x1p31 - 1);
      ASSERT_EQ(ValueOf(f.d, d[row * f.n + column]), expected)
          << of.head << " " << row << " " << column;
    }
  }
}

TEST(MatrixMultiply, GivesTheProductOfItsFragmentsForEveryShapeAndType) {
  for (const Form& form : FormsOf({Opcode::kMma})) CheckMma(form);
}

// Rows of eight bytes that hold all there are; those of no finite number have a row for themselves,
// since 0 times them is NaN.
std::vector<std::array<uint64_t, 8>> RowsOfAllBytes(Type type) {
  std::vector<std::array<uint64_t, 8>> rows;
  size_t finite = 0;
  for (uint64_t byte = 0; byte < 256; ++byte) {
    if (!std::isfinite(NarrowValue(type, byte))) continue;
    if (finite % 8 == 0) rows.push_back({});
    rows.back()[finite++ % 8] = byte;
  }
  for (uint64_t byte = 0; byte < 256; ++byte) {
    if (!std::isfinite(NarrowValue(type, byte))) rows.push_back({0, 0, byte});
  }
  while (rows.size() % 16 != 0) rows.push_back({});
  return rows;
}

// Each sum is one element of A, since eight rows of B are those of a unit matrix.
TEST(MatrixMultiply, KnowsEveryFloatOf8Bits) {
  for (const Form& of : FormsOf({Opcode::kMma})) {
    const MmaForm& f = *ptx::FindMma(of.instruction);
    if (f.a != Type::kE4m3 && f.a != Type::kE5m2) continue;
    if (f.sparse || f.kind != ptx::MatrixKind::kNone) continue;
    const auto rows = RowsOfAllBytes(f.a);
    const uint32_t first = f.k - 8U;
    int nans = 0, infinities = 0;
    for (size_t from = 0; from < rows.size(); from += f.m) {
      BitMatrix a(f.m * f.k), b(f.k * f.n);
      for (uint32_t row = 0; row < f.m; ++row) {
        for (uint32_t i = 0; i < 8; ++i) a[row * f.k + first + i] = rows[from + row][i];
      }
      for (uint32_t i = 0; i < 8; ++i) b[(first + i) * f.n + i] = NarrowBits(NarrowOf(f.b), 1);
      const BitMatrix d = RunMma(of.head, f, a, b, BitMatrix(f.m * f.n));
      for (uint32_t i = 0; i < d.size(); ++i) {
        double expected = 0;
        for (uint32_t k = 0; k < 8; ++k) {
          expected += NarrowValue(f.a, rows[from + i / 8][k]) * (k == i % 8 ? 1 : 0);
        }
        const double value = ValueOf(f.d, d[i]);
        nans += value != value ? 1 : 0;
        infinities += std::isinf(value) ? 1 : 0;
        if (expected == expected || value == value) {
          EXPECT_EQ(value, expected) << of.head << " " << rows[from + i / 8][i % 8];
        }
      }
    }
    EXPECT_EQ(infinities, f.a == Type::kE4m3 ? 0 : 2) << of.head;
    EXPECT_EQ(nans, f.a == Type::kE4m3 ? 2 * 8 : 8 * 8 - 2) << of.head;
  }
}

TEST(MatrixMultiply, GivesTheSameWhereTheKindIsNamed) {
  for (const Form& of : FormsOf({Opcode::kMma})) {
    const MmaForm& f = *ptx::FindMma(of.instruction);
    const bool plain = !f.sparse && f.kind == ptx::MatrixKind::kNone;
    const bool has_kind = plain && (f.a == Type::kE4m3 || f.a == Type::kE5m2) && f.k == 32;
    if (!has_kind) continue;
    std::string head = of.head;
    head.insert(head.find(".row.col") + 8, ".kind::f8f6f4");
    SplitMix64 random(9);
    double value = 0;
    BitMatrix a(f.m * f.k), b(f.k * f.n), c(f.m * f.n);
    for (uint64_t& element : a) element = Element(f.a, &random, &value);
    for (uint64_t& element : b) element = Element(f.b, &random, &value);
    for (uint64_t& element : c) element = Element(f.c, &random, &value);
    EXPECT_EQ(RunMma(head, f, a, b, c), RunMma(of.head, f, a, b, c)) << head;
  }
}

}  // namespace mma_test
}  // namespace flagstone::conformance
