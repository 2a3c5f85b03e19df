// mma.sync and movmatrix (PTX ISA, section 9.7.14): matrices that lie in the registers of a warp.
// quad_matrix.cc has the products of eight lanes each.
//
// Lane l is in row group l / 4 and has column place l % 4. A register of 32 bits holds neighbours
// of a row of A, C and D, or of a column of B.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu_model/simt/handlers/fragment.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "kernels/ptx/matrix_forms.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::MmaForm;
using ptx::Type;

// Of whole numbers, or of bits: register by register.
uint32_t WholeElement(const Context& c, const MmaForm& form, const Inst& inst, uint32_t row,
                      uint32_t column) {
  const MatrixSlots& slots = *inst.matrices;
  const FragmentPlace at_c = PlaceInC(row, column, 1);
  const uint32_t per = MmaForm::PerRegister(form.a);
  int64_t sum = static_cast<int32_t>(Source<uint32_t>(c, slots.c[at_c.reg])[at_c.lane]);
  for (uint32_t k = 0; k < form.k; k += per) {
    const FragmentPlace at_a = PlaceInA(row, k, form.m, per);
    const FragmentPlace at_b = PlaceInB(k, column, per);
    const uint32_t a = Source<uint32_t>(c, slots.a[at_a.reg])[at_a.lane];
    const uint32_t b = Source<uint32_t>(c, slots.b[at_b.reg])[at_b.lane];
    if (form.bits) {
      const bool is_xor = inst.modifiers.boolean_op == ptx::BooleanOp::kXor;
      sum += std::popcount(is_xor ? a ^ b : a & b);
      continue;
    }
    for (uint32_t i = 0; i < per; ++i) {
      sum += WholePart(a, form.a, 32 / per, i) * WholePart(b, form.b, 32 / per, i);
    }
  }
  if (inst.modifiers.finite) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
  return static_cast<uint32_t>(sum);
}

uint64_t Element(const Context& c, const MmaForm& form, const Inst& inst, uint32_t row,
                 uint32_t column) {
  if (form.d == Type::kS32) return WholeElement(c, form, inst, row, column);
  const MatrixSlots& slots = *inst.matrices;
  const FragmentPlace at_c = PlaceInC(row, column, MmaForm::PerRegister(form.c));
  const uint64_t start = Read(c, slots.c[at_c.reg], at_c, form.c);
  double sum = ToDouble(start, form.c);
  for (uint32_t k = 0; k < form.k; ++k) {
    const FragmentPlace at_a = PlaceInA(row, k, form.m, MmaForm::PerRegister(form.a));
    const FragmentPlace at_b = PlaceInB(k, column, MmaForm::PerRegister(form.b));
    const double a = ToDouble(Read(c, slots.a[at_a.reg], at_a, form.a), form.a);
    const double b = ToDouble(Read(c, slots.b[at_b.reg], at_b, form.b), form.b);
    if (form.d == Type::kF64) {
      sum = std::fma(a, b, sum);
    } else {
      sum = AddProduct(a, b, sum);
    }
  }
  return SumBits(sum, form.d);
}

void Mma(Context& c, const Inst& inst, LaneMask) {
  const MmaForm& form = *inst.matrices->form;
  WriteSums(c, *inst.matrices,
            [&](uint32_t row, uint32_t column) { return Element(c, form, inst, row, column); });
}

// The 8 x 8 matrix of 16-bit elements, transposed.
void MovMatrix(Context& c, const Inst& inst, LaneMask mask) {
  std::array<uint32_t, kWarpSize> from;
  __builtin_memcpy(from.data(), Source<uint32_t>(c, inst.source[0]), sizeof(from));
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [&](uint32_t lane) {
    uint32_t result = 0;
    for (uint32_t part = 0; part < 2; ++part) {
      const uint32_t row = lane % 4 * 2 + part;  // of the source
      const uint32_t column = lane / 4;
      result |= (from[row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff) << (16 * part);
    }
    return result;
  });
}

}  // namespace

Handler SelectMatrix(const ptx::Instruction& instruction) {
  if (instruction.opcode == ptx::Opcode::kMma) {
    if (instruction.modifiers.sparse || instruction.modifiers.block_scale) return MmaByRows;
    return ptx::FindMma(instruction)->quads ? MmaOfQuads : Mma;
  }
  return instruction.opcode == ptx::Opcode::kMovmatrix ? MovMatrix : nullptr;
}

}  // namespace flagstone::simt
