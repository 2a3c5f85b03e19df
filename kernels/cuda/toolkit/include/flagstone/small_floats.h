// Floats of 16 bits, half and bfloat16: what cuda_fp16.h and cuda_bf16.h share. Arithmetic is that
// of floats, rounded once; a float holds more than twice the bits, so that this is exact for one
// operation, and fma goes through doubles.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOATS_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOATS_H_

#include "../cuda_runtime.h"

#define FLAGSTONE_FUNCTION __host__ __device__ inline

namespace flagstone {

FLAGSTONE_FUNCTION unsigned BitsOf(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
FLAGSTONE_FUNCTION float FloatOf(unsigned bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The upper half of a float.
struct Bf16 {
  static FLAGSTONE_FUNCTION float Widen(unsigned short bits) {
    return FloatOf(static_cast<unsigned>(bits) << 16);
  }
  static FLAGSTONE_FUNCTION unsigned short Narrow(float value) {
    const unsigned bits = BitsOf(value);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

// 1, 5 and 10 bits.
struct Fp16 {
  static FLAGSTONE_FUNCTION float Widen(unsigned short bits) {
#ifdef __CUDA_ARCH__
    float value;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#else
    const unsigned sign = (bits & 0x8000U) << 16, rest = bits & 0x7fffU;
    if (rest >= 0x7c00) return FloatOf(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    // As if the exponents began at the same place, then moved by 2^112.
    return FloatOf(sign | BitsOf(FloatOf(rest << 13) * FloatOf(239U << 23)));
#endif
  }
  static FLAGSTONE_FUNCTION unsigned short Narrow(float value) {
#ifdef __CUDA_ARCH__
    unsigned short bits;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#else
    const unsigned bits = BitsOf(value), rest = bits & 0x7fffffff;
    const unsigned sign = bits >> 16 & 0x8000;
    if (rest > 0x7f800000) return 0x7fff;
    if (rest >= 0x477ff000) return static_cast<unsigned short>(sign | 0x7c00);
    // Below 2^-14 the steps are 2^-24, those of floats from 0.5 on.
    if (rest < 0x38800000) {
      return static_cast<unsigned short>(sign | (BitsOf(FloatOf(rest) + 0.5f) - 0x3f000000));
    }
    return static_cast<unsigned short>(sign |
                                       ((rest + 0xfff + (rest >> 13 & 1) - (112U << 23)) >> 13));
#endif
  }
};

template <class Format>
struct SmallFloat {
  unsigned short bits;

  SmallFloat() = default;
  FLAGSTONE_FUNCTION SmallFloat(float value) : bits(Format::Narrow(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(double value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(int value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(unsigned value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(long long value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION operator float() const { return Format::Widen(bits); }
  static FLAGSTONE_FUNCTION SmallFloat Of(unsigned short bits) {
    SmallFloat value;
    value.bits = bits;
    return value;
  }

#define FLAGSTONE_OPERATOR(op)                                                                 \
  friend FLAGSTONE_FUNCTION SmallFloat operator op(const SmallFloat& a, const SmallFloat& b) { \
    return static_cast<float>(a) op static_cast<float>(b);                                     \
  }                                                                                            \
  FLAGSTONE_FUNCTION SmallFloat& operator op##=(const SmallFloat& b) { return *this = *this op b; }
  FLAGSTONE_OPERATOR(+)
  FLAGSTONE_OPERATOR(-)
  FLAGSTONE_OPERATOR(*)
  FLAGSTONE_OPERATOR(/)
#undef FLAGSTONE_OPERATOR
#define FLAGSTONE_OPERATOR(op)                                                           \
  friend FLAGSTONE_FUNCTION bool operator op(const SmallFloat& a, const SmallFloat& b) { \
    return static_cast<float>(a) op static_cast<float>(b);                               \
  }
  FLAGSTONE_OPERATOR(==)
  FLAGSTONE_OPERATOR(!=)
  FLAGSTONE_OPERATOR(<)
  FLAGSTONE_OPERATOR(<=)
  FLAGSTONE_OPERATOR(>)
  FLAGSTONE_OPERATOR(>=)
#undef FLAGSTONE_OPERATOR
  friend FLAGSTONE_FUNCTION SmallFloat operator-(const SmallFloat& a) {
    return Of(static_cast<unsigned short>(a.bits ^ 0x8000));
  }
};

template <class Format>
struct alignas(4) SmallFloat2 {
  using One = SmallFloat<Format>;
  One x, y;

  SmallFloat2() = default;
  FLAGSTONE_FUNCTION SmallFloat2(const One& first, const One& second) : x(first), y(second) {}

#define FLAGSTONE_OPERATOR(op)                                                                    \
  friend FLAGSTONE_FUNCTION SmallFloat2 operator op(const SmallFloat2& a, const SmallFloat2& b) { \
    return {a.x op b.x, a.y op b.y};                                                              \
  }                                                                                               \
  FLAGSTONE_FUNCTION SmallFloat2& operator op##=(const SmallFloat2& b) {                          \
    return *this = *this op b;                                                                    \
  }
  FLAGSTONE_OPERATOR(+)
  FLAGSTONE_OPERATOR(-)
  FLAGSTONE_OPERATOR(*)
  FLAGSTONE_OPERATOR(/)
#undef FLAGSTONE_OPERATOR
  friend FLAGSTONE_FUNCTION SmallFloat2 operator-(const SmallFloat2& a) { return {-a.x, -a.y}; }
};

template <class F>
FLAGSTONE_FUNCTION SmallFloat<F> Fma(SmallFloat<F> a, SmallFloat<F> b, SmallFloat<F> c) {
  const double product = static_cast<double>(static_cast<float>(a)) * static_cast<float>(b);
  return static_cast<float>(product + static_cast<float>(c));
}

}  // namespace flagstone

#define FLAGSTONE_T  \
  template <class F> \
  FLAGSTONE_FUNCTION
#define FLAGSTONE_1 flagstone::SmallFloat<F>
#define FLAGSTONE_2 flagstone::SmallFloat2<F>

#define FLAGSTONE_BINARY(name, op)                                                   \
  FLAGSTONE_T FLAGSTONE_1 name(FLAGSTONE_1 a, FLAGSTONE_1 b) { return a op b; }      \
  FLAGSTONE_T FLAGSTONE_1 name##_rn(FLAGSTONE_1 a, FLAGSTONE_1 b) { return a op b; } \
  FLAGSTONE_T FLAGSTONE_2 name##2(FLAGSTONE_2 a, FLAGSTONE_2 b) { return a op b; }   \
  FLAGSTONE_T FLAGSTONE_2 name##2_rn(FLAGSTONE_2 a, FLAGSTONE_2 b) { return a op b; }
FLAGSTONE_BINARY(__hadd, +)
FLAGSTONE_BINARY(__hsub, -)
FLAGSTONE_BINARY(__hmul, *)
#undef FLAGSTONE_BINARY
FLAGSTONE_T FLAGSTONE_1 __hdiv(FLAGSTONE_1 a, FLAGSTONE_1 b) { return a / b; }
FLAGSTONE_T FLAGSTONE_2 __h2div(FLAGSTONE_2 a, FLAGSTONE_2 b) { return a / b; }
FLAGSTONE_T FLAGSTONE_1 __hfma(FLAGSTONE_1 a, FLAGSTONE_1 b, FLAGSTONE_1 c) {
  return flagstone::Fma(a, b, c);
}
FLAGSTONE_T FLAGSTONE_2 __hfma2(FLAGSTONE_2 a, FLAGSTONE_2 b, FLAGSTONE_2 c) {
  return {flagstone::Fma(a.x, b.x, c.x), flagstone::Fma(a.y, b.y, c.y)};
}
FLAGSTONE_T FLAGSTONE_1 __hneg(FLAGSTONE_1 a) { return -a; }
FLAGSTONE_T FLAGSTONE_2 __hneg2(FLAGSTONE_2 a) { return -a; }
FLAGSTONE_T FLAGSTONE_1 __habs(FLAGSTONE_1 a) {
  return FLAGSTONE_1::Of(static_cast<unsigned short>(a.bits & 0x7fff));
}
FLAGSTONE_T FLAGSTONE_2 __habs2(FLAGSTONE_2 a) { return {__habs(a.x), __habs(a.y)}; }
FLAGSTONE_T bool __hisnan(FLAGSTONE_1 a) { return a != a; }
FLAGSTONE_T int __hisinf(FLAGSTONE_1 a) {
  const float value = a;
  return value > 3.4e38f ? 1 : value < -3.4e38f ? -1 : 0;
}
FLAGSTONE_T FLAGSTONE_1 __hmax(FLAGSTONE_1 a, FLAGSTONE_1 b) {
  return __hisnan(a) || a < b ? b : a;
}
FLAGSTONE_T FLAGSTONE_1 __hmin(FLAGSTONE_1 a, FLAGSTONE_1 b) {
  return __hisnan(a) || b < a ? b : a;
}
FLAGSTONE_T FLAGSTONE_2 __hmax2(FLAGSTONE_2 a, FLAGSTONE_2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
FLAGSTONE_T FLAGSTONE_2 __hmin2(FLAGSTONE_2 a, FLAGSTONE_2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
#define FLAGSTONE_COMPARE(name, op)                                                        \
  FLAGSTONE_T bool __h##name(FLAGSTONE_1 a, FLAGSTONE_1 b) { return a op b; }              \
  FLAGSTONE_T FLAGSTONE_2 __h##name##2(FLAGSTONE_2 a, FLAGSTONE_2 b) {                     \
    return {FLAGSTONE_1(a.x op b.x ? 1.0f : 0.0f), FLAGSTONE_1(a.y op b.y ? 1.0f : 0.0f)}; \
  }                                                                                        \
  FLAGSTONE_T bool __hb##name##2(FLAGSTONE_2 a, FLAGSTONE_2 b) { return a.x op b.x && a.y op b.y; }
FLAGSTONE_COMPARE(eq, ==)
FLAGSTONE_COMPARE(ne, !=)
FLAGSTONE_COMPARE(lt, <)
FLAGSTONE_COMPARE(le, <=)
FLAGSTONE_COMPARE(gt, >)
FLAGSTONE_COMPARE(ge, >=)
#undef FLAGSTONE_COMPARE
#define FLAGSTONE_MATH(name, function)                                                       \
  FLAGSTONE_T FLAGSTONE_1 h##name(FLAGSTONE_1 a) { return function(static_cast<float>(a)); } \
  FLAGSTONE_T FLAGSTONE_2 h2##name(FLAGSTONE_2 a) { return {h##name(a.x), h##name(a.y)}; }
FLAGSTONE_MATH(exp, expf)
FLAGSTONE_MATH(exp2, exp2f)
FLAGSTONE_MATH(log, logf)
FLAGSTONE_MATH(log2, log2f)
FLAGSTONE_MATH(sqrt, sqrtf)
FLAGSTONE_MATH(rsqrt, 1.0f / sqrtf)
FLAGSTONE_MATH(rcp, 1.0f /)
FLAGSTONE_MATH(sin, sinf)
FLAGSTONE_MATH(cos, cosf)
FLAGSTONE_MATH(tanh, tanhf)
FLAGSTONE_MATH(floor, floorf)
FLAGSTONE_MATH(ceil, ceilf)
FLAGSTONE_MATH(trunc, truncf)
FLAGSTONE_MATH(rint, rintf)
#undef FLAGSTONE_MATH
FLAGSTONE_T float __low2float(FLAGSTONE_2 a) { return a.x; }
FLAGSTONE_T float __high2float(FLAGSTONE_2 a) { return a.y; }

// Between lanes, and atomics by comparison of the word.
#define FLAGSTONE_SHUFFLE(name, type)                                                             \
  template <class F>                                                                              \
  __device__ inline FLAGSTONE_1 name(unsigned mask, FLAGSTONE_1 value, type lane,                 \
                                     int width = 32) {                                            \
    return FLAGSTONE_1::Of(                                                                       \
        static_cast<unsigned short>(name(mask, static_cast<unsigned>(value.bits), lane, width))); \
  }                                                                                               \
  template <class F>                                                                              \
  __device__ inline FLAGSTONE_2 name(unsigned mask, FLAGSTONE_2 value, type lane,                 \
                                     int width = 32) {                                            \
    unsigned word;                                                                                \
    memcpy(&word, &value, sizeof word);                                                           \
    word = name(mask, word, lane, width);                                                         \
    memcpy(&value, &word, sizeof word);                                                           \
    return value;                                                                                 \
  }
FLAGSTONE_SHUFFLE(__shfl_sync, int)
FLAGSTONE_SHUFFLE(__shfl_up_sync, unsigned)
FLAGSTONE_SHUFFLE(__shfl_down_sync, unsigned)
FLAGSTONE_SHUFFLE(__shfl_xor_sync, int)
#undef FLAGSTONE_SHUFFLE
template <class F>
__device__ inline FLAGSTONE_2 atomicAdd(FLAGSTONE_2* p, FLAGSTONE_2 value) {
  auto* const word = reinterpret_cast<unsigned*>(p);
  unsigned now = *word, old;
  FLAGSTONE_2 before;
  do {
    old = now;
    memcpy(&before, &old, sizeof old);
    const FLAGSTONE_2 sum = before + value;
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    now = atomicCAS(word, old, bits);
  } while (now != old);
  return before;
}
template <class F>
__device__ inline FLAGSTONE_1 atomicAdd(FLAGSTONE_1* p, FLAGSTONE_1 value) {
  const auto address = reinterpret_cast<unsigned long long>(p);
  auto* const word = reinterpret_cast<unsigned*>(address & ~3ULL);
  const unsigned shift = (address & 2) * 8;
  unsigned now = *word, old;
  FLAGSTONE_1 before;
  do {
    old = now;
    before = FLAGSTONE_1::Of(static_cast<unsigned short>(old >> shift));
    const unsigned sum = (before + value).bits;
    now = atomicCAS(word, old, (old & ~(0xffffU << shift)) | sum << shift);
  } while (now != old);
  return before;
}
template <class F>
__device__ inline FLAGSTONE_1 __ldg(const FLAGSTONE_1* p) {
  return FLAGSTONE_1::Of(__ldg(&p->bits));
}
template <class F>
__device__ inline FLAGSTONE_2 __ldg(const FLAGSTONE_2* p) {
  return {__ldg(&p->x), __ldg(&p->y)};
}

#undef FLAGSTONE_T
#undef FLAGSTONE_1
#undef FLAGSTONE_2

// The names that hold the type's: `one` and `two` of the format, named `word` and `pair` there.
#define FLAGSTONE_NAMES(one, two, word, pair)                                                \
  FLAGSTONE_FUNCTION one __float2##word(float a) { return a; }                               \
  FLAGSTONE_FUNCTION one __float2##word##_rn(float a) { return a; }                          \
  FLAGSTONE_FUNCTION one __double2##word(double a) { return a; }                             \
  FLAGSTONE_FUNCTION float __##word##2float(one a) { return a; }                             \
  FLAGSTONE_FUNCTION two __float2##pair##_rn(float a) { return {a, a}; }                     \
  FLAGSTONE_FUNCTION two __floats2##pair##_rn(float a, float b) { return {a, b}; }           \
  FLAGSTONE_FUNCTION two __float22##pair##_rn(float2 a) { return {a.x, a.y}; }               \
  FLAGSTONE_FUNCTION float2 __##word##22float2(two a) { return make_float2(a.x, a.y); }      \
  FLAGSTONE_FUNCTION two __##word##2##pair(one a) { return {a, a}; }                         \
  FLAGSTONE_FUNCTION two __##word##s2##pair(one a, one b) { return {a, b}; }                 \
  FLAGSTONE_FUNCTION two __halves2##pair(one a, one b) { return {a, b}; }                    \
  FLAGSTONE_FUNCTION two make_##pair(one a, one b) { return {a, b}; }                        \
  FLAGSTONE_FUNCTION one __low2##word(two a) { return a.x; }                                 \
  FLAGSTONE_FUNCTION one __high2##word(two a) { return a.y; }                                \
  FLAGSTONE_FUNCTION two __low2##pair(two a) { return {a.x, a.x}; }                          \
  FLAGSTONE_FUNCTION two __high2##pair(two a) { return {a.y, a.y}; }                         \
  FLAGSTONE_FUNCTION two __lows2##pair(two a, two b) { return {a.x, b.x}; }                  \
  FLAGSTONE_FUNCTION two __highs2##pair(two a, two b) { return {a.y, b.y}; }                 \
  FLAGSTONE_FUNCTION two __lowhigh2highlow(two a) { return {a.y, a.x}; }                     \
  FLAGSTONE_FUNCTION unsigned short __##word##_as_ushort(one a) { return a.bits; }           \
  FLAGSTONE_FUNCTION short __##word##_as_short(one a) { return static_cast<short>(a.bits); } \
  FLAGSTONE_FUNCTION one __ushort_as_##word(unsigned short a) { return one::Of(a); }         \
  FLAGSTONE_FUNCTION one __short_as_##word(short a) {                                        \
    return one::Of(static_cast<unsigned short>(a));                                          \
  }                                                                                          \
  FLAGSTONE_FUNCTION one __int2##word##_rn(int a) { return a; }                              \
  FLAGSTONE_FUNCTION one __uint2##word##_rn(unsigned a) { return a; }                        \
  FLAGSTONE_FUNCTION int __##word##2int_rn(one a) { return static_cast<int>(rintf(a)); }     \
  FLAGSTONE_FUNCTION int __##word##2int_rz(one a) {                                          \
    return static_cast<int>(static_cast<float>(a));                                          \
  }                                                                                          \
  FLAGSTONE_FUNCTION unsigned __##word##2uint_rz(one a) {                                    \
    return static_cast<unsigned>(static_cast<float>(a));                                     \
  }

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOATS_H_
