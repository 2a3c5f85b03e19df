#include "gpu_model/simt/handlers/general_conversion.h"

#include "gpu_model/simt/handlers/float_ops.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Rounding;
using ptx::Type;

uint32_t BitsOf(Type type) { return 8U * static_cast<uint32_t>(ptx::SizeInBytes(type)); }

// Sign- or zero-extends the low bits of a lane that the type has.
uint64_t Extended(uint64_t bits, Type type) {
  const uint32_t unused = 64 - BitsOf(type);
  if (ptx::IsSigned(type)) {
    return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
  }
  return bits << unused >> unused;
}

uint64_t Lowest(Type type) { return ptx::IsSigned(type) ? ~uint64_t{0} << (BitsOf(type) - 1) : 0; }
uint64_t Highest(Type type) {
  return ~uint64_t{0} >> (64 - BitsOf(type) + (ptx::IsSigned(type) ? 1 : 0));
}

uint64_t SaturatedInteger(uint64_t value, Type from, Type to) {
  const bool negative = ptx::IsSigned(from) && static_cast<int64_t>(value) < 0;
  if (negative) {
    return static_cast<int64_t>(value) < static_cast<int64_t>(Lowest(to)) ? Lowest(to) : value;
  }
  return value > Highest(to) ? Highest(to) : value;
}

double Integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kRni:
      return RoundToIntegral<Rounding::kRni>(value);
    case Rounding::kRzi:
      return RoundToIntegral<Rounding::kRzi>(value);
    case Rounding::kRmi:
      return RoundToIntegral<Rounding::kRmi>(value);
    case Rounding::kRpi:
      return RoundToIntegral<Rounding::kRpi>(value);
    default:
      return value;
  }
}

// Clamps to the range. NaN gives 0, or the top bit alone where either type has 64 bits.
uint64_t FloatToInteger(double value, Type from, Type to) {
  const uint32_t bits = BitsOf(to);
  if (value != value) {
    return from == Type::kF64 || bits == 64 ? Extended(uint64_t{1} << (bits - 1), to) : 0;
  }
  const double bound = __builtin_ldexp(1.0, static_cast<int>(bits) - (ptx::IsSigned(to) ? 1 : 0));
  if (value >= bound) return Highest(to);
  if (ptx::IsSigned(to)) {
    return value < -bound ? Lowest(to) : static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

template <class D>
D FinishFloat(const ptx::Modifiers& m, D value) {
  const D flushed = m.flush_to_zero ? FlushIf<true>(value) : value;
  return m.saturate ? Finish<false, true>(flushed) : Finish<false, false>(flushed);
}

uint64_t ToFloatBits(double value, Type to, const ptx::Modifiers& m) {
  if (to == Type::kF64) return ToLane<uint64_t>(FinishFloat(m, value));
  return ToLane<uint64_t>(FinishFloat(m, static_cast<float>(value)));
}

template <class D>
D IntegerToFloat(uint64_t value, Type from) {
  return ptx::IsSigned(from) ? static_cast<D>(static_cast<int64_t>(value)) : static_cast<D>(value);
}

uint64_t ConvertLane(uint64_t lane, const Inst& inst) {
  const Type from = inst.source_type;
  const Type to = inst.type;
  const ptx::Modifiers& m = inst.modifiers;
  if (ptx::IsFloat(from)) {
    double value = FromLane<double>(lane);
    if (from == Type::kF32) {
      const float narrow = FromLane<float>(lane);
      value = static_cast<double>(m.flush_to_zero ? FlushIf<true>(narrow) : narrow);
    }
    value = Integral(value, m.rounding);
    return ptx::IsFloat(to) ? ToFloatBits(value, to, m) : FloatToInteger(value, from, to);
  }
  const uint64_t value = Extended(lane, from);
  if (to == Type::kF32) return ToLane<uint64_t>(FinishFloat(m, IntegerToFloat<float>(value, from)));
  if (to == Type::kF64) {
    return ToLane<uint64_t>(FinishFloat(m, IntegerToFloat<double>(value, from)));
  }
  return Extended(m.saturate ? SaturatedInteger(value, from, to) : value, to);
}

template <class DLane, class SLane>
void ConvertLanes(Context& c, const Inst& inst, LaneMask mask) {
  const SLane* a = Source<SLane>(c, inst.source[0]);
  DLane* destination = Destination<DLane>(c, inst.destination);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    destination[i] = static_cast<DLane>(ConvertLane(a[i], inst));
  }
}

}  // namespace

Handler GeneralConversion(Shape shape) {
  if (shape.wide_destination) {
    return shape.wide_source ? &ConvertLanes<uint64_t, uint64_t>
                             : &ConvertLanes<uint64_t, uint32_t>;
  }
  return shape.wide_source ? &ConvertLanes<uint32_t, uint64_t> : &ConvertLanes<uint32_t, uint32_t>;
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
