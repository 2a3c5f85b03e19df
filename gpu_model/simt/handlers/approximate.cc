// The approximate functions: ex2, lg2, sin, cos, tanh, rcp, rsqrt, sqrt, div with .approx or .full
// (PTX ISA 9.7.3). Computed in double precision with our own polynomials, well inside the ISA's
// error bounds and the same on every host.
#include "gpu_model/simt/handlers/approximate.h"

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {
namespace {

using ptx::Opcode;

// Adding it rounds a double of magnitude below 2^51 to an integer, held in the low bits of the sum.
constexpr double kRounder = 0x1.8p52;

FLAGSTONE_INLINE uint64_t Bits(double value) { return __builtin_bit_cast(uint64_t, value); }
FLAGSTONE_INLINE double FromBits(uint64_t bits) { return __builtin_bit_cast(double, bits); }

// 2^x = 2^n * e^(r ln 2), n the nearest integer; the series' remainder is below 2^-32.
FLAGSTONE_INLINE double TwoTo(double x) {
  double bounded = x < 200.0 ? x : 200.0;
  bounded = bounded > -200.0 ? bounded : -200.0;
  const double shifted = bounded + kRounder;
  const double t = (bounded - (shifted - kRounder)) * 0x1.62e42fefa39efp-1;
  double p = 1.0 / 40320;
  p = p * t + 1.0 / 5040;
  p = p * t + 1.0 / 720;
  p = p * t + 1.0 / 120;
  p = p * t + 1.0 / 24;
  p = p * t + 1.0 / 6;
  p = p * t + 0.5;
  p = p * t + 1.0;
  p = p * t + 1.0;
  return p * FromBits((Bits(shifted) + 1023) << 52);
}

struct Ex2Op {
  FLAGSTONE_INLINE static float Of(float x) {
    return x != x ? x : static_cast<float>(TwoTo(static_cast<double>(x)));
  }
};

// tanh x = 1 - 2 / (e^2x + 1); near zero the first terms of the series, as the difference would
// cancel.
struct TanhOp {
  FLAGSTONE_INLINE static float Of(float x) {
    const double wide = x;
    const double far = 1.0 - 2.0 / (TwoTo(wide * 0x1.71547652b82fep+1) + 1.0);
    const double near = wide * (1.0 - wide * wide * (1.0 / 3));
    return x != x ? x : static_cast<float>(__builtin_fabs(wide) < 0x1p-8 ? near : far);
  }
};

// log2 x = n + 2 atanh(s) / ln 2 with s = (m - 1) / (m + 1) and m in [sqrt(1/2), sqrt(2)).
struct Lg2Op {
  FLAGSTONE_INLINE static float Of(float x) {
    constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcdU;
    const uint64_t bits = Bits(static_cast<double>(x));
    // Exponent so that the mantissa lies around 1.
    const uint64_t shifted = bits - kRootHalf + (uint64_t{1023} << 52);
    const uint64_t exponent = (shifted >> 52) & 0x7ff;
    const double n = FromBits(Bits(kRounder) + exponent) - kRounder - 1023.0;
    const double m = FromBits(bits - ((exponent - 1023) << 52));
    const double s = (m - 1.0) / (m + 1.0);
    const double z = s * s;
    double p = 1.0 / 15;
    p = p * z + 1.0 / 13;
    p = p * z + 1.0 / 11;
    p = p * z + 1.0 / 9;
    p = p * z + 1.0 / 7;
    p = p * z + 1.0 / 5;
    p = p * z + 1.0 / 3;
    p = p * z + 1.0;
    float result = static_cast<float>(n + s * p * 0x1.71547652b82fep+1);
    result = x == __builtin_inff() ? x : result;
    result = x == 0.0F ? -__builtin_inff() : result;
    return x >= 0.0F ? result : __builtin_nanf("");
  }
};

// Sine of x plus `quadrant` right angles. Reduced by a two-part pi/2; beyond 2^19, where the ISA
// gives no bound, by the exact remainder of the double nearest 2 pi.
FLAGSTONE_INLINE float SineOf(double x, uint64_t quadrant) {
  const double shifted = x * 0x1.45f306dc9c883p-1 + kRounder;
  const double n = shifted - kRounder;
  const double r = (x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a626331p-34;
  const double z = r * r;
  double sine = -1.0 / 39916800;
  sine = sine * z + 1.0 / 362880;
  sine = sine * z - 1.0 / 5040;
  sine = sine * z + 1.0 / 120;
  sine = sine * z - 1.0 / 6;
  sine = (sine * z + 1.0) * r;  // keeps the sign of a zero
  double cosine = 1.0 / 479001600;
  cosine = cosine * z - 1.0 / 3628800;
  cosine = cosine * z + 1.0 / 40320;
  cosine = cosine * z - 1.0 / 720;
  cosine = cosine * z + 1.0 / 24;
  cosine = cosine * z - 0.5;
  cosine = cosine * z + 1.0;
  const uint64_t q = Bits(shifted) + quadrant;
  const double magnitude = (q & 1) != 0 ? cosine : sine;
  return static_cast<float>((q & 2) != 0 ? -magnitude : magnitude);
}

template <bool kFlush, uint64_t kQuadrant>
void Sine(Context& c, const Inst& inst, LaneMask mask) {
  const uint32_t* a = Source<uint32_t>(c, inst.source[0]);
  alignas(64) double x[kWarpSize];
  LaneMask large = 0;
  for (uint32_t i = 0; i < kWarpSize; ++i) {
    x[i] = static_cast<double>(FlushIf<kFlush>(FromLane<float>(a[i])));
    large |= __builtin_fabs(x[i]) < 0x1p19 ? 0U : 1U << i;
  }
  for (; large != 0; large &= large - 1) {
    const int i = __builtin_ctz(large);
    const double magnitude = __builtin_fabs(x[i]);
    // Infinities and NaNs have no sine: the NaN passes through the polynomial.
    x[i] = magnitude < __builtin_inf() ? __builtin_remainder(x[i], 0x1.921fb54442d18p+2)
                                       : CanonicalNan<double>();
  }
  ForLanes(Destination<uint32_t>(c, inst.destination), mask, [&](uint32_t i) {
    return ToLane<uint32_t>(Finish<kFlush, false>(SineOf(x[i], kQuadrant)));
  });
}

struct RcpApprox {
  FLAGSTONE_INLINE static float Of(float a) { return 1.0F / a; }
};
struct SqrtApprox {
  FLAGSTONE_INLINE static float Of(float a) { return __builtin_sqrtf(a); }
};
struct RsqrtOp {
  FLAGSTONE_INLINE static float Of(float a) {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  }
};
struct DivFullOp {
  FLAGSTONE_INLINE static float Of(float a, float b) { return a / b; }
};
// A divisor above 2^126 gives zero (NaN for an infinite dividend), as the ISA says.
struct DivApproxOp {
  FLAGSTONE_INLINE static float Of(float a, float b) {
    const float divisor =
        __builtin_fabsf(b) > 0x1p126F ? __builtin_copysignf(__builtin_inff(), b) : b;
    return b != b ? b : a / divisor;
  }
};

template <class Op, bool kFlush>
struct Approximated {
  template <class T, class... More>
  FLAGSTONE_INLINE static T Apply(T a, More... more) {
    return Finish<kFlush, false>(Op::Of(FlushIf<kFlush>(a), FlushIf<kFlush>(more)...));
  }
};

// Of .ftz.f64 the ISA keeps the upper 32 bits of source and result only.
FLAGSTONE_INLINE double UpperHalf(double value, uint64_t rounding) {
  const uint64_t bits = Bits(value);
  if ((bits >> 52 & 0x7ff) == 0) return FromBits(bits & (uint64_t{1} << 63));
  if ((bits >> 52 & 0x7ff) == 0x7ff) return value;
  return FromBits((bits + rounding) & ~uint64_t{0xffffffff});
}

struct RcpGross {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return UpperHalf(Finish<false, false>(1.0 / UpperHalf(a, 0)), 0x80000000U);
  }
};
struct RsqrtGross {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return UpperHalf(Finish<false, false>(1.0 / __builtin_sqrt(UpperHalf(a, 0))), 0x80000000U);
  }
};
struct RsqrtF64 {
  template <class T>
  FLAGSTONE_INLINE static T Apply(T a) {
    return Finish<false, false>(1.0 / __builtin_sqrt(a));
  }
};

template <class Op>
Handler One(bool flush) {
  return flush ? &Unary<Approximated<Op, true>, float> : &Unary<Approximated<Op, false>, float>;
}
template <class Op>
Handler Two(bool flush) {
  return flush ? &Binary<Approximated<Op, true>, float> : &Binary<Approximated<Op, false>, float>;
}

}  // namespace

