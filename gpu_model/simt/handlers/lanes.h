// Loops over the 32 lanes of a warp, written so that the compiler vectorises them.
//
// Included by files that are compiled for several instruction sets: everything stands in the
// namespace of the set, so that no function of one is linked into the other.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_LANES_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_LANES_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/handlers/handlers.h"

#ifndef FLAGSTONE_SIMT_VARIANT
#define FLAGSTONE_SIMT_VARIANT baseline
#endif

#define FLAGSTONE_INLINE [[gnu::always_inline]] inline

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

// The integer that holds a value of T in a lane: 4 bytes up to 32 bits, else 8.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T, class S>
FLAGSTONE_INLINE T FromLane(S lane) {
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(T, static_cast<Lane<T>>(lane));
  } else {
    return static_cast<T>(lane);
  }
}

// Sign- or zero-extends to the lane, as the type says.
template <class S, class T>
FLAGSTONE_INLINE S ToLane(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<S>(__builtin_bit_cast(Lane<T>, value));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<S>(static_cast<std::make_signed_t<S>>(value));
  } else {
    return static_cast<S>(value);
  }
}

template <class S>
FLAGSTONE_INLINE const S* Source(const Context& c, SlotId slot) {
  return static_cast<const S*>(
      __builtin_assume_aligned(c.base[slot >> kBaseShift] + (slot & kOffsetMask), 64));
}

template <class S>
FLAGSTONE_INLINE S* Destination(const Context& c, SlotId slot) {
  return static_cast<S*>(__builtin_assume_aligned(c.registers + slot, 64));
}

FLAGSTONE_INLINE LaneMask PredicateSource(const Context& c, const Inst& inst, size_t k) {
  const SlotId slot = inst.source[k];
  return *reinterpret_cast<const LaneMask*>(c.base[slot >> kBaseShift] + (slot & kOffsetMask)) ^
         inst.source_flip[k];
}

FLAGSTONE_INLINE void WritePredicate(const Context& c, SlotId slot, LaneMask mask, LaneMask value) {
  auto* const p = reinterpret_cast<LaneMask*>(c.registers + slot);
  *p = (*p & ~mask) | (value & mask);
}

// destination[lane] = function(lane) in the lanes of the mask. `function` also runs for the other
// lanes (and must not trap): the result is dropped. A source may be the destination itself.
template <class S, class F>
FLAGSTONE_INLINE void ForLanes(S* destination, LaneMask mask, F function) {
  if (mask == kAllLanes) [[likely]] {
#pragma GCC ivdep
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) destination[lane] = function(lane);
  } else {
#pragma GCC ivdep
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const S value = function(lane);
      const S old = destination[lane];
      destination[lane] = (mask & (1U << lane)) != 0 ? value : old;
    }
  }
}

// The lanes for which function(lane) holds, as a mask.
template <class F>
FLAGSTONE_INLINE LaneMask MaskOf(F function) {
  LaneMask mask = 0;
  for (uint32_t lane = 0; lane < kWarpSize; ++lane) mask |= function(lane) ? 1U << lane : 0U;
  return mask;
}

// Handlers for operations of one, two and three sources of type T and a result of type R.
template <class Op, class T, class R = T>
void Unary(Context& c, const Inst& inst, LaneMask mask) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  ForLanes(Destination<Lane<R>>(c, inst.destination), mask, [=](uint32_t i) {
    return ToLane<Lane<R>>(static_cast<R>(Op::template Apply<T>(FromLane<T>(a[i]))));
  });
}

template <class Op, class T, class R = T>
void Binary(Context& c, const Inst& inst, LaneMask mask) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  const Lane<T>* b = Source<Lane<T>>(c, inst.source[1]);
  ForLanes(Destination<Lane<R>>(c, inst.destination), mask, [=](uint32_t i) {
    return ToLane<Lane<R>>(
        static_cast<R>(Op::template Apply<T>(FromLane<T>(a[i]), FromLane<T>(b[i]))));
  });
}

// The third source has the result's type (mad.wide).
template <class Op, class T, class R = T>
void Ternary(Context& c, const Inst& inst, LaneMask mask) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  const Lane<T>* b = Source<Lane<T>>(c, inst.source[1]);
  const Lane<R>* d = Source<Lane<R>>(c, inst.source[2]);
  ForLanes(Destination<Lane<R>>(c, inst.destination), mask, [=](uint32_t i) {
    return ToLane<Lane<R>>(static_cast<R>(
        Op::template Apply<T>(FromLane<T>(a[i]), FromLane<T>(b[i]), FromLane<R>(d[i]))));
  });
}

// A free record for a store or atomic that waits for Commit. Only the first cycles may allocate.
FLAGSTONE_INLINE PendingAccess& TakePending(Context& c) {
  if (c.pending_count == c.pending.size()) GrowPending(c);
  return c.pending[c.pending_count++];
}

// Calls visitor.operator()<T>() with the C++ type of a PTX type; null for the others.
template <class Visitor>
Handler ForInteger(ptx::Type type, Visitor visitor) {
  switch (type) {
    case ptx::Type::kU16:
      return visitor.template operator()<uint16_t>();
    case ptx::Type::kU32:
      return visitor.template operator()<uint32_t>();
    case ptx::Type::kU64:
      return visitor.template operator()<uint64_t>();
    case ptx::Type::kS16:
      return visitor.template operator()<int16_t>();
    case ptx::Type::kS32:
      return visitor.template operator()<int32_t>();
    case ptx::Type::kS64:
      return visitor.template operator()<int64_t>();
    default:
      return nullptr;
  }
}

template <class Visitor>
Handler ForBits(ptx::Type type, Visitor visitor) {
  switch (type) {
    case ptx::Type::kB16:
      return visitor.template operator()<uint16_t>();
    case ptx::Type::kB32:
      return visitor.template operator()<uint32_t>();
    case ptx::Type::kB64:
      return visitor.template operator()<uint64_t>();
    default:
      return nullptr;
  }
}

// The families: see HandlerSet.
Handler SelectInteger(const ptx::Instruction& instruction);
Handler SelectBits(const ptx::Instruction& instruction);
Handler SelectPredicate(const ptx::Instruction& instruction);
Handler SelectCompare(const ptx::Instruction& instruction);
Handler SelectSet();
Handler SelectFloating(const ptx::Instruction& instruction);
Handler SelectApproximate(const ptx::Instruction& instruction);
Handler SelectConvert(const ptx::Instruction& instruction, Shape shape);
Handler SelectMove(const ptx::Instruction& instruction, Shape shape);
Handler SelectCvta(const ptx::Instruction& instruction);
MemoryHandler SelectMemory(const ptx::Instruction& instruction, Shape shape);
Handler SelectTouch();
Handler SelectConstantLoad(Shape shape);
MemoryHandler SelectAtomic(const ptx::Instruction& instruction);
void MultiplyFloats(ProductTile<float>& tile);
void MultiplyIntegers(ProductTile<int32_t>& tile);

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_LANES_H_
