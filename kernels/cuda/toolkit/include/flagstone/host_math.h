// Functions that CUDA has in device and in host code, for the pairs of types that programs mix.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_HOST_MATH_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_HOST_MATH_H_

#include "inverse_error_function.h"

// `where`: the side that lacks it.
#define FLAGSTONE_MIN_MAX(where, result, a_type, b_type)            \
  static inline where result min(a_type a, b_type b) {              \
    return static_cast<result>(a) < static_cast<result>(b) ? a : b; \
  }                                                                 \
  static inline where result max(a_type a, b_type b) {              \
    return static_cast<result>(a) > static_cast<result>(b) ? a : b; \
  }
#define FLAGSTONE_BOTH(result, a_type, b_type)        \
  FLAGSTONE_MIN_MAX(__host__, result, a_type, b_type) \
  FLAGSTONE_MIN_MAX(__device__, result, a_type, b_type)
FLAGSTONE_BOTH(unsigned, unsigned, int)
FLAGSTONE_BOTH(unsigned, int, unsigned)
FLAGSTONE_BOTH(long, long, long)
FLAGSTONE_BOTH(unsigned long, unsigned long, unsigned long)
FLAGSTONE_BOTH(unsigned long long, unsigned long long, long long)
FLAGSTONE_BOTH(unsigned long long, long long, unsigned long long)
FLAGSTONE_BOTH(double, float, double)
FLAGSTONE_BOTH(double, double, float)
FLAGSTONE_MIN_MAX(__host__, int, int, int)
FLAGSTONE_BOTH(unsigned, unsigned, unsigned)
FLAGSTONE_BOTH(long long, long long, long long)
FLAGSTONE_BOTH(unsigned long long, unsigned long long, unsigned long long)
FLAGSTONE_BOTH(float, float, float)
FLAGSTONE_BOTH(double, double, double)
#undef FLAGSTONE_BOTH
#undef FLAGSTONE_MIN_MAX

// In host code; device code has them from clang's headers.
static inline __host__ float __saturatef(float a) { return a < 0 ? 0 : a > 1 ? 1 : a; }
// Exact where the sine is: the angle is brought to a quarter of the circle without rounding.
static inline __host__ double FlagstoneSinPi(double a) {
  const double r = remainder(a, 2);
  return sin(3.14159265358979323846 * (fabs(r) > 0.5 ? copysign(1, r) - r : r));
}
// The double's name; that of floats ends with f.
#define FLAGSTONE_HOST(name, parameters, arguments, expression)                \
  static inline __host__ double name parameters(double) { return expression; } \
  static inline __host__ float name##f parameters(float) {                     \
    return static_cast<float>(name arguments);                                 \
  }
#define FLAGSTONE_1(type) (type a)
#define FLAGSTONE_2(type) (type a, type b)
#define FLAGSTONE_3(type) (type a, type b, type c)
FLAGSTONE_HOST(rsqrt, FLAGSTONE_1, (a), 1 / sqrt(a))
FLAGSTONE_HOST(rcbrt, FLAGSTONE_1, (a), 1 / cbrt(a))
FLAGSTONE_HOST(rhypot, FLAGSTONE_2, (a, b), 1 / hypot(a, b))
FLAGSTONE_HOST(norm3d, FLAGSTONE_3, (a, b, c), hypot(hypot(a, b), c))
FLAGSTONE_HOST(rnorm3d, FLAGSTONE_3, (a, b, c), 1 / hypot(hypot(a, b), c))
FLAGSTONE_HOST(sinpi, FLAGSTONE_1, (a), FlagstoneSinPi(a))
FLAGSTONE_HOST(cospi, FLAGSTONE_1, (a), FlagstoneSinPi(0.5 - fabs(remainder(a, 2))))
FLAGSTONE_HOST(normcdf, FLAGSTONE_1, (a), 0.5 * erfc(-a * 0.70710678118654752))
FLAGSTONE_HOST(erfcinv, FLAGSTONE_1, (a), flagstone_math::ErfcInverse(a))
FLAGSTONE_HOST(erfinv, FLAGSTONE_1, (a), flagstone_math::ErfInverse(a))
FLAGSTONE_HOST(normcdfinv, FLAGSTONE_1, (a),
               -1.41421356237309505 * flagstone_math::ErfcInverse(2 * a))
#undef FLAGSTONE_1
#undef FLAGSTONE_2
#undef FLAGSTONE_3
#undef FLAGSTONE_HOST
#if !defined(_GNU_SOURCE)
static inline __host__ void sincosf(float a, float* s, float* c) {
  *s = sinf(a);
  *c = cosf(a);
}
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_HOST_MATH_H_
