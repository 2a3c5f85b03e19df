// Functions that CUDA has in device and in host code, for the pairs of types that programs mix.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_HOST_MATH_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_HOST_MATH_H_

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
static inline __host__ float rsqrtf(float a) { return 1.0f / sqrtf(a); }
static inline __host__ double rsqrt(double a) { return 1.0 / sqrt(a); }
static inline __host__ float __saturatef(float a) { return a < 0 ? 0 : a > 1 ? 1 : a; }
#if !defined(_GNU_SOURCE)
static inline __host__ void sincosf(float a, float* s, float* c) {
  *s = sinf(a);
  *c = cosf(a);
}
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_HOST_MATH_H_
