// tcgen05.ld, .st, .cp and .shift (PTX ISA, sections 9.7.16.8 and 9.7.16.9).
#include "gpu_model/simt/tensor_memory_access.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>

#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"
#include "gpu_model/simt/matrix_descriptor.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using Op = ptx::TensorMemoryOp;
using MemoryShape = ptx::TensorMemoryShape;

constexpr uint32_t kQuarterLanes = TensorMemory::kLanesOfWarp;

int LineOfUse(const Context& c, uint32_t pc) {
  return static_cast<int>(c.program->launch().kernel->instructions[pc].location.line);
}

std::string NameAt(const Context& c, uint32_t pc) {
  const std::string name = NameOf(c.program->launch().kernel->instructions[pc].tensor_memory);
  return name.substr(0, name.find('.', name.find('.') + 1));
}

// The address that all lanes have.
TensorMemoryAddress SameAddress(const TensorMemoryAccess& of) {
  const BulkSlots::Address& address = of.slots().address;
  const uint64_t first = BulkAddress(of.c, address, 0);
  for (uint32_t lane = 1; lane < kWarpSize; ++lane) {
    const uint64_t other = BulkAddress(of.c, address, lane);
    if (other == first) continue;
    ThrowOfWarp(of.c, of.inst,
                fmt::format("tensor memory at {:#x} in lane 0 and {:#x} in lane {}, expected one "
                            "address for all lanes,",
                            first, other, lane));
  }
  return AddressOf(of.c, address, 0);
}

// A warp has the lanes of its number in the warpgroup.
void CheckLanes(const TensorMemoryAccess& of, uint32_t first, uint32_t lanes) {
  const uint32_t own = of.c.warp % TensorMemory::kQuarters * kQuarterLanes;
  const bool inside = first >= own && first + lanes <= own + kQuarterLanes;
  if (inside && first % lanes == 0) return;
  ThrowOfWarp(of.c, of.inst,
              fmt::format("lanes {} to {} of tensor memory, expected {} of {} to {},", first,
                          first + lanes - 1, lanes == kQuarterLanes ? "all" : "16 or the next 16",
                          own, own + kQuarterLanes - 1),
              FailureCause::kAddress);
}

// The columns of a load or store: one run, or that of each half.
struct Runs {
  std::array<uint32_t, 2> first = {};
  uint32_t count = 1, columns = 0;
};

// A cell of a lane or, packed, the lower halves of two neighbours.
uint32_t ReadCell(TensorMemory& memory, uint32_t lane, uint32_t column, bool packed) {
  if (!packed) return memory.Column(column)[lane];
  return (memory.Column(column)[lane] & 0xffff) | memory.Column(column + 1)[lane] << 16;
}
void WriteCell(TensorMemory& memory, uint32_t lane, uint32_t column, bool packed, uint32_t word) {
  if (!packed) {
    memory.Column(column)[lane] = word;
    return;
  }
  memory.Column(column)[lane] = word & 0xffff;
  memory.Column(column + 1)[lane] = word >> 16;
}

// The least or greatest of a lane's words.
uint32_t Reduced(const ptx::TensorMemoryForm& form, uint32_t a, uint32_t b) {
  const bool most = form.reduction == ptx::AtomicOp::kMax;
  if (form.type == ptx::Type::kU32) return most == (a > b) ? a : b;
  if (form.type == ptx::Type::kS32) {
    return most == (static_cast<int32_t>(a) > static_cast<int32_t>(b)) ? a : b;
  }
  const auto value = [](uint32_t word) { return static_cast<double>(std::bit_cast<float>(word)); };
  const double result = Extreme(most, form.nan, value(a), value(b));
  return result != result ? 0x7fffffff : std::bit_cast<uint32_t>(static_cast<float>(result));
}

