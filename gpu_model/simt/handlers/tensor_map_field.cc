#include "gpu_model/simt/handlers/tensor_map_field.h"

#include <fmt/core.h>

#include <cstring>
#include <string>

#include "gpu_model/simt/faults.h"
#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "kernels/launch/tensor_map.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::TensorField;

struct FieldChange {
  TensorField field = TensorField::kNone;
  uint64_t dimension = 0;
  uint64_t value = 0;
};

// What rule it breaks; "" where none.
std::string ProblemOf(const FieldChange& change) {
  const auto at_most = [&](std::string_view what, uint64_t most) {
    if (change.value <= most) return std::string();
    return fmt::format("{} {}: expected at most {}", what, change.value, most);
  };
  const uint64_t dimensions = change.field == TensorField::kGlobalStride
                                  ? TensorMap::kMostDimensions - 1
                                  : TensorMap::kMostDimensions;
  if (change.dimension >= dimensions) {
    return fmt::format("dimension {}: expected 0 to {}", change.dimension, dimensions - 1);
  }
  switch (change.field) {
    case TensorField::kRank:
      return at_most("rank", TensorMap::kMostDimensions - 1);
    case TensorField::kBoxDim:
      return at_most("box dimension", 256);
    case TensorField::kElementStride:
      return at_most("element stride", 8);
    case TensorField::kElementType:  // those of 4 and 6 bits follow
      return at_most("element type", static_cast<uint64_t>(TensorType::kTf32Ftz) - 1);
    case TensorField::kInterleaveLayout:  // no interleaved layout is executed
      return at_most("interleave layout", 0);
    case TensorField::kSwizzleMode:
      return at_most("swizzle mode", 3);
    case TensorField::kSwizzleAtomicity:  // 16 bytes alone are executed
      return at_most("swizzle atomicity", 0);
    case TensorField::kFillMode:
      return at_most("fill mode", 1);
    default:
      return "";
  }
}

void ApplyField(const FieldChange& change, TensorMap* map) {
  const auto narrow = static_cast<uint32_t>(change.value);
  switch (change.field) {
    case TensorField::kGlobalAddress:
      map->base = change.value;
      break;
    case TensorField::kRank:
      map->dimensions = static_cast<uint8_t>(change.value + 1);
      break;
    case TensorField::kBoxDim:
      map->box[change.dimension] = static_cast<uint16_t>(change.value);
      break;
    case TensorField::kGlobalDim:
      map->shape[change.dimension] = narrow;
      break;
    case TensorField::kGlobalStride:
      map->strides[change.dimension + 1] = change.value;
      break;
    case TensorField::kElementStride:
      map->steps[change.dimension] = static_cast<uint8_t>(change.value);
      break;
    case TensorField::kElementType:
      map->type = static_cast<TensorType>(change.value + 1);
      map->strides[0] = SizeOf(map->type);
      break;
    case TensorField::kSwizzleMode:
      map->swizzle = static_cast<TensorSwizzle>(change.value);
      break;
    case TensorField::kFillMode:
      map->nan = change.value != 0;
      break;
    default:
      break;
  }
}

FieldChange FieldChangeOf(const PendingAccess& pending, uint32_t lane) {
  return {pending.inst->modifiers.tensor_field, pending.values[1][lane], pending.values[0][lane]};
}

// 128 bytes of zeros are a map of which nothing is set.
void CommitField(const PendingAccess& pending) {
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(rest));
    TensorMap map;
    std::memcpy(&map, pending.pointers[lane], sizeof(map));
    map.magic = TensorMap::kMagic;
    ApplyField(FieldChangeOf(pending, lane), &map);
    std::memcpy(pending.pointers[lane], &map, sizeof(map));
  }
}

void CheckMapLane(Context& c, const Inst& inst, uint32_t lane, const PendingAccess& pending) {
  const uint64_t address = c.addresses[lane];
  const bool inside =
      c.space == MemorySpace::kGlobal
          ? c.memory->Find(address, TensorMap::kBytes) != nullptr
          : c.space == MemorySpace::kShared && address + TensorMap::kBytes <= c.shared.size;
  if (!inside) ThrowFault(c, inst, lane, Fault::kOutOfBounds, c.space, address);
  if (const std::string problem = ProblemOf(FieldChangeOf(pending, lane)); !problem.empty()) {
    ThrowOfThread(c, inst, lane, fmt::format("change of a tensor map's {},", problem));
  }
  uint64_t magic = 0;
  std::memcpy(&magic, pending.pointers[lane], sizeof(magic));
  if (magic == TensorMap::kMagic || magic == 0) return;
  ThrowOfThread(c, inst, lane, fmt::format("change of what is no tensor map at {:#x}", address));
}

void ReplaceField(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  const bool later = c.deferred && c.space == MemorySpace::kGlobal;
  PendingAccess& pending = later ? TakePending(c) : c.scratch;
  const bool by_dimension = inst.source[2] != kNoSlot;
  const SlotId value = inst.source[by_dimension ? 2 : 1];
  pending.inst = &inst;
  pending.mask = mask;
  pending.destination = nullptr;
  pending.pointers = c.pointers;
  for (uint32_t i = 0; i < kWarpSize; ++i) {
    pending.values[0][i] = inst.element_bytes == sizeof(uint64_t) ? Source<uint64_t>(c, value)[i]
                                                                  : Source<uint32_t>(c, value)[i];
    pending.values[1][i] = by_dimension ? Source<uint32_t>(c, inst.source[1])[i] : 0;
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    CheckMapLane(c, inst, static_cast<uint32_t>(__builtin_ctz(rest)), pending);
  }
  if (!later) CommitField(pending);
}

}  // namespace

MemoryHandler SelectMapField(const ptx::Instruction& instruction) {
  return instruction.modifiers.tensor_field == TensorField::kNone
             ? MemoryHandler{}
             : MemoryHandler{ReplaceField, CommitField};
}

}  // namespace flagstone::simt
