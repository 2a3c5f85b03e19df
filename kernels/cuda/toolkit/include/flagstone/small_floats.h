// Floats of 16 bits, half and bfloat16: the types that cuda_fp16.h and cuda_bf16.h share.
// Arithmetic is that of floats, rounded once; a float holds more than twice the bits, so that this
// is exact for one operation, and fma goes through doubles.
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

// What the type `One`, which derives from it, has: a struct of its own name, as programs and Thrust
// declare it (`struct __half;`).
template <class One, class Layout>
struct SmallFloat {
  using Format = Layout;
  unsigned short bits;

  SmallFloat() = default;
  FLAGSTONE_FUNCTION SmallFloat(float value) : bits(Format::Narrow(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(double value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(int value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(unsigned value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION SmallFloat(long long value) : SmallFloat(static_cast<float>(value)) {}
  FLAGSTONE_FUNCTION operator float() const { return Format::Widen(bits); }
  static FLAGSTONE_FUNCTION One Of(unsigned short bits) {
    One value;
    value.bits = bits;
    return value;
  }

#define FLAGSTONE_OPERATOR(op)                                            \
  friend FLAGSTONE_FUNCTION One operator op(const One& a, const One& b) { \
    return static_cast<float>(a) op static_cast<float>(b);                \
  }                                                                       \
  friend FLAGSTONE_FUNCTION One& operator op##=(One& a, const One& b) { return a = a op b; }
  FLAGSTONE_OPERATOR(+)
  FLAGSTONE_OPERATOR(-)
  FLAGSTONE_OPERATOR(*)
  FLAGSTONE_OPERATOR(/)
#undef FLAGSTONE_OPERATOR
#define FLAGSTONE_OPERATOR(op)                                             \
  friend FLAGSTONE_FUNCTION bool operator op(const One& a, const One& b) { \
    return static_cast<float>(a) op static_cast<float>(b);                 \
  }
  FLAGSTONE_OPERATOR(==)
  FLAGSTONE_OPERATOR(!=)
  FLAGSTONE_OPERATOR(<)
  FLAGSTONE_OPERATOR(<=)
  FLAGSTONE_OPERATOR(>)
  FLAGSTONE_OPERATOR(>=)
#undef FLAGSTONE_OPERATOR
  friend FLAGSTONE_FUNCTION One operator-(const One& a) {
    return Of(static_cast<unsigned short>(a.bits ^ 0x8000));
  }
};

template <class Two, class Half>
struct alignas(4) SmallFloat2 {
  using One = Half;
  One x, y;

  SmallFloat2() = default;
  FLAGSTONE_FUNCTION SmallFloat2(const One& first, const One& second) : x(first), y(second) {}

#define FLAGSTONE_OPERATOR(op)                                            \
  friend FLAGSTONE_FUNCTION Two operator op(const Two& a, const Two& b) { \
    return {a.x op b.x, a.y op b.y};                                      \
  }                                                                       \
  friend FLAGSTONE_FUNCTION Two& operator op##=(Two& a, const Two& b) { return a = a op b; }
  FLAGSTONE_OPERATOR(+)
  FLAGSTONE_OPERATOR(-)
  FLAGSTONE_OPERATOR(*)
  FLAGSTONE_OPERATOR(/)
#undef FLAGSTONE_OPERATOR
  friend FLAGSTONE_FUNCTION Two operator-(const Two& a) { return {-a.x, -a.y}; }
};

template <class T>
FLAGSTONE_FUNCTION T Fma(T a, T b, T c) {
  const double product = static_cast<double>(static_cast<float>(a)) * static_cast<float>(b);
  return static_cast<float>(product + static_cast<float>(c));
}

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_SMALL_FLOATS_H_