void ReduceLanes(const TensorMemoryAccess& of, const std::array<uint32_t, kWarpSize>& words,
                 uint32_t reg, std::array<uint32_t, kWarpSize>* reduced) {
  const ptx::TensorMemoryForm& form = of.slots().form;
  for (uint32_t thread = 0; thread < kWarpSize; ++thread) {
    const uint32_t word = form.absolute ? words[thread] & 0x7fffffff : words[thread];
    (*reduced)[thread] = Reduced(form, reg == 0 ? word : (*reduced)[thread], word);
  }
}

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
      return visit(row * kQuarterLanes);
    case MemoryShape::k64x128By02:
      visit(row);
      return visit(row + 64);
    case MemoryShape::k64x128By01:
      visit(row / kQuarterLanes * 64 + row % kQuarterLanes);
      return visit(row / kQuarterLanes * 64 + row % kQuarterLanes + kQuarterLanes);
    case MemoryShape::k32x128:
      for (uint32_t warp = 0; warp < TensorMemory::kQuarters; ++warp) {
        visit(row + warp * kQuarterLanes);
      }
      return;
    default:
      return visit(row);
  }
}

}  // namespace

TensorMemoryAddress AddressOf(const Context& c, const BulkSlots::Address& address, uint32_t lane) {
  const auto bits = static_cast<uint32_t>(BulkAddress(c, address, lane));
  return {bits >> 16, bits & 0xffff};
}

void CheckColumns(const TensorMemoryAccess& of, uint32_t lane, uint32_t first, uint32_t columns) {
  for (uint32_t column = first; column < first + columns; ++column) {
    if (column < TensorMemory::kColumns && of.memory.IsAllocated(column)) continue;
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("columns {} to {} of tensor memory, of which the TB has not allocated "
                    "{},",
                    first, first + columns - 1, column),
        FailureCause::kAddress);
  }
}

void CheckStored(const TensorMemoryAccess& of, uint32_t lane, uint32_t first, uint32_t columns,
                 const char* verb) {
  for (const auto& quarter : of.memory.stored) {
    for (uint32_t column = first; column < first + columns; ++column) {
      const TensorMemory::Use& use = quarter[column];
      if (!use.there) continue;
      ThrowOfThread(of.c, of.inst, lane,
                    fmt::format("{} of column {} of tensor memory, which the tcgen05.st of line {} "
                                "by warp {} writes, before a tcgen05.wait::st,",
                                verb, column, LineOfUse(of.c, use.pc), use.warp));
    }
  }
}

void CheckWritten(const TensorMemoryAccess& of, uint32_t lane, uint32_t first, uint32_t columns,
                  const char* verb) {
  for (uint32_t column = first; column < first + columns; ++column) {
    const TensorMemory::Use& use = of.memory.written[column];
    if (!use.there) continue;
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("{} of column {} of tensor memory, which the {} of line {} by warp {} "
                    "writes, before a tcgen05.commit,",
                    verb, column, NameAt(of.c, use.pc), LineOfUse(of.c, use.pc), use.warp));
  }
}

void NoteWritten(const TensorMemoryAccess& of, uint32_t first, uint32_t columns) {
  for (uint32_t column = first; column < first + columns; ++column) {
    of.memory.written[column] = {of.inst.pc, of.c.warp, true};
  }
}