float Exp2(float x) { return Ex2Op::Of(x); }
float Tanh(float x) { return TanhOp::Of(x); }

Handler SelectApproximate(const ptx::Instruction& instruction) {
  const ptx::Modifiers& m = instruction.modifiers;
  const bool flush = m.flush_to_zero;
  if (instruction.type == ptx::Type::kF64) {
    if (!m.approximate) return nullptr;
    if (instruction.opcode == Opcode::kRcp) return Unary<RcpGross, double>;
    if (instruction.opcode != Opcode::kRsqrt) return nullptr;
    return flush ? &Unary<RsqrtGross, double> : &Unary<RsqrtF64, double>;
  }
  if (instruction.type != ptx::Type::kF32 || !(m.approximate || m.full)) return nullptr;
  switch (instruction.opcode) {
    case Opcode::kEx2:
      return One<Ex2Op>(flush);
    case Opcode::kLg2:
      return One<Lg2Op>(flush);
    case Opcode::kTanh:
      return One<TanhOp>(flush);
    case Opcode::kSin:
      return flush ? &Sine<true, 0> : &Sine<false, 0>;
    case Opcode::kCos:
      return flush ? &Sine<true, 1> : &Sine<false, 1>;
    case Opcode::kRcp:
      return One<RcpApprox>(flush);
    case Opcode::kSqrt:
      return One<SqrtApprox>(flush);
    case Opcode::kRsqrt:
      return One<RsqrtOp>(flush);
    case Opcode::kDiv:
      return m.full ? Two<DivFullOp>(flush) : Two<DivApproxOp>(flush);
    default:
      return nullptr;
  }
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
