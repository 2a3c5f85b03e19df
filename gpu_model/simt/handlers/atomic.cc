// atom and red on global, shared and generic addresses (PTX ISA 9.7.13). Lanes act in ascending
// order.
#include "gpu_model/simt/handlers/access.h"
#include "gpu_model/simt/handlers/atomic_value.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::AtomicOp;
using ptx::Type;

template <AtomicOp kOp, class T>
void CommitAtomic(const PendingAccess& pending) {
  using S = Lane<T>;
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    S bits = 0;
    __builtin_memcpy(&bits, pending.pointers[i], sizeof(T));
    const T old = FromLane<T>(bits);
    const T b = FromLane<T>(static_cast<S>(pending.values[0][i]));
    const T c = FromLane<T>(static_cast<S>(pending.values[1][i]));
    const S result = ToLane<S>(NewValue<kOp>(old, b, c));
    __builtin_memcpy(pending.pointers[i], &result, sizeof(T));
    if (pending.destination != nullptr) {
      reinterpret_cast<S*>(pending.destination)[i] = bits;
    }
  }
}

// add of f16, bf16 or a pair of either: each half is rounded to nearest, and none is flushed.
template <Type kType>
void CommitHalves(const PendingAccess& pending) {
  constexpr size_t kBytes = kType == Type::kF16x2 || kType == Type::kBf16x2 ? 4 : 2;
  const NarrowFormat& format = FormatOf(kType);
  for (LaneMask rest = pending.mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<size_t>(__builtin_ctz(rest));
    uint32_t old = 0;
    __builtin_memcpy(&old, pending.pointers[i], kBytes);
    const auto b = static_cast<uint32_t>(pending.values[0][i]);
    uint32_t sum = 0;
    for (uint32_t shift = 0; shift < 8 * kBytes; shift += 16) {
      sum |= NewHalf(AtomicOp::kAdd, format, old >> shift & 0xffff, b >> shift & 0xffff) << shift;
    }
    __builtin_memcpy(pending.pointers[i], &sum, kBytes);
    if (pending.destination != nullptr) reinterpret_cast<uint32_t*>(pending.destination)[i] = old;
  }
}

template <class T, CommitHandler kCommit, uint32_t kOperands>
void Atomic(Context& c, const Inst& inst, LaneMask mask) {
  using S = Lane<T>;
  PrepareAccess(c, inst, mask);
  const auto fill = [&](PendingAccess& pending, LaneMask lanes) {
    pending.inst = &inst;
    pending.mask = lanes;
    pending.destination = inst.destination == kNoSlot ? nullptr : c.registers + inst.destination;
    pending.pointers = c.pointers;
    for (uint32_t k = 0; k < kOperands; ++k) {
      const S* value = Source<S>(c, inst.source[1 + k]);
      for (uint32_t i = 0; i < kWarpSize; ++i) pending.values[k][i] = value[i];
    }
  };
  LaneMask now = mask;
  if (c.deferred && (c.space == MemorySpace::kGlobal || c.remote)) {
    fill(TakePending(c), c.in_space);
    now &= ~c.in_space;
  }
  if (now != 0) {
    fill(c.scratch, now);
    kCommit(c.scratch);
  }
}

template <AtomicOp kOp, class T>
MemoryHandler Make() {
  constexpr CommitHandler kCommit = &CommitAtomic<kOp, T>;
  return {&Atomic < T, kCommit, kOp == AtomicOp::kCas ? 2 : 1 >, kCommit};
}

template <Type kType>
MemoryHandler MakeHalves() {
  constexpr CommitHandler kCommit = &CommitHalves<kType>;
  return {&Atomic<uint32_t, kCommit, 1>, kCommit};
}

template <AtomicOp kOp>
MemoryHandler OfBits(Type type) {
  if (type == Type::kB32) return Make<kOp, uint32_t>();
  if (type == Type::kB64) return Make<kOp, uint64_t>();
  return {};
}

template <AtomicOp kOp>
MemoryHandler OfIntegers(Type type) {
  switch (type) {
    case Type::kU32:
      return Make<kOp, uint32_t>();
    case Type::kS32:
      return Make<kOp, int32_t>();
    case Type::kU64:
      return Make<kOp, uint64_t>();
    case Type::kS64:
      return Make<kOp, int64_t>();
    default:
      return {};
  }
}

}  // namespace

MemoryHandler SelectAtomic(const ptx::Instruction& instruction) {
  const Type type = instruction.type;
  switch (instruction.modifiers.atomic_op) {
    case AtomicOp::kAdd:
      if (type == Type::kF32) return Make<AtomicOp::kAdd, float>();
      if (type == Type::kF64) return Make<AtomicOp::kAdd, double>();
      if (type == Type::kF16) return MakeHalves<Type::kF16>();
      if (type == Type::kBf16) return MakeHalves<Type::kBf16>();
      if (type == Type::kF16x2) return MakeHalves<Type::kF16x2>();
      if (type == Type::kBf16x2) return MakeHalves<Type::kBf16x2>();
      return OfIntegers<AtomicOp::kAdd>(type);
    case AtomicOp::kMin:
      return OfIntegers<AtomicOp::kMin>(type);
    case AtomicOp::kMax:
      return OfIntegers<AtomicOp::kMax>(type);
    case AtomicOp::kAnd:
      return OfBits<AtomicOp::kAnd>(type);
    case AtomicOp::kOr:
      return OfBits<AtomicOp::kOr>(type);
    case AtomicOp::kXor:
      return OfBits<AtomicOp::kXor>(type);
    case AtomicOp::kExch:
      return OfBits<AtomicOp::kExch>(type);
    case AtomicOp::kCas:
      if (type == Type::kB16) return Make<AtomicOp::kCas, uint16_t>();
      return OfBits<AtomicOp::kCas>(type);
    case AtomicOp::kInc:
      return type == Type::kU32 ? Make<AtomicOp::kInc, uint32_t>() : MemoryHandler{};
    case AtomicOp::kDec:
      return type == Type::kU32 ? Make<AtomicOp::kDec, uint32_t>() : MemoryHandler{};
    case AtomicOp::kPopc:
    case AtomicOp::kNone:
      return {};
  }
  return {};
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
