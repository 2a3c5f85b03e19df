// Complex numbers of floats and doubles, on host and device.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUCOMPLEX_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUCOMPLEX_H_

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __CUDACC__
#define FLAGSTONE_COMPLEX __host__ __device__ static inline
#else
#define FLAGSTONE_COMPLEX static inline
#endif

// Division is Smith's (1962), and so is the absolute value: without overflow on the way.
#define FLAGSTONE_COMPLEX_OF(type, real, suffix, make, root)                       \
  FLAGSTONE_COMPLEX type make_##make(real x, real y) {                             \
    type z;                                                                        \
    z.x = x;                                                                       \
    z.y = y;                                                                       \
    return z;                                                                      \
  }                                                                                \
  FLAGSTONE_COMPLEX real cuCreal##suffix(type a) { return a.x; }                   \
  FLAGSTONE_COMPLEX real cuCimag##suffix(type a) { return a.y; }                   \
  FLAGSTONE_COMPLEX type cuConj##suffix(type a) { return make_##make(a.x, -a.y); } \
  FLAGSTONE_COMPLEX type cuCadd##suffix(type a, type b) {                          \
    return make_##make(a.x + b.x, a.y + b.y);                                      \
  }                                                                                \
  FLAGSTONE_COMPLEX type cuCsub##suffix(type a, type b) {                          \
    return make_##make(a.x - b.x, a.y - b.y);                                      \
  }                                                                                \
  FLAGSTONE_COMPLEX type cuCmul##suffix(type a, type b) {                          \
    return make_##make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);              \
  }                                                                                \
  FLAGSTONE_COMPLEX type cuCfma##suffix(type a, type b, type c) {                  \
    return cuCadd##suffix(cuCmul##suffix(a, b), c);                                \
  }                                                                                \
  FLAGSTONE_COMPLEX type cuCdiv##suffix(type a, type b) {                          \
    const bool by_real = (b.x < 0 ? -b.x : b.x) >= (b.y < 0 ? -b.y : b.y);         \
    const real r = by_real ? b.y / b.x : b.x / b.y;                                \
    const real d = by_real ? b.x + b.y * r : b.x * r + b.y;                        \
    return by_real ? make_##make((a.x + a.y * r) / d, (a.y - a.x * r) / d)         \
                   : make_##make((a.x * r + a.y) / d, (a.y * r - a.x) / d);        \
  }                                                                                \
  FLAGSTONE_COMPLEX real cuCabs##suffix(type a) {                                  \
    const real x = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y;                 \
    const real most = x > y ? x : y, least = x > y ? y : x;                        \
    if (most == 0 || most > (real)3e38 || most != most) return x + y;              \
    const real r = least / most;                                                   \
    return most * root(1 + r * r);                                                 \
  }
#ifdef __cplusplus
FLAGSTONE_COMPLEX_OF(cuFloatComplex, float, f, cuFloatComplex, sqrtf)
FLAGSTONE_COMPLEX_OF(cuDoubleComplex, double, , cuDoubleComplex, sqrt)
FLAGSTONE_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
FLAGSTONE_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex(a.x, a.y);
}
FLAGSTONE_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}
#endif

#undef FLAGSTONE_COMPLEX_OF
#undef FLAGSTONE_COMPLEX

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUCOMPLEX_H_
