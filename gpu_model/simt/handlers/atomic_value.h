// What an atomic leaves where `old` was: of accesses by warps, and of bulk copies that reduce.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_ATOMIC_VALUE_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_ATOMIC_VALUE_H_

#include <type_traits>

#include "gpu_model/simt/handlers/float_ops.h"
#include "gpu_model/simt/handlers/lanes.h"
#include "gpu_model/simt/handlers/narrow_float.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

template <ptx::AtomicOp kOp, class T>
FLAGSTONE_INLINE T NewValue(T old, T b, T c) {
  if constexpr (std::is_floating_point_v<T>) {
    static_assert(kOp == ptx::AtomicOp::kAdd);
    return Finish<false, false>(old + b);
  } else {
    using U = Lane<T>;
    if constexpr (kOp == ptx::AtomicOp::kAdd) return static_cast<T>(ToLane<U>(old) + ToLane<U>(b));
    if constexpr (kOp == ptx::AtomicOp::kAnd) return static_cast<T>(old & b);
    if constexpr (kOp == ptx::AtomicOp::kOr) return static_cast<T>(old | b);
    if constexpr (kOp == ptx::AtomicOp::kXor) return static_cast<T>(old ^ b);
    if constexpr (kOp == ptx::AtomicOp::kExch) return b;
    if constexpr (kOp == ptx::AtomicOp::kCas) return old == b ? c : old;
    if constexpr (kOp == ptx::AtomicOp::kMin) return old < b ? old : b;
    if constexpr (kOp == ptx::AtomicOp::kMax) return old > b ? old : b;
    if constexpr (kOp == ptx::AtomicOp::kInc) return old >= b ? T{0} : static_cast<T>(old + 1);
    if constexpr (kOp == ptx::AtomicOp::kDec)
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
}

// Of f16 or bf16: rounded to nearest, and not flushed.
inline uint32_t NewHalf(ptx::AtomicOp op, const NarrowFormat& format, uint32_t old,
                        uint32_t operand) {
  const double a = FromNarrow(old, format);
  const double b = FromNarrow(operand, format);
  const double result =
      op == ptx::AtomicOp::kAdd ? a + b : Extreme(op == ptx::AtomicOp::kMax, false, a, b);
  return ToNarrow(result, format, ptx::Rounding::kRn);
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_ATOMIC_VALUE_H_
