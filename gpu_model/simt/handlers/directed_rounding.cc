// Arithmetic and conversions with .rz, .rm and .rp. The host's rounding mode is changed around 32
// lanes; this file is compiled so that the compiler reckons with it (-frounding-math).
#include <cfenv>

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/handlers.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt {
namespace {

using namespace baseline;  // NOLINT: this file belongs to the baseline set
using ptx::Opcode;
using ptx::Rounding;

class ScopedRounding {
 public:
  explicit ScopedRounding(Rounding rounding) : saved_(std::fegetround()) {
    std::fesetround(rounding == Rounding::kRz   ? FE_TOWARDZERO
                    : rounding == Rounding::kRm ? FE_DOWNWARD
                    : rounding == Rounding::kRp ? FE_UPWARD
                                                : FE_TONEAREST);
  }
  ~ScopedRounding() { std::fesetround(saved_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  int saved_;
};

template <class T>
T Flushed(const Inst& inst, T value) {
  return inst.modifiers.flush_to_zero ? FlushIf<true>(value) : value;
}

template <class T>
T Finished(const Inst& inst, T value) {
  const T flushed = Flushed(inst, value);
  return inst.modifiers.saturate ? Finish<false, true>(flushed) : Finish<false, false>(flushed);
}

template <class T>
T Compute(Opcode opcode, T a, T b, T c) {
  switch (opcode) {
    case Opcode::kAdd:
      return a + b;
    case Opcode::kSub:
      return a - b;
    case Opcode::kMul:
      return a * b;
    case Opcode::kDiv:
      return a / b;
    case Opcode::kRcp:
      return T{1} / a;
    case Opcode::kSqrt:
      if constexpr (sizeof(T) == 4) return __builtin_sqrtf(a);
      return static_cast<T>(__builtin_sqrt(static_cast<double>(a)));
    default:
      if constexpr (sizeof(T) == 4) return __builtin_fmaf(a, b, c);
      return static_cast<T>(
          __builtin_fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
  }
}

template <Opcode kOpcode, int kSources, class T>
void Arithmetic(Context& context, const Inst& inst, LaneMask mask) {
  using S = Lane<T>;
  const S* a = Source<S>(context, inst.source[0]);
  const S* b = kSources > 1 ? Source<S>(context, inst.source[1]) : a;
  const S* c = kSources > 2 ? Source<S>(context, inst.source[2]) : a;
  S* destination = Destination<S>(context, inst.destination);
  const ScopedRounding rounding(inst.modifiers.rounding);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    const T result = Compute(kOpcode, Flushed(inst, FromLane<T>(a[i])),
                             Flushed(inst, FromLane<T>(b[i])), Flushed(inst, FromLane<T>(c[i])));
    destination[i] = ToLane<S>(Finished(inst, result));
  }
}

// Two floats in 64 bits, with any rounding.
template <Opcode kOpcode, int kSources>
void Pairs(Context& context, const Inst& inst, LaneMask mask) {
  const uint64_t* a = Source<uint64_t>(context, inst.source[0]);
  const uint64_t* b = kSources > 1 ? Source<uint64_t>(context, inst.source[1]) : a;
  const uint64_t* c = kSources > 2 ? Source<uint64_t>(context, inst.source[2]) : a;
  auto* destination = Destination<uint64_t>(context, inst.destination);
  const ScopedRounding rounding(inst.modifiers.rounding);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    uint64_t result = 0;
    for (int shift = 0; shift < 64; shift += 32) {
      const auto half = [&](uint64_t pair) {
        return Flushed(inst, FromLane<float>(static_cast<uint32_t>(pair >> shift)));
      };
      const float value = Compute(kOpcode, half(a[i]), half(b[i]), half(c[i]));
      result |= uint64_t{ToLane<uint32_t>(Finished(inst, value))} << shift;
    }
    destination[i] = result;
  }
}

template <class D, class S, class SLane>
void ConvertDirected(Context& context, const Inst& inst, LaneMask mask) {
  const SLane* a = Source<SLane>(context, inst.source[0]);
  auto* destination = Destination<Lane<D>>(context, inst.destination);
  const ScopedRounding rounding(inst.modifiers.rounding);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    const D result = static_cast<D>(Flushed(inst, FromLane<S>(a[i])));
    destination[i] = ToLane<Lane<D>>(Finished(inst, result));
  }
}

template <Opcode kOpcode, int kSources>
Handler OfType(ptx::Type type) {
  if (type == ptx::Type::kF32) return Arithmetic<kOpcode, kSources, float>;
  if (type == ptx::Type::kF64) return Arithmetic<kOpcode, kSources, double>;
  return nullptr;
}

template <class D, class S>
Handler PickSource(Shape shape) {
  if (shape.wide_source || sizeof(S) == 8) return ConvertDirected<D, S, uint64_t>;
  return ConvertDirected<D, S, uint32_t>;
}

template <class D>
Handler PickConversion(ptx::Type source, Shape shape) {
  switch (source) {
    case ptx::Type::kU8:
      return PickSource<D, uint8_t>(shape);
    case ptx::Type::kU16:
      return PickSource<D, uint16_t>(shape);
    case ptx::Type::kU32:
      return PickSource<D, uint32_t>(shape);
    case ptx::Type::kU64:
      return PickSource<D, uint64_t>(shape);
    case ptx::Type::kS8:
      return PickSource<D, int8_t>(shape);
    case ptx::Type::kS16:
      return PickSource<D, int16_t>(shape);
    case ptx::Type::kS32:
      return PickSource<D, int32_t>(shape);
    case ptx::Type::kS64:
      return PickSource<D, int64_t>(shape);
    case ptx::Type::kF64:
      return PickSource<D, double>(shape);
    default:
      return nullptr;
  }
}

}  // namespace

Handler SelectPairs(const ptx::Instruction& instruction) {
  if (instruction.type != ptx::Type::kF32x2) return nullptr;
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return Pairs<Opcode::kAdd, 2>;
    case Opcode::kSub:
      return Pairs<Opcode::kSub, 2>;
    case Opcode::kMul:
      return Pairs<Opcode::kMul, 2>;
    case Opcode::kFma:
      return Pairs<Opcode::kFma, 3>;
    default:
      return nullptr;
  }
}

Handler DirectedRounding(const ptx::Instruction& instruction, Shape shape) {
  const Rounding rounding = instruction.modifiers.rounding;
  if (rounding != Rounding::kRz && rounding != Rounding::kRm && rounding != Rounding::kRp) {
    return nullptr;
  }
  const ptx::Type type = instruction.type;
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return OfType<Opcode::kAdd, 2>(type);
    case Opcode::kSub:
      return OfType<Opcode::kSub, 2>(type);
    case Opcode::kMul:
      return OfType<Opcode::kMul, 2>(type);
    case Opcode::kDiv:
      return OfType<Opcode::kDiv, 2>(type);
    case Opcode::kRcp:
      return OfType<Opcode::kRcp, 1>(type);
    case Opcode::kSqrt:
      return OfType<Opcode::kSqrt, 1>(type);
    case Opcode::kFma:
    case Opcode::kMad:
      return OfType<Opcode::kFma, 3>(type);
    case Opcode::kCvt:
      if (shape.wide_destination != (type == ptx::Type::kF64)) return nullptr;
      if (type == ptx::Type::kF32) return PickConversion<float>(instruction.source_type, shape);
      if (type == ptx::Type::kF64) return PickConversion<double>(instruction.source_type, shape);
      return nullptr;
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt
