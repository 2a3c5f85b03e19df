// cvt between all integer and float types, except directed roundings to a float (PTX ISA 9.7.9).
//
// Frequent conversions have a loop of their own; the others go through one general function per
// lane, which keeps a conversion for each of 600 combinations out of the build.
#include <type_traits>

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/general_conversion.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Rounding;
using ptx::Type;

template <class D, class S, class F>
FLAGSTONE_INLINE void Each(Context& c, const Inst& inst, LaneMask mask, F convert) {
  const Lane<S>* a = Source<Lane<S>>(c, inst.source[0]);
  ForLanes(Destination<Lane<D>>(c, inst.destination), mask,
           [=](uint32_t i) { return ToLane<Lane<D>>(convert(FromLane<S>(a[i]))); });
}

// Between integers only the narrower type counts: its bits are kept, and its sign extends them.
template <class Narrow, class DLane, class SLane>
void Extend(Context& c, const Inst& inst, LaneMask mask) {
  const SLane* a = Source<SLane>(c, inst.source[0]);
  ForLanes(Destination<DLane>(c, inst.destination), mask,
           [=](uint32_t i) { return ToLane<DLane>(FromLane<Narrow>(a[i])); });
}

template <class D, class S>
void IntegerToFloat(Context& c, const Inst& inst, LaneMask mask) {
  Each<D, S>(c, inst, mask, [](S value) { return static_cast<D>(value); });
}

template <class D, class S>
void FloatToFloat(Context& c, const Inst& inst, LaneMask mask) {
  Each<D, S>(c, inst, mask, [](S value) { return Finish<false, false>(static_cast<D>(value)); });
}

// f32 to s32 or u32, all roundings without .ftz; NaN gives 0.
template <class D, Rounding kRounding>
void FloatToInteger(Context& c, const Inst& inst, LaneMask mask) {
  constexpr double kLow = std::is_signed_v<D> ? -0x1p31 : 0.0;
  constexpr double kHigh = std::is_signed_v<D> ? 0x1p31 - 1 : 0x1p32 - 1;
  Each<D, float>(c, inst, mask, [](float value) {
    double clamped = RoundToIntegral<kRounding>(static_cast<double>(value));
    clamped = clamped > kLow ? clamped : kLow;
    clamped = clamped < kHigh ? clamped : kHigh;
    const D result = static_cast<D>(static_cast<int64_t>(clamped));
    return value == value ? result : D{0};
  });
}

template <class D>
Handler PickFloatToInteger(Rounding rounding) {
  switch (rounding) {
    case Rounding::kRni:
      return FloatToInteger<D, Rounding::kRni>;
    case Rounding::kRzi:
      return FloatToInteger<D, Rounding::kRzi>;
    case Rounding::kRmi:
      return FloatToInteger<D, Rounding::kRmi>;
    case Rounding::kRpi:
      return FloatToInteger<D, Rounding::kRpi>;
    default:
      return nullptr;
  }
}

template <class Narrow>
Handler PickExtend(Shape shape) {
  if (shape.wide_destination) {
    return shape.wide_source ? &Extend<Narrow, uint64_t, uint64_t>
                             : &Extend<Narrow, uint64_t, uint32_t>;
  }
  return shape.wide_source ? &Extend<Narrow, uint32_t, uint64_t>
                           : &Extend<Narrow, uint32_t, uint32_t>;
}

Handler PickIntegers(Type to, Type from, Shape shape) {
  const int to_bytes = ptx::SizeInBytes(to);
  const int from_bytes = ptx::SizeInBytes(from);
  // A signed source extended to an unsigned type in a register that is wider still.
  const int register_bytes = shape.wide_destination ? 8 : 4;
  if (from_bytes < to_bytes && to_bytes < register_bytes &&
      ptx::IsSigned(to) != ptx::IsSigned(from)) {
    return nullptr;
  }
  const Type narrow = from_bytes < to_bytes ? from : to;
  switch (narrow) {
    case Type::kU8:
      return PickExtend<uint8_t>(shape);
    case Type::kS8:
      return PickExtend<int8_t>(shape);
    case Type::kU16:
      return PickExtend<uint16_t>(shape);
    case Type::kS16:
      return PickExtend<int16_t>(shape);
    case Type::kU32:
      return PickExtend<uint32_t>(shape);
    case Type::kS32:
      return PickExtend<int32_t>(shape);
    default:
      return Extend<uint64_t, uint64_t, uint64_t>;
  }
}

template <class D>
Handler PickIntegerToFloat(Type from) {
  switch (from) {
    case Type::kU8:
      return IntegerToFloat<D, uint8_t>;
    case Type::kS8:
      return IntegerToFloat<D, int8_t>;
    case Type::kU16:
      return IntegerToFloat<D, uint16_t>;
    case Type::kS16:
      return IntegerToFloat<D, int16_t>;
    case Type::kU32:
      return IntegerToFloat<D, uint32_t>;
    case Type::kS32:
      return IntegerToFloat<D, int32_t>;
    case Type::kU64:
      return IntegerToFloat<D, uint64_t>;
    default:
      return IntegerToFloat<D, int64_t>;
  }
}

// Null where the general way is needed.
Handler PickFast(const ptx::Instruction& instruction, Shape shape) {
  const Type to = instruction.type;
  const Type from = instruction.source_type;
  const ptx::Modifiers& m = instruction.modifiers;
  if (m.saturate || m.flush_to_zero) return nullptr;
  if (!ptx::IsFloat(to) && !ptx::IsFloat(from)) return PickIntegers(to, from, shape);
  // The loops below read and write lanes of the types' own widths.
  if (shape.wide_destination != (ptx::SizeInBytes(to) == 8)) return nullptr;
  if (shape.wide_source != (ptx::SizeInBytes(from) == 8)) return nullptr;
  if (!ptx::IsFloat(from)) {
    return to == Type::kF32 ? PickIntegerToFloat<float>(from) : PickIntegerToFloat<double>(from);
  }
  if (from == Type::kF32 && to == Type::kS32) return PickFloatToInteger<int32_t>(m.rounding);
  if (from == Type::kF32 && to == Type::kU32) return PickFloatToInteger<uint32_t>(m.rounding);
  if (from == Type::kF32 && to == Type::kF64) return FloatToFloat<double, float>;
  if (from == Type::kF64 && to == Type::kF32) return FloatToFloat<float, double>;
  return nullptr;
}

bool Supported(Type type) {
  switch (type) {
    case Type::kU8:
    case Type::kU16:
    case Type::kU32:
    case Type::kU64:
    case Type::kS8:
    case Type::kS16:
    case Type::kS32:
    case Type::kS64:
    case Type::kF32:
    case Type::kF64:
      return true;
    default:
      return false;
  }
}

}  // namespace

Handler SelectConvert(const ptx::Instruction& instruction, Shape shape) {
  if (instruction.opcode != ptx::Opcode::kCvt) return nullptr;
  if (!Supported(instruction.type) || !Supported(instruction.source_type)) return nullptr;
  const Rounding rounding = instruction.modifiers.rounding;
  const bool directed =
      rounding == Rounding::kRz || rounding == Rounding::kRm || rounding == Rounding::kRp;
  if (directed) return nullptr;
  const Handler fast = PickFast(instruction, shape);
  return fast != nullptr ? fast : GeneralConversion(shape);
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
