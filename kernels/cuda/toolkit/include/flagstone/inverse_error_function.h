// The inverses of erf and erfc, in host and device code: the names of libdevice for device code are
// here, too.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INVERSE_ERROR_FUNCTION_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INVERSE_ERROR_FUNCTION_H_

namespace flagstone_math {

// x of erfc(x) = y, for y of 0 to 2. Starts near (Winitzki 2008) and takes Halley's steps, each of
// which triples the digits.
__host__ __device__ static inline double ErfcInverse(double y) {
  if (!(y >= 0 && y <= 2)) return NAN;
  if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
  if (y > 1) return -ErfcInverse(2 - y);
  // log(1 - erf^2) = log(y (2 - y)), which keeps its digits where y is small.
  const double l = log(y * (2 - y)), a = 4.3307467508000435 + 0.5 * l;
  double x = sqrt(sqrt(a * a - l / 0.147) - a);
  for (int step = 0; step < 3; ++step) {
    const double error = (erfc(x) - y) / (-1.1283791670955126 * exp(-x * x));
    x -= error / (1 + x * error);
  }
  return x;
}
__host__ __device__ static inline double ErfInverse(double y) {
  if (!(y >= -0.5 && y <= 0.5)) return y < 0 ? -ErfcInverse(1 + y) : ErfcInverse(1 - y);
  double x = 0.8862269254527580 * y;  // the first term of its series
  for (int step = 0; step < 4; ++step) {
    const double error = (erf(x) - y) / (1.1283791670955126 * exp(-x * x));
    x -= error / (1 + x * error);
  }
  return x;
}

}  // namespace flagstone_math

#define FLAGSTONE_NV(name, expression)                                                            \
  extern "C" __device__ __inline__ __attribute__((always_inline)) double __nv_##name(double a) {  \
    return expression;                                                                            \
  }                                                                                               \
  extern "C" __device__ __inline__ __attribute__((always_inline)) float __nv_##name##f(float a) { \
    return static_cast<float>(__nv_##name(static_cast<double>(a)));                               \
  }
FLAGSTONE_NV(erfcinv, flagstone_math::ErfcInverse(a))
FLAGSTONE_NV(erfinv, flagstone_math::ErfInverse(a))
FLAGSTONE_NV(normcdfinv, -1.41421356237309505 * flagstone_math::ErfcInverse(2 * a))
#undef FLAGSTONE_NV

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_INVERSE_ERROR_FUNCTION_H_
