// setp and set: comparisons, with a second predicate and a boolean operation (PTX ISA 9.7.6).
#include <type_traits>

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::BooleanOp;
using ptx::Comparison;
using ptx::Opcode;

template <Comparison kCompare, class T>
FLAGSTONE_INLINE bool Holds(T a, T b) {
  if constexpr (kCompare == Comparison::kEq) return a == b;
  if constexpr (kCompare == Comparison::kLt) return a < b;
  if constexpr (kCompare == Comparison::kLe) return a <= b;
  if constexpr (kCompare == Comparison::kGt) return a > b;
  if constexpr (kCompare == Comparison::kGe) return a >= b;
  // Of floats, "ne" is false for a NaN, and "xxu" true.
  if constexpr (kCompare == Comparison::kNe) {
    if constexpr (std::is_floating_point_v<T>) return a < b || a > b;
    return a != b;
  }
  if constexpr (kCompare == Comparison::kEqu) return !(a < b || a > b);
  if constexpr (kCompare == Comparison::kNeu) return !(a == b);
  if constexpr (kCompare == Comparison::kLtu) return !(a >= b);
  if constexpr (kCompare == Comparison::kLeu) return !(a > b);
  if constexpr (kCompare == Comparison::kGtu) return !(a <= b);
  if constexpr (kCompare == Comparison::kGeu) return !(a < b);
  if constexpr (kCompare == Comparison::kNum) return a == a && b == b;
  if constexpr (kCompare == Comparison::kNan) return !(a == a && b == b);
}

template <Comparison kCompare, class T, bool kFlush>
FLAGSTONE_INLINE LaneMask CompareLanes(const Context& c, const Inst& inst) {
  const Lane<T>* a = Source<Lane<T>>(c, inst.source[0]);
  const Lane<T>* b = Source<Lane<T>>(c, inst.source[1]);
  return MaskOf([=](uint32_t i) {
    return Holds<kCompare>(FlushIf<kFlush>(FromLane<T>(a[i])), FlushIf<kFlush>(FromLane<T>(b[i])));
  });
}

FLAGSTONE_INLINE LaneMask Combine(const Context& c, const Inst& inst, LaneMask result) {
  switch (inst.modifiers.boolean_op) {
    case BooleanOp::kAnd:
      return result & PredicateSource(c, inst, 2);
    case BooleanOp::kOr:
      return result | PredicateSource(c, inst, 2);
    case BooleanOp::kXor:
      return result ^ PredicateSource(c, inst, 2);
    case BooleanOp::kNone:
      break;
  }
  return result;
}

// "%p|%q": q takes the complement of the comparison, combined in the same way.
template <Comparison kCompare, class T, bool kFlush>
void SetPredicate(Context& c, const Inst& inst, LaneMask mask) {
  const LaneMask result = CompareLanes<kCompare, T, kFlush>(c, inst);
  const LaneMask first = Combine(c, inst, result);
  const LaneMask second = inst.destination2 == kNoSlot ? 0 : Combine(c, inst, ~result);
  if (inst.destination != kNoSlot) WritePredicate(c, inst.destination, mask, first);
  if (inst.destination2 != kNoSlot) WritePredicate(c, inst.destination2, mask, second);
}

// set: all ones or zero; 1.0f or 0.0f for a float result (source[3] holds the value for true). The
// comparison runs first as a setp on a predicate that the kernel cannot name.
void Set(Context& c, const Inst& inst, LaneMask mask) {
  inst.inner(c, inst, mask);
  const LaneMask result = *reinterpret_cast<const LaneMask*>(c.registers + inst.destination);
  const uint32_t* one = Source<uint32_t>(c, inst.source[3]);
  ForLanes(Destination<uint32_t>(c, inst.elements[0]), mask, [=](uint32_t i) {
    const uint32_t value = one[i];
    return (result & (1U << i)) != 0 ? value : 0U;
  });
}

