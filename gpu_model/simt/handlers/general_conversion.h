// Conversion between any two types, decided lane by lane.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_GENERAL_CONVERSION_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_GENERAL_CONVERSION_H_

#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

// A handler that reads types and modifiers from the instruction's record.
Handler GeneralConversion(Shape shape);

// To an integral value of the same type. Hosts without SSE4.1 have no instruction for this, so it
// is done by adding and subtracting 2^52, and correcting for the direction.
template <ptx::Rounding kRounding>
FLAGSTONE_INLINE double RoundToIntegral(double value) {
  constexpr double kBig = 0x1p52;
  const double magnitude = __builtin_fabs(value);
  const double nearest = (magnitude + kBig) - kBig;  // ties to even
  const double up = nearest < magnitude ? nearest + 1 : nearest;
  const double down = nearest > magnitude ? nearest - 1 : nearest;
  const bool negative = (__builtin_bit_cast(uint64_t, value) >> 63) != 0;
  double result = nearest;
  if constexpr (kRounding == ptx::Rounding::kRzi) result = down;
  if constexpr (kRounding == ptx::Rounding::kRmi) result = negative ? up : down;
  if constexpr (kRounding == ptx::Rounding::kRpi) result = negative ? down : up;
  result = negative ? -result : result;
  return magnitude < kBig ? result : value;  // large values and NaNs are as they are
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_GENERAL_CONVERSION_H_
