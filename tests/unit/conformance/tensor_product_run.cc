#include "tests/unit/conformance/tensor_product_run.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace flagstone::conformance {
namespace {

using ptx::Type;

constexpr uint32_t kMatrixRoom = 128 * 1024;  // of each matrix
constexpr uint32_t kColumnOfD = 64, kColumnOfA = 8;

// Rows take the lanes from 0 on, or 16 of each warp's.
uint32_t LaneOfRow(const TensorProductCase& of, uint32_t row) {
  return of.m == 128 ? row : row / 16 * 32 + of.first_lane + row % 16;
}

// By the numbers of the ISA's table.
uint32_t NumberOf(Type type) {
  switch (type) {
    case Type::kBf16:
    case Type::kE5m2:
    case Type::kS8:
      return 1;
    case Type::kTf32:
      return 2;
    case Type::kE2m3:
      return 3;
    case Type::kE3m2:
      return 4;
    case Type::kE2m1:
      return 5;
    default:
      return 0;
  }
}

// A container of A in tensor memory holds elements below a byte as mma.sync has them; packed in
// shared memory they have no zeros beside them.
uint64_t Packed(Type type, uint64_t element) {
  return type == Type::kE2m1 ? element >> 2 : element;
}

}  // namespace

uint32_t ElementBitsOf(Type type) {
  switch (type) {
    case Type::kTf32:
      return 32;
    case Type::kF16:
    case Type::kBf16:
      return 16;
    case Type::kE2m3:
    case Type::kE3m2:
      return 6;
    case Type::kE2m1:
      return 4;
    default:
      return 8;
  }
}

uint32_t DepthOf(const TensorProductCase& of) {
  return of.kind == "f16" ? 16 : of.kind == "tf32" ? 8 : 32;
}

std::string ShownProduct(const TensorProductCase& of) {
  return fmt::format(
      "{} {}.{}.{} m{}n{}, A in {} width {}{}{}, B width {}{}{}, signs {}{}, scale {}", of.kind,
      ptx::ToString(of.d), ptx::ToString(of.a), ptx::ToString(of.b), of.m, of.n,
      of.a_in_memory ? "tensor memory" : "shared memory", of.a_layout.width,
      of.a_layout.transposed ? " by columns" : "", of.a_layout.pairs ? " pairs" : "",
      of.b_layout.width, of.b_layout.transposed ? " by columns" : "",
      of.b_layout.pairs ? " pairs" : "", of.negates_a, of.negates_b, of.scale);
}

uint32_t InstructionDescriptorOf(const TensorProductCase& of) {
  const uint32_t sum = of.d == Type::kF32 ? 1 : of.d == Type::kS32 ? 2 : 0;
  const auto bit = [](bool is, uint32_t at) { return (is ? 1U : 0U) << at; };
  return bit(of.saturates, 3) | sum << 4 | NumberOf(of.a) << 7 | NumberOf(of.b) << 10 |
         bit(of.negates_a, 13) | bit(of.negates_b, 14) | bit(of.a_layout.transposed, 15) |
         bit(of.b_layout.transposed, 16) | of.n / 8 << 17 | of.m / 16 << 24;
}

TensorMatrix RunTensorProduct(const TensorProductCase& of, const TensorMatrix& a,
                              const TensorMatrix& b, const TensorMatrix& d) {
  const uint32_t depth = DepthOf(of), bits = ElementBitsOf(of.a), bits_b = ElementBitsOf(of.b);
  const CanonicalLayout in_a(of.a_layout, bits, depth), in_b(of.b_layout, bits_b, depth);
  const uint32_t begin_a = 128 * of.a_layout.first_row;
  const uint32_t begin_b = kMatrixRoom + 128 * of.b_layout.first_row;
  std::vector<uint8_t> image(2 * kMatrixRoom, 0xa5);
  TensorMemoryState before = RandomTensorMemory(of.n + of.m);
  const uint32_t container = bits < 8 ? 8 : bits;
  for (uint32_t row = 0; row < of.m; ++row) {
    for (uint32_t k = 0; k < depth; ++k) {
      const uint64_t element = a[row * depth + k];
      PutBits(&image, uint64_t{8} * begin_a + in_a.Place(row, k), bits, Packed(of.a, element));
      if (!of.a_in_memory) continue;
      const uint32_t at = k * container;
      uint32_t& cell = CellOf(before.cells, LaneOfRow(of, row), kColumnOfA + at / 32);
      const auto mask = static_cast<uint32_t>(((uint64_t{1} << container) - 1) << (at % 32));
      cell = (cell & ~mask) | static_cast<uint32_t>(element << (at % 32));
    }
    for (uint32_t column = 0; column < of.n; ++column) {
      CellOf(before.cells, LaneOfRow(of, row), kColumnOfD + column) =
          static_cast<uint32_t>(d[row * of.n + column]);
    }
  }
  for (uint32_t column = 0; column < of.n; ++column) {
    for (uint32_t k = 0; k < depth; ++k) {
      PutBits(&image, uint64_t{8} * begin_b + in_b.Place(column, k), bits_b,
              Packed(of.b, b[k * of.n + column]));
    }
  }
  const auto descriptor = [](const char* name, const CanonicalLayout& layout, uint32_t begin) {
    return fmt::format("add.u64 {0}, %rd10, {1}; mov.b64 %rd13, {2}; or.b64 {0}, {0}, %rd13;\n",
                       name, begin / 16, layout.Strides() | layout.TensorMemoryMode());
  };
  const bool masks = of.disabled != std::array<uint32_t, 4>{};
  const std::string one =
      descriptor("%rd11", in_a, begin_a + of.a_layout.offset) +
      descriptor("%rd12", in_b, begin_b + of.b_layout.offset) +
      fmt::format("mov.b32 %r20, {}; setp.eq.u32 %p5, {}, 1;\n", InstructionDescriptorOf(of),
                  of.keeps ? 1 : 0) +
      fmt::format("add.u32 %r21, %taddr, {}; add.u32 %r22, %taddr, {};\n",
                  of.first_lane << 16 | kColumnOfD, of.first_lane << 16 | kColumnOfA) +
      fmt::format("tcgen05.mma.cta_group::1.kind::{} [%r21], {}, %rd12, %r20,{} %p5{};\n", of.kind,
                  of.a_in_memory ? "[%r22]" : "%rd11",
                  masks ? fmt::format(" {{{}, {}, {}, {}}},", of.disabled[0], of.disabled[1],
                                      of.disabled[2], of.disabled[3])
                        : "",
                  of.scale != 0 ? fmt::format(", {}", of.scale) : "");
  TensorMemoryState after = RunTensorMemory("", one, before, image);
  TensorMatrix result(size_t{of.m} * of.n);
  for (uint32_t row = 0; row < of.m; ++row) {
    const uint32_t lane = LaneOfRow(of, row);
    const bool stays = (of.disabled[lane / 32] >> (lane % 32) & 1) != 0;
    for (uint32_t column = 0; column < of.n; ++column) {
      uint32_t& cell = CellOf(after.cells, lane, kColumnOfD + column);
      uint32_t& old = CellOf(before.cells, lane, kColumnOfD + column);
      EXPECT_TRUE(!stays || cell == old) << "a lane that is disabled";
      result[row * of.n + column] = cell;
      cell = old = 0;
    }
  }
  EXPECT_EQ(after.cells, before.cells) << "another cell has changed";
  return result;
}

}  // namespace flagstone::conformance
