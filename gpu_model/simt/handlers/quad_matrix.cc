// mma.sync.m8n8k4 of f16 (PTX ISA, section 9.7.14.5.1): four products at a time, each of eight
// lanes. Product q has the lanes 4q to 4q + 3 and, 16 further on, four more.
#include <algorithm>
#include <array>

#include "gpu_model/simt/handlers/fragment.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

uint32_t LaneOf(uint32_t product, uint32_t half, uint32_t of_four) {
  return product * 4 + half * 16 + of_four;
}

// Of A or B: `outer` is A's row or B's column. The four elements of a lane lie along k, or across.
FragmentPlace PlaceInFactor(uint32_t product, uint32_t outer, uint32_t k, bool along_k) {
  const uint32_t element = along_k ? k : outer % 4;
  return {LaneOf(product, outer / 4, along_k ? outer % 4 : k), element / 2, element % 2};
}

// Of C and D: in f16 each lane has a row; in f32 pairs of neighbours, of two rows and both halves.
FragmentPlace PlaceInSum(uint32_t product, uint32_t row, uint32_t column, Type type) {
  if (type == Type::kF16) return {LaneOf(product, row / 4, row % 4), column / 2, column % 2};
  const uint32_t of_four = (row & 1) | (column & 2);
  return {LaneOf(product, row / 4, of_four), (row & 2) | (column & 4) | (column & 1), 0};
}

}  // namespace

void MmaOfQuads(Context& c, const Inst& inst, LaneMask) {
  const MatrixSlots& slots = *inst.matrices;
  const MmaForm& form = *slots.form;
  const bool a_along_k = inst.modifiers.a_layout == ptx::MatrixLayout::kRow;
  const bool b_along_k = inst.modifiers.b_layout == ptx::MatrixLayout::kColumn;
  const auto value = [&](const std::array<SlotId, 8>& matrix, const FragmentPlace& at, Type type) {
    return ToDouble(Read(c, matrix[at.reg], at, type), type);
  };
  std::array<std::array<uint32_t, kWarpSize>, 8> result = {};
  for (uint32_t product = 0; product < form.Products(); ++product) {
    for (uint32_t row = 0; row < form.m; ++row) {
      for (uint32_t column = 0; column < form.n; ++column) {
        double sum = value(slots.c, PlaceInSum(product, row, column, form.c), form.c);
        for (uint32_t k = 0; k < form.k; ++k) {
          const double a = value(slots.a, PlaceInFactor(product, row, k, a_along_k), form.a);
          const double b = value(slots.b, PlaceInFactor(product, column, k, b_along_k), form.b);
          sum = AddProduct(a, b, sum);
        }
        const FragmentPlace at = PlaceInSum(product, row, column, form.d);
        result[at.reg][at.lane] |= static_cast<uint32_t>(SumBits(sum, form.d)) << (16 * at.part);
      }
    }
  }
  for (size_t r = 0; r < result.size() && slots.d[r] != kNoSlot; ++r) {
    std::copy(result[r].begin(), result[r].end(), Destination<uint32_t>(c, slots.d[r]));
  }
}

}  // namespace flagstone::simt
