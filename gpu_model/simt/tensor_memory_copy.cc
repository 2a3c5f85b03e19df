// tcgen05.cp and .shift (PTX ISA, section 9.7.16.9), and where a descriptor finds matrices.
#include <fmt/core.h>

#include <array>
#include <cstring>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/matrix_descriptor.h"
#include "gpu_model/simt/tensor_memory_access.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using MemoryShape = ptx::TensorMemoryShape;

constexpr uint32_t kLanesOfCopy = TensorMemory::kLanesOfWarp;

// Elements of 4 or 6 bits become bytes, of which the ISA has figures (assumption: as mma.sync has
// them, those of 4 bits in the middle).
void Unpack(const std::byte* from, uint32_t bits, std::byte* to) {
  std::array<uint8_t, MatrixDescriptor::kUnit> packed;
  std::memcpy(packed.data(), from, packed.size());
  for (uint32_t i = 0; i < MatrixDescriptor::kUnit; ++i) {
    const uint32_t at = i * bits;
    const uint32_t pair =
        packed[at / 8] | (at / 8 + 1 < packed.size() ? packed[at / 8 + 1] << 8 : 0);
    const uint32_t element = pair >> (at % 8) & ((1U << bits) - 1);
    to[i] = static_cast<std::byte>(bits == 4 ? element << 2 : element);
  }
}

struct CopyShape {
  uint32_t rows = 128, units = 2;
};
CopyShape CopyShapeOf(MemoryShape shape) {
  switch (shape) {
    case MemoryShape::k128x256:
      return {128, 2};
    case MemoryShape::k4x256:
      return {4, 2};
    case MemoryShape::k128x128:
      return {128, 1};
    case MemoryShape::k32x128:
      return {32, 1};
    default:
      return {64, 1};
  }
}

// Calls visit(lane) for the lanes that get row `row`.
template <class Visit>
void ForEachCopy(MemoryShape shape, uint32_t row, Visit visit) {
  switch (shape) {
    case MemoryShape::k4x256:  // one row of each warp
      return visit(row * kLanesOfCopy);
    case MemoryShape::k64x128By02:
      visit(row);
      return visit(row + 64);
    case MemoryShape::k64x128By01:
      visit(row / kLanesOfCopy * 64 + row % kLanesOfCopy);
      return visit(row / kLanesOfCopy * 64 + row % kLanesOfCopy + kLanesOfCopy);
    case MemoryShape::k32x128:
      for (uint32_t warp = 0; warp < TensorMemory::kQuarters; ++warp) {
        visit(row + warp * kLanesOfCopy);
      }
      return;
    default:
      return visit(row);
  }
}

}  // namespace

void CopyToTensorMemory(const TensorMemoryAccess& of, uint32_t lane) {
  const TensorMemorySlots& slots = of.slots();
  const MemoryShape shape = slots.form.shape;
  const CopyShape size = CopyShapeOf(shape);
  const TensorMemoryAddress base = AddressOf(of.c, slots.address, lane);
  const uint32_t most = shape == MemoryShape::k4x256 ? kLanesOfCopy : 1;
  if (base.lane >= most) {
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("copy to lane {} of tensor memory, expected less than {},", base.lane, most),
        FailureCause::kAddress);
  }
  constexpr uint32_t kWords = MatrixDescriptor::kUnit / sizeof(uint32_t);
  const uint32_t columns = size.units * kWords;
  CheckColumns(of, lane, base.column, columns);
  CheckUses(of, lane, {base.column, columns}, TensorMemoryTouch::kWrite, "write");
  const uint64_t descriptor = Source<uint64_t>(of.c, slots.a)[lane];
  FactorShape factor;
  factor.rows = size.rows;
  factor.halves = size.units;
  const MatrixUnits units = FactorUnits(of, lane, descriptor, factor);
  for (uint32_t unit = 0; unit < units.count; ++unit) {
    std::array<std::byte, MatrixDescriptor::kUnit> bytes;
    const std::byte* const from = of.c.shared.origin + units.at[unit];
    if (slots.form.packed_bits != 0) {
      Unpack(from, slots.form.packed_bits, bytes.data());
    } else {
      std::memcpy(bytes.data(), from, bytes.size());
    }
    std::array<uint32_t, kWords> words;
    std::memcpy(words.data(), bytes.data(), bytes.size());
    ForEachCopy(shape, unit / size.units, [&](uint32_t to) {
      for (uint32_t word = 0; word < kWords; ++word) {
        const uint32_t column = base.column + unit % size.units * kWords + word;
        of.memory.Column(column)[base.lane + to] = words[word];
      }
    });
  }
  NoteUse(of, {base.column, columns}, &of.memory.written);
}

