// atom and red on several elements of global memory (PTX ISA, sections 9.7.13.5 and 9.7.13.7): each
// element is an atomic of its own, and all are one access.
#include <cstring>

#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/atomic_value.h"
#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::AtomicOp;

uint32_t NewElement(const Inst& inst, uint32_t old, uint32_t operand) {
  if (inst.type == ptx::Type::kF32) {
    return ToLane<uint32_t>(Finish<false, false>(FromLane<float>(old) + FromLane<float>(operand)));
  }
  const NarrowFormat& format = FormatOf(inst.type);
  uint32_t result = 0;
  for (uint32_t shift = 0; shift < 8U * inst.element_bytes; shift += 16) {
    result |=
        NewHalf(inst.modifiers.atomic_op, format, old >> shift & 0xffff, operand >> shift & 0xffff)
        << shift;
  }
  return result;
}

// The operands lie in `values` as they do in memory: the first eight bytes in the first row.
void CommitVectorAtomic(const PendingAccess& pending) {
  const Inst& inst = *pending.inst;
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    for (uint32_t e = 0; e < inst.vector; ++e) {
      const uint32_t at = e * inst.element_bytes;
      const auto operand = static_cast<uint32_t>(pending.values[at / 8][i] >> (8 * (at % 8)));
      uint32_t old = 0;
      std::memcpy(&old, pending.pointers[i] + at, inst.element_bytes);
      const uint32_t result = NewElement(inst, old, operand);
      std::memcpy(pending.pointers[i] + at, &result, inst.element_bytes);
      const SlotId slot = inst.matrices->d[e];
      if (slot != kNoSlot) reinterpret_cast<uint32_t*>(pending.destination + slot)[i] = old;
    }
  }
}

void VectorAtomic(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  const auto fill = [&](PendingAccess& pending, LaneMask lanes) {
    pending.inst = &inst;
    pending.mask = lanes;
    pending.destination = c.registers;
    pending.pointers = c.pointers;
    pending.values[0] = {};
    pending.values[1] = {};
    const uint64_t kept = ~uint64_t{0} >> (64 - 8 * inst.element_bytes);
    for (uint32_t e = 0; e < inst.vector; ++e) {
      const uint32_t at = e * inst.element_bytes;
      const uint32_t* value = Source<uint32_t>(c, inst.matrices->a[e]);
      for (uint32_t i = 0; i < kWarpSize; ++i) {
        pending.values[at / 8][i] |= (value[i] & kept) << (8 * (at % 8));
      }
    }
  };
  LaneMask now = mask;
  if (c.deferred && (c.space == MemorySpace::kGlobal || c.remote)) {
    fill(TakePending(c), c.in_space);
    now &= ~c.in_space;
  }
  if (now != 0) {
    fill(c.scratch, now);
    CommitVectorAtomic(c.scratch);
  }
}

}  // namespace

MemoryHandler SelectVectorAtomic() { return {VectorAtomic, CommitVectorAtomic}; }

}  // namespace flagstone::simt
