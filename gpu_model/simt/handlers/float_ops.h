// What float results share: flushing of subnormals, saturation, the canonical NaN.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FLOAT_OPS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FLOAT_OPS_H_

#include <cstdint>
#include <type_traits>

#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

// PTX: single-precision instructions give this NaN, whatever NaN they read.
inline constexpr uint32_t kCanonicalNanF32 = 0x7fffffffU;
// Double precision: the ISA leaves the payload open; one NaN makes results independent of the host.
inline constexpr uint64_t kCanonicalNanF64 = 0xfff8000000000000U;

template <class T>
FLAGSTONE_INLINE T CanonicalNan() {
  if constexpr (std::is_same_v<T, float>) return __builtin_bit_cast(float, kCanonicalNanF32);
  if constexpr (std::is_same_v<T, double>) return __builtin_bit_cast(double, kCanonicalNanF64);
}

// Subnormals of f32 become zeros of the same sign. Double precision knows no .ftz.
template <bool kFlush, class T>
FLAGSTONE_INLINE T FlushIf(T value) {
  if constexpr (kFlush && std::is_same_v<T, float>) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    const uint32_t flushed = (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
    return __builtin_bit_cast(float, flushed);
  }
  return value;
}

// To [+0, 1]; NaN becomes +0.
template <class T>
FLAGSTONE_INLINE T Saturate(T value) {
  const T low = value > T{0} ? value : T{0};
  return low < T{1} ? low : T{1};
}

template <bool kFlush, bool kSaturate, class T>
FLAGSTONE_INLINE T Finish(T value) {
  const T flushed = FlushIf<kFlush>(value);
  if constexpr (kSaturate) return Saturate(flushed);
  return flushed != flushed ? CanonicalNan<T>() : flushed;
}

// The other operand for one NaN, the canonical NaN for two; -0 is less than +0.
template <bool kMaximum, class T>
FLAGSTONE_INLINE T MinMax(T a, T b) {
  using U = Lane<T>;
  const U bits_a = __builtin_bit_cast(U, a);
  const U bits_b = __builtin_bit_cast(U, b);
  // Equal values have equal bits, except zeros of two signs.
  const T equal =
      __builtin_bit_cast(T, static_cast<U>(kMaximum ? bits_a & bits_b : bits_a | bits_b));
  const T less = kMaximum ? b : a;
  const T more = kMaximum ? a : b;
  T result = a < b ? less : equal;
  result = a > b ? more : result;
  result = a != a ? b : result;
  result = b != b ? a : result;
  return result != result ? CanonicalNan<T>() : result;
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_FLOAT_OPS_H_