// Each lane of a warp's takes what the next one has, the last one keeps its own (assumption: "down"
// leads to lower lanes, so that a halo goes into the last one by tcgen05.cp.4x256b).
void ShiftTensorMemory(const TensorMemoryAccess& of, uint32_t lane) {
  constexpr uint32_t kColumns = 8;
  const TensorMemoryAddress base = AddressOf(of.c, of.slots().address, lane);
  if (base.lane % kLanesOfCopy != 0 || base.lane >= TensorMemory::kLanes) {
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("shift from lane {} of tensor memory, expected 0, 32, 64 or 96,", base.lane),
        FailureCause::kAddress);
  }
  CheckColumns(of, lane, base.column, kColumns);
  const TensorMemoryCells cells = {base.column, kColumns,
                                   3U << base.lane / TensorMemory::kLanesOfGroup};
  CheckUses(of, lane, cells, TensorMemoryTouch::kWrite, "shift");
  for (uint32_t column = base.column; column < base.column + kColumns; ++column) {
    uint32_t* const rows = of.memory.Column(column) + base.lane;
    std::memmove(rows, rows + 1, (kLanesOfCopy - 1) * sizeof(uint32_t));
  }
  NoteUse(of, cells, &of.memory.written);
}

MatrixUnits FactorUnits(const TensorMemoryAccess& of, uint32_t lane, uint64_t bits,
                        const FactorShape& shape) {
  constexpr uint32_t kRowBytes = 32;
  if (const std::string problem = MatrixDescriptor::ProblemOfTensorMemory(bits); !problem.empty()) {
    ThrowOfThread(of.c, of.inst, lane,
                  fmt::format("the descriptor of {}, {:#x}, has {},", shape.matrix, bits, problem));
  }
  const MatrixDescriptor descriptor = MatrixDescriptor::OfTensorMemory(bits);
  const bool swizzled = descriptor.swizzle != TensorSwizzle::kNone;
  if (swizzled && !shape.transposed && shape.halves == 2 && descriptor.start % kRowBytes != 0) {
    ThrowOfThread(of.c, of.inst, lane,
                  fmt::format("misaligned matrix: the descriptor of {}, {:#x}, starts at {:#x}, "
                              "expected a multiple of {} where rows are swizzled,",
                              shape.matrix, bits, descriptor.start, kRowBytes),
                  FailureCause::kMisaligned);
  }
  MatrixUnits units;
  const auto add = [&](uint64_t at) {
    if (of.c.shared.size < MatrixDescriptor::kUnit ||
        at > of.c.shared.size - MatrixDescriptor::kUnit) {
      ThrowOfThread(
          of.c, of.inst, lane,
          fmt::format("out-of-bounds matrix: the descriptor of {}, {:#x}, leads to shared "
                      "{:#x} of {} bytes,",
                      shape.matrix, bits, at, of.c.shared.size),
          FailureCause::kAddress);
    }
    units.at[units.count++] = static_cast<uint32_t>(at);
  };
  if (shape.transposed) {
    const uint32_t per_unit = 8 * MatrixDescriptor::kUnit / shape.bits;
    for (uint32_t group = 0; group < shape.rows / per_unit; ++group) {
      for (uint32_t k = 0; k < shape.depth; ++k) add(descriptor.UnitOfColumn(group, k));
    }
  } else {
    for (uint32_t row = 0; row < shape.rows; ++row) {
      for (uint32_t half = 0; half < shape.halves; ++half) add(descriptor.UnitOfRow(row, half));
    }
  }
  for (uint32_t i = 0; of.races != nullptr && i < units.count; ++i) {
    of.races->ReadByProxy(of.c.warp, of.inst.pc, units.at[i], MatrixDescriptor::kUnit);
  }
  return units;
}

}  // namespace flagstone::simt
