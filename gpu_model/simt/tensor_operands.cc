#include "gpu_model/simt/tensor_operands.h"

#include <fmt/core.h>

#include <cstring>

#include "gpu_model/simt/bulk_copy.h"
#include "gpu_model/simt/bulk_reduce.h"
#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set

constexpr uint64_t kAlignment = 128;  // of the box in shared memory
constexpr size_t kCoordinatesOfFourRows = 5;

// In parameter space or in device memory; null where no object of that size lies.
const std::byte* MapAt(const Context& c, uint64_t generic) {
  const uint64_t window = generic >> kWindowShift << kWindowShift;
  if (window != kParamWindow) {
    return c.memory->Find(generic, TensorMap::kBytes) == nullptr ? nullptr : c.memory->At(generic);
  }
  const uint64_t offset = generic - window;
  const bool inside = offset <= c.param.size && TensorMap::kBytes <= c.param.size - offset;
  return inside ? c.param.origin + offset : nullptr;
}

TensorMap MapOf(Context& c, const Inst& inst, uint32_t lane) {
  const uint64_t at = BulkAddress(c, inst.source[0], inst.wide_address, inst.offset, lane);
  const uint64_t generic = inst.wide_address ? at : Widen(static_cast<uint32_t>(at));
  const std::byte* const from = MapAt(c, generic);
  TensorMap map;
  if (from != nullptr) std::memcpy(&map, from, sizeof(map));
  if (from == nullptr || map.magic != TensorMap::kMagic ||
      map.dimensions != inst.modifiers.dimensions) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("copy by what is no tensor map of {} dimensions at {:#x}",
                              inst.modifiers.dimensions, generic));
  }
  return map;
}

}  // namespace

TensorOperands TensorOperandsOf(Context& c, const Inst& inst, uint32_t lane) {
  TensorOperands of;
  of.box.map = MapOf(c, inst, lane);
  of.box.mode = inst.modifiers.tensor_mode;
  const BulkSlots& bulk = *inst.bulk;
  const size_t coordinates =
      of.box.OfFourRows() ? kCoordinatesOfFourRows : inst.modifiers.dimensions;
  for (size_t d = 0; d < coordinates; ++d) {
    of.box.at[d] = static_cast<int32_t>(Source<uint32_t>(c, bulk.coordinates[d])[lane]);
  }
  for (size_t d = 0; d < bulk.offsets.size() && bulk.offsets[d] != kNoSlot; ++d) {
    of.box.offsets[d] = Source<uint32_t>(c, bulk.offsets[d])[lane] & 0xffff;
  }
  if (const std::string problem = ProblemOf(of.box); !problem.empty()) {
    ThrowOfThread(c, inst, lane, fmt::format("tensor copy by a map with {},", problem));
  }
  const ptx::Modifiers& m = inst.modifiers;
  if (m.reduce && TensorReducer(m.atomic_op, of.box.map.type) == nullptr) {
    ThrowOfThread(c, inst, lane,
                  "reduction of a tensor whose elements the operation does not take");
  }
  if (m.prefetch) return of;
  of.shared = BulkAddress(c, bulk.to, lane);
  if (of.shared % kAlignment != 0) {
    ThrowOfThread(c, inst, lane,
                  fmt::format("tensor copy at shared {:#x}: expected a multiple of {},", of.shared,
                              kAlignment),
                  FailureCause::kMisaligned);
  }
  return of;
}

}  // namespace flagstone::simt
