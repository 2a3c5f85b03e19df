// f32 and f64 arithmetic rounded to nearest even: add, sub, mul, fma, mad, div, rcp, sqrt, min,
// max, abs, neg (PTX ISA 9.7.3). Never contracted: only fma fuses.
#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Opcode;

FLAGSTONE_INLINE float Fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
FLAGSTONE_INLINE double Fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
FLAGSTONE_INLINE float Root(float a) { return __builtin_sqrtf(a); }
FLAGSTONE_INLINE double Root(double a) { return __builtin_sqrt(a); }

struct AddOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b) {
    return a + b;
  }
};
struct SubOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b) {
    return a - b;
  }
};
struct MulOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b) {
    return a * b;
  }
};
struct DivOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b) {
    return a / b;
  }
};
struct MinOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b) {
    return MinMax<false>(a, b);
  }
};
struct MaxOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b) {
    return MinMax<true>(a, b);
  }
};
struct RcpOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a) {
    return T{1} / a;
  }
};
struct SqrtOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a) {
    return Root(a);
  }
};
struct FmaOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a, T b, T c) {
    return Fma(a, b, c);
  }
};
struct AbsOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a) {
    using U = Lane<T>;
    const U magnitude = static_cast<U>(~U{0} >> 1);
    return __builtin_bit_cast(T, static_cast<U>(__builtin_bit_cast(U, a) & magnitude));
  }
};
struct NegOp {
  template <class T>
  FLAGSTONE_INLINE static T Of(T a) {
    return -a;
  }
};

// Sources flushed, operation, result flushed, saturated, canonical.
template <class Op, bool kFlush, bool kSaturate>
struct Finished {
  template <class T, class... More>
  FLAGSTONE_INLINE static T Apply(T a, More... more) {
    return Finish<kFlush, kSaturate>(Op::Of(FlushIf<kFlush>(a), FlushIf<kFlush>(more)...));
  }
};
// abs and neg touch the sign alone: a NaN keeps its bits.
template <class Op, bool kFlush>
struct SignOnly {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return Op::Of(FlushIf<kFlush>(a));
  }
};

template <class Op, class T, bool kFlush, bool kSaturate, int kSources>
Handler Make() {
  using F = Finished<Op, kFlush, kSaturate>;
  if constexpr (kSources == 1) return Unary<F, T>;
  if constexpr (kSources == 2) return Binary<F, T>;
  if constexpr (kSources == 3) return Ternary<F, T>;
}

template <class Op, int kSources>
Handler Any(const ptx::Instruction& instruction) {
  const bool sat = instruction.modifiers.saturate;
  const bool ftz = instruction.modifiers.flush_to_zero;
  if (instruction.type == ptx::Type::kF64) {
    return sat ? Make<Op, double, false, true, kSources>()
               : Make<Op, double, false, false, kSources>();
  }
  if (instruction.type != ptx::Type::kF32) return nullptr;
  if (ftz) {
    return sat ? Make<Op, float, true, true, kSources>() : Make<Op, float, true, false, kSources>();
  }
  return sat ? Make<Op, float, false, true, kSources>() : Make<Op, float, false, false, kSources>();
}

template <class Op>
Handler Sign(const ptx::Instruction& instruction) {
  if (instruction.type == ptx::Type::kF64) return Unary<SignOnly<Op, false>, double>;
  if (instruction.type != ptx::Type::kF32) return nullptr;
  return instruction.modifiers.flush_to_zero ? &Unary<SignOnly<Op, true>, float>
                                             : &Unary<SignOnly<Op, false>, float>;
}

}  // namespace

Handler SelectFloating(const ptx::Instruction& instruction) {
  const ptx::Rounding rounding = instruction.modifiers.rounding;
  if (rounding != ptx::Rounding::kNone && rounding != ptx::Rounding::kRn) return nullptr;
  if (instruction.modifiers.approximate || instruction.modifiers.full) return nullptr;
  switch (instruction.opcode) {
    case Opcode::kAdd:
      return Any<AddOp, 2>(instruction);
    case Opcode::kSub:
      return Any<SubOp, 2>(instruction);
    case Opcode::kMul:
      return Any<MulOp, 2>(instruction);
    case Opcode::kFma:
    case Opcode::kMad:
      return Any<FmaOp, 3>(instruction);
    case Opcode::kDiv:
      return Any<DivOp, 2>(instruction);
    case Opcode::kRcp:
      return Any<RcpOp, 1>(instruction);
    case Opcode::kSqrt:
      return Any<SqrtOp, 1>(instruction);
    case Opcode::kMin:
      return Any<MinOp, 2>(instruction);
    case Opcode::kMax:
      return Any<MaxOp, 2>(instruction);
    case Opcode::kAbs:
      return Sign<AbsOp>(instruction);
    case Opcode::kNeg:
      return Sign<NegOp>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
