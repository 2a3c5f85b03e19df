// Floats of 8 bits: e4m3 (4 bits of exponent, 3 of mantissa, no infinity) and e5m2. Conversions
// round to the nearest even and, by default, stop at the largest finite value (OCP 8-bit Floating
// Point Specification, 2023).
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_FP8_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_FP8_H_

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

FLAGSTONE_FUNCTION __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturate,
                                                            __nv_fp8_interpretation_t format) {
  const int mantissa = format == __NV_E4M3 ? 3 : 2, bias = format == __NV_E4M3 ? 7 : 15;
  const unsigned bits = flagstone::BitsOf(value), rest = bits & 0x7fffffff;
  const unsigned sign = bits >> 24 & 0x80;
  const unsigned largest = format == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned beyond = saturate == __NV_SATFINITE ? largest : largest + 1;
  if (rest > 0x7f800000) return 0x7f;
  if (rest == 0x7f800000) return static_cast<__nv_fp8_storage_t>(sign | beyond);
  int exponent = static_cast<int>(rest >> 23) - 127;
  if (exponent < 1 - bias) exponent = 1 - bias;  // steps of the subnormals
  // In steps of 2^(exponent - mantissa), rounded by what is left of 23 bits.
  const float scaled = flagstone::FloatOf(rest) *
                       flagstone::FloatOf(static_cast<unsigned>(127 + mantissa - exponent) << 23);
  const float rounded = (scaled + 8388608.0f) - 8388608.0f;
  const unsigned steps = static_cast<unsigned>(rounded);
  const unsigned code = (static_cast<unsigned>(exponent + bias - 1) << mantissa) + steps;
  return static_cast<__nv_fp8_storage_t>(sign | (code > largest ? beyond : code));
}
FLAGSTONE_FUNCTION float FlagstoneFloatOfFp8(__nv_fp8_storage_t x,
                                             __nv_fp8_interpretation_t format) {
  const unsigned mantissa = format == __NV_E4M3 ? 3 : 2;
  const unsigned rest = x & 0x7f, sign = static_cast<unsigned>(x & 0x80) << 24;
  if (rest > (format == __NV_E4M3 ? 0x7eU : 0x7cU)) return flagstone::FloatOf(0x7fffffff);
  if (format == __NV_E5M2 && rest == 0x7c) return flagstone::FloatOf(sign | 0x7f800000);
  // As if the exponents began at the same place, then moved by 2^(127 - bias).
  const unsigned shift = format == __NV_E4M3 ? 127 + 120 : 127 + 112;
  return flagstone::FloatOf(sign | flagstone::BitsOf(flagstone::FloatOf(rest << (23 - mantissa)) *
                                                     flagstone::FloatOf(shift << 23)));
}
FLAGSTONE_FUNCTION __half __nv_cvt_fp8_to_half(__nv_fp8_storage_t x,
                                               __nv_fp8_interpretation_t format) {
  return __half(FlagstoneFloatOfFp8(x, format));
}

#define FLAGSTONE_FP8(name, format)                                                               \
  struct __nv_fp8_##name {                                                                        \
    __nv_fp8_storage_t __x;                                                                       \
    __nv_fp8_##name() = default;                                                                  \
    template <class T>                                                                            \
    explicit FLAGSTONE_FUNCTION __nv_fp8_##name(T value)                                          \
        : __x(__nv_cvt_float_to_fp8(static_cast<float>(value), __NV_SATFINITE, format)) {}        \
    FLAGSTONE_FUNCTION operator float() const { return FlagstoneFloatOfFp8(__x, format); }        \
  };                                                                                              \
  struct __nv_fp8x2_##name {                                                                      \
    __nv_fp8x2_storage_t __x;                                                                     \
    __nv_fp8x2_##name() = default;                                                                \
    explicit FLAGSTONE_FUNCTION __nv_fp8x2_##name(float2 v)                                       \
        : __x(static_cast<__nv_fp8x2_storage_t>(__nv_fp8_##name(v.x).__x |                        \
                                                __nv_fp8_##name(v.y).__x << 8)) {}                \
    explicit FLAGSTONE_FUNCTION operator float2() const {                                         \
      return {FlagstoneFloatOfFp8(__x & 0xff, format), FlagstoneFloatOfFp8(__x >> 8, format)};    \
    }                                                                                             \
  };                                                                                              \
  struct __nv_fp8x4_##name {                                                                      \
    __nv_fp8x4_storage_t __x;                                                                     \
    __nv_fp8x4_##name() = default;                                                                \
    explicit FLAGSTONE_FUNCTION __nv_fp8x4_##name(float4 v)                                       \
        : __x(__nv_fp8x2_##name(float2{v.x, v.y}).__x |                                           \
              static_cast<unsigned>(__nv_fp8x2_##name(float2{v.z, v.w}).__x) << 16) {}            \
    explicit FLAGSTONE_FUNCTION operator float4() const {                                         \
      return {                                                                                    \
          FlagstoneFloatOfFp8(__x & 0xff, format), FlagstoneFloatOfFp8(__x >> 8 & 0xff, format),  \
          FlagstoneFloatOfFp8(__x >> 16 & 0xff, format), FlagstoneFloatOfFp8(__x >> 24, format)}; \
    }                                                                                             \
  };
FLAGSTONE_FP8(e4m3, __NV_E4M3)
FLAGSTONE_FP8(e5m2, __NV_E5M2)
#undef FLAGSTONE_FP8

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_FP8_H_
