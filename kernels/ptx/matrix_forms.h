// The shapes and types of mma.sync, and how a matrix lies in a warp's registers (PTX ISA, sections
// 9.7.14.5 and 9.7.14.6).
#ifndef FLAGSTONE_KERNELS_PTX_MATRIX_FORMS_H_
#define FLAGSTONE_KERNELS_PTX_MATRIX_FORMS_H_

#include <cstdint>
#include <span>

#include "kernels/ptx/kernel.h"

namespace flagstone::ptx {

// D (m x n) = A (m x k) B (k x n) + C. Of a sparse A half the elements of each row are stored.
struct MmaForm {
  MatrixShape shape = MatrixShape::kNone;
  Type d = Type::kNone, a = Type::kNone, b = Type::kNone, c = Type::kNone;
  uint8_t m = 0, n = 0;
  uint16_t k = 0;
  bool bits = false;   // sums of the bits that `and` or `xor` of A and B leaves
  bool quads = false;  // four products, each of matrices of its own in eight lanes
  bool sparse = false;
  MatrixKind kind = MatrixKind::kNone;

  // In a warp.
  uint32_t ElementsOfA() const { return Products() * m * DepthOfA(); }
  uint32_t ElementsOfB() const { return Products() * k * n; }
  uint32_t ElementsOfC() const { return Products() * m * n; }
  uint32_t Products() const { return quads ? 4 : 1; }
  uint32_t DepthOfA() const { return sparse ? k / 2U : k; }  // elements of a row

  // Elements in a register of 32 bits, or of 64 for f64.
  static uint32_t PerRegister(Type type);
  // Registers that each lane has of a matrix of so many elements.
  static uint32_t Registers(Type type, uint32_t elements) {
    return elements / 32 / PerRegister(type);
  }
};

std::span<const MmaForm> MmaForms();
// The form of an mma instruction; null where Flagstone has none.
const MmaForm* FindMma(const Instruction& instruction);

// Scales of a row of A with these words: what the word says, else what the kind has.
uint32_t ScalesOfRow(const Modifiers& modifiers);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_MATRIX_FORMS_H_
