#include "gpu_model/simt/matrix_descriptor.h"

#include <array>

namespace flagstone::simt {
namespace {

constexpr uint32_t kGroup = 8;  // rows, or k, that lie at distances of their own

uint64_t Field(uint64_t bits, unsigned at) { return (bits >> at & 0x3fff) * 16; }

}  // namespace

MatrixDescriptor::MatrixDescriptor(uint64_t bits)
    : start(Field(bits, 0)),
      leading(Field(bits, 16)),
      stride(Field(bits, 32)),
      base_offset(bits >> 49 & 7) {
  constexpr std::array kModes = {TensorSwizzle::kNone, TensorSwizzle::k128, TensorSwizzle::k64,
                                 TensorSwizzle::k32};
  swizzle = kModes[bits >> 62];
}

// The rows of a group follow one another at the pattern's width. Without swizzling the halves lie
// `leading` apart, else side by side.
uint64_t MatrixDescriptor::UnitOfRow(uint32_t row, uint32_t half) const {
  const uint64_t width = UnitsOfPattern();
  const uint64_t to_half = width == 1 ? leading : kUnit;
  return At(row % kGroup * width * kUnit + row / kGroup * stride + half * to_half);
}

// Without swizzling groups of rows lie `stride` apart and groups of k `leading`; else the other way
// round, and a pattern's width holds several groups of rows.
uint64_t MatrixDescriptor::UnitOfColumn(uint32_t group, uint32_t k) const {
  const uint64_t width = UnitsOfPattern();
  if (width == 1) return At(group * stride + k % kGroup * kUnit + k / kGroup * leading);
  return At(group % width * kUnit + group / width * leading + k % kGroup * width * kUnit +
            k / kGroup * stride);
}

}  // namespace flagstone::simt
