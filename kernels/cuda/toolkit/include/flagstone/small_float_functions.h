// Functions of floats of 16 bits that cuda_fp16.h and cuda_bf16.h share: arithmetic, comparisons,
// what passes between lanes, atomics, conversions.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOAT_FUNCTIONS_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOAT_FUNCTIONS_H_

#include "small_floats.h"

// Functions of one float, T, and of a pair, P.
#define FLAGSTONE_1                                 \
  template <class T, typename T::Format* = nullptr> \
  FLAGSTONE_FUNCTION
#define FLAGSTONE_2                              \
  template <class P, typename P::One* = nullptr> \
  FLAGSTONE_FUNCTION

#define FLAGSTONE_BINARY(name, op)                     \
  FLAGSTONE_1 T name(T a, T b) { return a op b; }      \
  FLAGSTONE_1 T name##_rn(T a, T b) { return a op b; } \
  FLAGSTONE_2 P name##2(P a, P b) { return a op b; }   \
  FLAGSTONE_2 P name##2_rn(P a, P b) { return a op b; }
FLAGSTONE_BINARY(__hadd, +)
FLAGSTONE_BINARY(__hsub, -)
FLAGSTONE_BINARY(__hmul, *)
#undef FLAGSTONE_BINARY
FLAGSTONE_1 T __hdiv(T a, T b) { return a / b; }
FLAGSTONE_2 P __h2div(P a, P b) { return a / b; }
FLAGSTONE_1 T __hfma(T a, T b, T c) { return flagstone::Fma(a, b, c); }
FLAGSTONE_2 P __hfma2(P a, P b, P c) {
  return {flagstone::Fma(a.x, b.x, c.x), flagstone::Fma(a.y, b.y, c.y)};
}
FLAGSTONE_1 T __hneg(T a) { return -a; }
FLAGSTONE_2 P __hneg2(P a) { return -a; }
FLAGSTONE_1 T __habs(T a) { return T::Of(static_cast<unsigned short>(a.bits & 0x7fff)); }
FLAGSTONE_2 P __habs2(P a) { return {__habs(a.x), __habs(a.y)}; }
FLAGSTONE_1 bool __hisnan(T a) { return a != a; }
FLAGSTONE_1 int __hisinf(T a) {
  const float value = a;
  return value > 3.4e38f ? 1 : value < -3.4e38f ? -1 : 0;
}
FLAGSTONE_1 T __hmax(T a, T b) { return __hisnan(a) || a < b ? b : a; }
FLAGSTONE_1 T __hmin(T a, T b) { return __hisnan(a) || b < a ? b : a; }
FLAGSTONE_2 P __hmax2(P a, P b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
FLAGSTONE_2 P __hmin2(P a, P b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
#define FLAGSTONE_COMPARE(name, op)                              \
  FLAGSTONE_1 bool __h##name(T a, T b) { return a op b; }        \
  FLAGSTONE_2 P __h##name##2(P a, P b) {                         \
    return {a.x op b.x ? 1.0f : 0.0f, a.y op b.y ? 1.0f : 0.0f}; \
  }                                                              \
  FLAGSTONE_2 bool __hb##name##2(P a, P b) { return a.x op b.x && a.y op b.y; }
FLAGSTONE_COMPARE(eq, ==)
FLAGSTONE_COMPARE(ne, !=)
FLAGSTONE_COMPARE(lt, <)
FLAGSTONE_COMPARE(le, <=)
FLAGSTONE_COMPARE(gt, >)
FLAGSTONE_COMPARE(ge, >=)
#undef FLAGSTONE_COMPARE
#define FLAGSTONE_MATH(name, function)                                   \
  FLAGSTONE_1 T h##name(T a) { return function(static_cast<float>(a)); } \
  FLAGSTONE_2 P h2##name(P a) { return {h##name(a.x), h##name(a.y)}; }
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
FLAGSTONE_2 float __low2float(P a) { return a.x; }
FLAGSTONE_2 float __high2float(P a) { return a.y; }

// Between lanes, and atomics by comparison of the word.
#define FLAGSTONE_SHUFFLE(name, type)                                                             \
  template <class T, typename T::Format* = nullptr>                                               \
  __device__ inline T name(unsigned mask, T value, type lane, int width = 32) {                   \
    return T::Of(                                                                                 \
        static_cast<unsigned short>(name(mask, static_cast<unsigned>(value.bits), lane, width))); \
  }                                                                                               \
  template <class P, typename P::One* = nullptr>                                                  \
  __device__ inline P name(unsigned mask, P value, type lane, int width = 32) {                   \
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
template <class P, typename P::One* = nullptr>
__device__ inline P atomicAdd(P* p, P value) {
  auto* const word = reinterpret_cast<unsigned*>(p);
  unsigned now = *word, old;
  P before;
  do {
    old = now;
    memcpy(&before, &old, sizeof old);
    const P sum = before + value;
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    now = atomicCAS(word, old, bits);
  } while (now != old);
  return before;
}
template <class T, typename T::Format* = nullptr>
__device__ inline T atomicAdd(T* p, T value) {
  const auto address = reinterpret_cast<unsigned long long>(p);
  auto* const word = reinterpret_cast<unsigned*>(address & ~3ULL);
  const unsigned shift = (address & 2) * 8;
  unsigned now = *word, old;
  T before;
  do {
    old = now;
    before = T::Of(static_cast<unsigned short>(old >> shift));
    const unsigned sum = (before + value).bits;
    now = atomicCAS(word, old, (old & ~(0xffffU << shift)) | sum << shift);
  } while (now != old);
  return before;
}
template <class T, typename T::Format* = nullptr>
__device__ inline T __ldg(const T* p) {
  return T::Of(__ldg(&p->bits));
}
template <class P, typename P::One* = nullptr>
__device__ inline P __ldg(const P* p) {
  return {__ldg(&p->x), __ldg(&p->y)};
}

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

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOAT_FUNCTIONS_H_
