// Floats of 8 to 19 bits as doubles, which hold each of them and each sum and product of two of
// them, and back with any rounding.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_NARROW_FLOAT_H_
#define FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_NARROW_FLOAT_H_

#include <cstdint>

#include "kernels/ptx/opcode.h"
#include "kernels/ptx/types.h"

namespace flagstone::simt {

struct NarrowFormat {
  int exponent_bits = 5;
  int mantissa_bits = 10;
  uint32_t nan = 0x7fff;     // the one that instructions give
  uint32_t largest = 0;      // finite
  bool has_infinity = true;  // e4m3 has none
  bool has_nan = true;       // below a byte there are none: the greatest number is in its place
  int low_bits = 0;          // below the mantissa, in a register: tf32's 13, which are not kept
};

// Of one value of a type: f16x2 is two of f16.
const NarrowFormat& FormatOf(ptx::Type type);

double FromNarrow(uint32_t bits, const NarrowFormat& format);
// `finite`: what is too large, infinities too, becomes the largest number. `random`, below 1: of
// rounding by random bits, which adds it to what is cut off, in units of the last bit that stays.
uint32_t ToNarrow(double value, const NarrowFormat& format, ptx::Rounding rounding,
                  bool finite = false, double random = 0);

// ue8m0: 2^-127 to 2^127 and a NaN. The sign of what is converted is lost, as CUDA's
// cuda_fp8.hpp has it; zero becomes 2^-127.
double FromPower(uint32_t bits);
uint32_t ToPower(double value, ptx::Rounding rounding, bool finite);

// The lesser or the greater: -0 is less than +0; of two NaNs, or of one where NaNs win, a NaN.
double Extreme(bool maximum, bool nan_wins, double a, double b);

// a + b rounded to odd: rounding the result again to a narrower type is as if a + b were rounded
// to it at once.
double AddToOdd(double a, double b);
// The same of an integer.
double IntegerToOdd(uint64_t value, bool is_signed);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_HANDLERS_NARROW_FLOAT_H_