void MoveTensorMemory(const TensorMemoryAccess& of) {
  const TensorMemorySlots& slots = of.slots();
  const ptx::TensorMemoryForm& form = slots.form;
  const TensorMemoryAddress base = SameAddress(of);
  CheckLanes(of, base.lane, form.shape == MemoryShape::k32x32 ? kQuarterLanes : kQuarterLanes / 2);
  Runs runs;
  runs.count = form.InHalves() ? 2 : 1;
  runs.columns = ColumnsOf(form);
  runs.first = {base.column, base.column + slots.half_offset};
  const bool loads = form.op == Op::kLoad;
  const uint32_t quarter = base.lane / kQuarterLanes;
  for (uint32_t run = 0; run < runs.count; ++run) {
    CheckColumns(of, 0, runs.first[run], runs.columns);
    CheckWritten(of, 0, runs.first[run], runs.columns, loads ? "read" : "write");
    if (loads) CheckStored(of, 0, runs.first[run], runs.columns, "read");
    for (uint32_t column = 0; !loads && column < runs.columns; ++column) {
      of.memory.stored[quarter][runs.first[run] + column] = {of.inst.pc, of.c.warp, true};
    }
  }
  std::array<uint32_t, kWarpSize> words, reduced = {};
  for (uint32_t reg = 0; reg < slots.registers.size(); ++reg) {
    const SlotId slot = slots.registers[reg];
    if (!loads) std::memcpy(words.data(), Source<uint32_t>(of.c, slot), sizeof(words));
    for (uint32_t thread = 0; thread < kWarpSize; ++thread) {
      const TensorMemoryPlace at = PlaceInTensorMemory(form.shape, thread, reg);
      const uint32_t half = form.InHalves() ? thread / 16 : 0;
      const uint32_t column = runs.first[half] + at.column * (form.packed ? 2 : 1);
      if (loads) {
        words[thread] = ReadCell(of.memory, base.lane + at.lane, column, form.packed);
      } else {
        WriteCell(of.memory, base.lane + at.lane, column, form.packed, words[thread]);
      }
    }
    if (!loads) continue;
    if (slots.reduced != kNoSlot) ReduceLanes(of, words, reg, &reduced);
    if (slot != kNoSlot)
      std::memcpy(Destination<uint32_t>(of.c, slot), words.data(), sizeof(words));
  }
  if (slots.reduced == kNoSlot) return;
  std::memcpy(Destination<uint32_t>(of.c, slots.reduced), reduced.data(), sizeof(reduced));
}

void CopyToTensorMemory(const TensorMemoryAccess& of, uint32_t lane) {
  const TensorMemorySlots& slots = of.slots();
  const MemoryShape shape = slots.form.shape;
  const CopyShape size = CopyShapeOf(shape);
  const TensorMemoryAddress base = AddressOf(of.c, slots.address, lane);
  const uint32_t most = shape == MemoryShape::k4x256 ? kQuarterLanes : 1;
  if (base.lane >= most) {
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("copy to lane {} of tensor memory, expected less than {},", base.lane, most),
        FailureCause::kAddress);
  }
  constexpr uint32_t kWords = MatrixDescriptor::kUnit / sizeof(uint32_t);
  const uint32_t columns = size.units * kWords;
  CheckColumns(of, lane, base.column, columns);
  CheckStored(of, lane, base.column, columns, "write");
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
  NoteWritten(of, base.column, columns);
}

// Each lane of a warp's takes what the next one has, the last one keeps its own (assumption: "down"
// leads to lower lanes, so that a halo goes into the last one by tcgen05.cp.4x256b).
void ShiftTensorMemory(const TensorMemoryAccess& of, uint32_t lane) {
  constexpr uint32_t kColumns = 8;
  const TensorMemoryAddress base = AddressOf(of.c, of.slots().address, lane);
  if (base.lane % kQuarterLanes != 0 || base.lane >= TensorMemory::kLanes) {
    ThrowOfThread(
        of.c, of.inst, lane,
        fmt::format("shift from lane {} of tensor memory, expected 0, 32, 64 or 96,", base.lane),
        FailureCause::kAddress);
  }
  CheckColumns(of, lane, base.column, kColumns);
  CheckStored(of, lane, base.column, kColumns, "shift");
  for (uint32_t column = base.column; column < base.column + kColumns; ++column) {
    uint32_t* const cells = of.memory.Column(column) + base.lane;
    std::memmove(cells, cells + 1, (kQuarterLanes - 1) * sizeof(uint32_t));
  }
  NoteWritten(of, base.column, kColumns);
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
