#include "gpu_model/simt/matrix_descriptor.h"

#include <fmt/core.h>

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

MatrixDescriptor MatrixDescriptor::OfTensorMemory(uint64_t bits) {
  constexpr std::array kModes = {TensorSwizzle::kNone, TensorSwizzle::k128, TensorSwizzle::k128,
                                 TensorSwizzle::kNone, TensorSwizzle::k64,  TensorSwizzle::kNone,
                                 TensorSwizzle::k32,   TensorSwizzle::kNone};
  MatrixDescriptor of(bits);
  of.swizzle = kModes[bits >> 61];
  of.by_pairs = bits >> 61 == 1;
  return of;
}

std::string MatrixDescriptor::ProblemOfTensorMemory(uint64_t bits) {
  constexpr uint64_t kMeansNothing = 0x1fe0'0000'c000'c000;
  constexpr uint64_t kVersion = 0b001;
  const uint64_t version = bits >> 46 & 7, mode = bits >> 61;
  if (version != kVersion) return fmt::format("{} in bits 46 to 48, expected 1", version);
  if ((bits & kMeansNothing) != 0) {
    return fmt::format("bits {:#x}, which mean nothing, expected 0 there", bits & kMeansNothing);
  }
  if ((bits >> 52 & 1) != 0) return "a leading dimension as an address, which is not supported";
  return mode == 3 || mode == 5 || mode == 7
             ? fmt::format("swizzle {}, expected 0, 1, 2, 4 or 6", mode)
             : "";
}

uint64_t MatrixDescriptor::At(uint64_t offset) const {
  const uint64_t address = start + offset;
  if (!by_pairs) return Swizzled(address, swizzle, base_offset);
  return address ^ ((((address >> 7) - base_offset) & 3) << 5);
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
  const uint32_t lines = by_pairs ? kGroup / 2 : kGroup;
  return At(group % width * kUnit + group / width * leading + k % lines * width * kUnit +
            k / lines * stride);
}

}  // namespace flagstone::simt