template <class T>
Handler PickInteger(const ptx::Instruction& instruction) {
  switch (instruction.modifiers.comparison) {
    case Comparison::kEq:
      return SetPredicate<Comparison::kEq, T, false>;
    case Comparison::kNe:
      return SetPredicate<Comparison::kNe, T, false>;
    case Comparison::kLt:
    case Comparison::kLo:
      return SetPredicate<Comparison::kLt, T, false>;
    case Comparison::kLe:
    case Comparison::kLs:
      return SetPredicate<Comparison::kLe, T, false>;
    case Comparison::kGt:
    case Comparison::kHi:
      return SetPredicate<Comparison::kGt, T, false>;
    case Comparison::kGe:
    case Comparison::kHs:
      return SetPredicate<Comparison::kGe, T, false>;
    default:
      return nullptr;
  }
}

template <class T, bool kFlush>
Handler PickFloat(const ptx::Instruction& instruction) {
  switch (instruction.modifiers.comparison) {
    case Comparison::kEq:
      return SetPredicate<Comparison::kEq, T, kFlush>;
    case Comparison::kNe:
      return SetPredicate<Comparison::kNe, T, kFlush>;
    case Comparison::kLt:
      return SetPredicate<Comparison::kLt, T, kFlush>;
    case Comparison::kLe:
      return SetPredicate<Comparison::kLe, T, kFlush>;
    case Comparison::kGt:
      return SetPredicate<Comparison::kGt, T, kFlush>;
    case Comparison::kGe:
      return SetPredicate<Comparison::kGe, T, kFlush>;
    case Comparison::kEqu:
      return SetPredicate<Comparison::kEqu, T, kFlush>;
    case Comparison::kNeu:
      return SetPredicate<Comparison::kNeu, T, kFlush>;
    case Comparison::kLtu:
      return SetPredicate<Comparison::kLtu, T, kFlush>;
    case Comparison::kLeu:
      return SetPredicate<Comparison::kLeu, T, kFlush>;
    case Comparison::kGtu:
      return SetPredicate<Comparison::kGtu, T, kFlush>;
    case Comparison::kGeu:
      return SetPredicate<Comparison::kGeu, T, kFlush>;
    case Comparison::kNum:
      return SetPredicate<Comparison::kNum, T, kFlush>;
    case Comparison::kNan:
      return SetPredicate<Comparison::kNan, T, kFlush>;
    default:
      return nullptr;
  }
}

// lo, ls, hi and hs compare as unsigned whatever the type says.
ptx::Type ComparedType(ptx::Type type, Comparison comparison) {
  const bool as_unsigned = comparison >= Comparison::kLo && comparison <= Comparison::kHs;
  switch (type) {
    case ptx::Type::kB16:
      return ptx::Type::kU16;
    case ptx::Type::kB32:
      return ptx::Type::kU32;
    case ptx::Type::kB64:
      return ptx::Type::kU64;
    case ptx::Type::kS16:
      return as_unsigned ? ptx::Type::kU16 : type;
    case ptx::Type::kS32:
      return as_unsigned ? ptx::Type::kU32 : type;
    case ptx::Type::kS64:
      return as_unsigned ? ptx::Type::kU64 : type;
    default:
      return type;
  }
}

}  // namespace

Handler SelectCompare(const ptx::Instruction& instruction) {
  const bool is_set = instruction.opcode == Opcode::kSet;
  if (!is_set && instruction.opcode != Opcode::kSetp) return nullptr;
  const ptx::Type type = ComparedType(is_set ? instruction.source_type : instruction.type,
                                      instruction.modifiers.comparison);
  const bool flush = instruction.modifiers.flush_to_zero;
  if (type == ptx::Type::kF64) return PickFloat<double, false>(instruction);
  if (type == ptx::Type::kF32) {
    return flush ? PickFloat<float, true>(instruction) : PickFloat<float, false>(instruction);
  }
  return ForInteger(type, [&]<class T>() -> Handler { return PickInteger<T>(instruction); });
}

Handler SelectSet() { return Set; }

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
