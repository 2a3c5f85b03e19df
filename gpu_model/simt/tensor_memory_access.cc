// tcgen05.ld and .st (PTX ISA, section 9.7.16.8).
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

}  // namespace

TensorMemoryAddress AddressOf(const Context& c, const BulkSlots::Address& address, uint32_t lane) {
  const auto bits = static_cast<uint32_t>(BulkAddress(c, address, lane));
  return {bits >> 16, bits & 0xffff};
}

void MoveTensorMemory(const TensorMemoryAccess& of) {
  const TensorMemorySlots& slots = of.slots();
  const ptx::TensorMemoryForm& form = slots.form;
  const TensorMemoryAddress base = SameAddress(of);
  const uint32_t lanes =
      form.shape == MemoryShape::k32x32 ? kQuarterLanes : TensorMemory::kLanesOfGroup;
  CheckLanes(of, base.lane, lanes);
  Runs runs;
  runs.count = form.InHalves() ? 2 : 1;
  runs.columns = ColumnsOf(form);
  runs.first = {base.column, base.column + slots.half_offset};
  const bool loads = form.op == Op::kLoad;
  const uint32_t groups = lanes == kQuarterLanes ? 3 : 1;
  for (uint32_t run = 0; run < runs.count; ++run) {
    const TensorMemoryCells cells = {runs.first[run], runs.columns,
                                     groups << base.lane / TensorMemory::kLanesOfGroup};
    CheckColumns(of, 0, cells.first, cells.columns);
    CheckUses(of, 0, cells, loads ? TensorMemoryTouch::kRead : TensorMemoryTouch::kWrite,
              loads ? "read" : "write");
    NoteUse(of, cells, loads ? &of.memory.loaded : &of.memory.stored);
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

}  // namespace flagstone::simt
