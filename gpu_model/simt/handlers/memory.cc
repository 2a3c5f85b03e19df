// ld and st (PTX ISA 9.7.9): vectors, all spaces, registers wider than the type.
#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

constexpr uint32_t kEight = 8;

template <class M>
FLAGSTONE_INLINE M LoadFrom(const std::byte* pointer) {
  M value;
  __builtin_memcpy(&value, pointer, sizeof(M));
  return value;
}

template <class M, class S>
FLAGSTONE_INLINE void LoadElement(const Context& c, S* destination, LaneMask mask, size_t at) {
  if (mask == kAllLanes) {
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      destination[i] = ToLane<S>(LoadFrom<M>(c.pointers[i] + at));
    }
  } else {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      destination[i] = ToLane<S>(LoadFrom<M>(c.pointers[static_cast<size_t>(i)] + at));
    }
  }
}

template <class M, class S>
void Load(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  for (uint32_t e = 0; e < inst.vector; ++e) {
    if (inst.elements[e] == kNoSlot) continue;
    LoadElement<M>(c, Destination<S>(c, inst.elements[e]), mask, e * sizeof(M));
  }
}

// Of eight elements of 32 bits, which are in registers of their own list.
template <class M, class S>
void LoadEight(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  for (uint32_t e = 0; e < kEight; ++e) {
    const SlotId slot = inst.matrices->d[e];
    if (slot != kNoSlot) LoadElement<M>(c, Destination<S>(c, slot), mask, e * sizeof(M));
  }
}

// Of a load whose address is known when the program is decoded: an argument.
template <class S>
void LoadConstant(Context& c, const Inst& inst, LaneMask mask) {
  c.space = inst.space;
  c.in_space = mask;
  for (uint32_t e = 0; e < inst.vector; ++e) {
    if (inst.elements[e] == kNoSlot) continue;
    const S* value = Source<S>(c, inst.source[e]);
    ForLanes(Destination<S>(c, inst.elements[e]), mask, [=](uint32_t i) { return value[i]; });
  }
}

template <class M>
void CommitStore(const PendingAccess& pending) {
  const uint32_t vector = pending.inst->vector;
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    for (uint32_t e = 0; e < vector; ++e) {
      const M value = static_cast<M>(pending.values[e][i]);
      __builtin_memcpy(pending.pointers[i] + e * sizeof(M), &value, sizeof(M));
    }
  }
}

// Lanes write in ascending order, so that of two lanes at one address the higher one stays.
template <class M, class S>
void Store(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  LaneMask now = mask;
  if (c.deferred && (c.space == MemorySpace::kGlobal || c.remote)) {
    PendingAccess& pending = TakePending(c);
    pending.inst = &inst;
    pending.mask = c.in_space;
    pending.pointers = c.pointers;
    for (uint32_t e = 0; e < inst.vector; ++e) {
      const S* value = Source<S>(c, inst.elements[e]);
      for (uint32_t i = 0; i < kWarpSize; ++i) pending.values[e][i] = value[i];
    }
    now &= ~c.in_space;
  }
  for (LaneMask rest = now; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    for (uint32_t e = 0; e < inst.vector; ++e) {
      const M value = static_cast<M>(Source<S>(c, inst.elements[e])[i]);
      __builtin_memcpy(c.pointers[i] + e * sizeof(M), &value, sizeof(M));
    }
  }
}

// Elements 2 i and 2 i + 1 wait in row i, as they lie in memory.
void CommitStoreEight(const PendingAccess& pending) {
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    for (uint32_t row = 0; row < kEight / 2; ++row) {
      __builtin_memcpy(pending.pointers[i] + row * sizeof(uint64_t), &pending.values[row][i],
                       sizeof(uint64_t));
    }
  }
}

template <class S>
void StoreEight(Context& c, const Inst& inst, LaneMask mask) {
  PrepareAccess(c, inst, mask);
  PendingAccess& pending = c.deferred ? TakePending(c) : c.scratch;
  pending.inst = &inst;
  pending.mask = mask;
  pending.pointers = c.pointers;
  for (uint32_t row = 0; row < kEight / 2; ++row) {
    const S* low = Source<S>(c, inst.matrices->a[2 * row]);
    const S* high = Source<S>(c, inst.matrices->a[2 * row + 1]);
    for (uint32_t i = 0; i < kWarpSize; ++i) {
      pending.values[row][i] = static_cast<uint32_t>(low[i]) | static_cast<uint64_t>(high[i]) << 32;
    }
  }
  if (!c.deferred) CommitStoreEight(pending);
}

// The type in memory; floats and bits are unsigned of their size.
template <class Visitor>
MemoryHandler ForMemoryType(ptx::Type type, Visitor visitor) {
  switch (type) {
    case ptx::Type::kS8:
      return visitor.template operator()<int8_t>();
    case ptx::Type::kS16:
      return visitor.template operator()<int16_t>();
    case ptx::Type::kS32:
      return visitor.template operator()<int32_t>();
    default:
      break;
  }
  switch (ptx::SizeInBytes(type)) {
    case 1:
      return visitor.template operator()<uint8_t>();
    case 2:
      return visitor.template operator()<uint16_t>();
    case 4:
      return visitor.template operator()<uint32_t>();
    case 8:
      return visitor.template operator()<uint64_t>();
    default:
      return {};
  }
}

MemoryHandler SelectEight(const ptx::Instruction& instruction, Shape shape) {
  if (instruction.opcode == ptx::Opcode::kSt) {
    return {shape.wide_source ? &StoreEight<uint64_t> : &StoreEight<uint32_t>, &CommitStoreEight};
  }
  if (!shape.wide_destination) return {&LoadEight<uint32_t, uint32_t>, nullptr};
  if (ptx::IsSigned(instruction.type)) return {&LoadEight<int32_t, uint64_t>, nullptr};
  return {&LoadEight<uint32_t, uint64_t>, nullptr};
}

}  // namespace

MemoryHandler SelectMemory(const ptx::Instruction& instruction, Shape shape) {
  if (instruction.modifiers.vector == kEight) return SelectEight(instruction, shape);
  if (instruction.opcode == ptx::Opcode::kLd) {
    return ForMemoryType(instruction.type, [&]<class M>() -> MemoryHandler {
      if (shape.wide_destination) return {&Load<M, uint64_t>, nullptr};
      if constexpr (sizeof(M) < 8) return {&Load<M, uint32_t>, nullptr};
      return {};
    });
  }
  if (instruction.opcode != ptx::Opcode::kSt) return {};
  return ForMemoryType(instruction.type, [&]<class M>() -> MemoryHandler {
    using U = std::make_unsigned_t<M>;
    if (shape.wide_source) return {&Store<U, uint64_t>, &CommitStore<U>};
    if constexpr (sizeof(M) < 8) return {&Store<U, uint32_t>, &CommitStore<U>};
    return {};
  });
}

Handler SelectTouch() { return PrepareAccess; }

Handler SelectConstantLoad(Shape shape) {
  return shape.wide_destination ? &LoadConstant<uint64_t> : &LoadConstant<uint32_t>;
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
