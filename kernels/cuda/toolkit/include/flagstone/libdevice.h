// The names of NVIDIA's libdevice that clang's CUDA headers call (__nv_sinf), on the functions of
// Debian's libclc-14 (_Z3sinf), and where PTX has an instruction for one, on that. libclc keeps
// OpenCL's error bounds, so that last places differ from libdevice's.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_LIBDEVICE_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_LIBDEVICE_H_

#define FLAGSTONE_NV extern "C" __device__ __inline__ __attribute__((always_inline))

// name(float) and name(double) of libclc, under the names __nv_namef and __nv_name.
#define FLAGSTONE_CLC1(name, length)                                                         \
  extern "C" __device__ float FlagstoneClc_##name##f(float) __asm__("_Z" #length #name "f"); \
  extern "C" __device__ double FlagstoneClc_##name(double) __asm__("_Z" #length #name "d");  \
  FLAGSTONE_NV float __nv_##name##f(float a) { return FlagstoneClc_##name##f(a); }           \
  FLAGSTONE_NV double __nv_##name(double a) { return FlagstoneClc_##name(a); }
#define FLAGSTONE_CLC2(name, length)                                                           \
  extern "C" __device__ float FlagstoneClc_##name##f(float,                                    \
                                                     float) __asm__("_Z" #length #name "ff");  \
  extern "C" __device__ double FlagstoneClc_##name(double,                                     \
                                                   double) __asm__("_Z" #length #name "dd");   \
  FLAGSTONE_NV float __nv_##name##f(float a, float b) { return FlagstoneClc_##name##f(a, b); } \
  FLAGSTONE_NV double __nv_##name(double a, double b) { return FlagstoneClc_##name(a, b); }
FLAGSTONE_CLC1(tan, 3)
FLAGSTONE_CLC1(asin, 4)
FLAGSTONE_CLC1(acos, 4)
FLAGSTONE_CLC1(atan, 4)
FLAGSTONE_CLC1(sinh, 4)
FLAGSTONE_CLC1(cosh, 4)
FLAGSTONE_CLC1(tanh, 4)
FLAGSTONE_CLC1(asinh, 5)
FLAGSTONE_CLC1(acosh, 5)
FLAGSTONE_CLC1(atanh, 5)
FLAGSTONE_CLC1(sinpi, 5)
FLAGSTONE_CLC1(cospi, 5)
FLAGSTONE_CLC1(exp, 3)
FLAGSTONE_CLC1(exp2, 4)
FLAGSTONE_CLC1(exp10, 5)
FLAGSTONE_CLC1(expm1, 5)
FLAGSTONE_CLC1(log, 3)
FLAGSTONE_CLC1(log2, 4)
FLAGSTONE_CLC1(log10, 5)
FLAGSTONE_CLC1(log1p, 5)
FLAGSTONE_CLC1(logb, 4)
FLAGSTONE_CLC1(cbrt, 4)
FLAGSTONE_CLC1(erf, 3)
FLAGSTONE_CLC1(erfc, 4)
FLAGSTONE_CLC1(lgamma, 6)
FLAGSTONE_CLC1(tgamma, 6)
FLAGSTONE_CLC1(rint, 4)
FLAGSTONE_CLC1(round, 5)
FLAGSTONE_CLC2(pow, 3)
FLAGSTONE_CLC2(atan2, 5)
FLAGSTONE_CLC2(fmod, 4)
FLAGSTONE_CLC2(remainder, 9)
FLAGSTONE_CLC2(hypot, 5)
FLAGSTONE_CLC2(fdim, 4)
FLAGSTONE_CLC2(nextafter, 9)
#undef FLAGSTONE_CLC1
#undef FLAGSTONE_CLC2

// Double sines and cosines of libclc lose digits as arguments grow: up to 100,000 by a series.
// sin(a + quarters * pi / 2).
FLAGSTONE_NV double FlagstoneSine(double a, int quarters) {
  const double n = __nvvm_floor_d(a * 0.63661977236758134308 + 0.5);
  const double r =
      __nvvm_fma_rn_d(-n, 6.1232339957367574e-17, __nvvm_fma_rn_d(-n, 1.5707963267948966, a));
  const int quadrant = static_cast<int>(n) + quarters;
  const double square = r * r;
  const bool cosine = (quadrant & 1) != 0;
  double sum = 1.0;
#pragma unroll
  for (int k = 18; k > 0; k -= 2) {
    sum = __nvvm_fma_rn_d(-sum, square / (cosine ? k * (k - 1) : k * (k + 1)), 1.0);
  }
  const double value = cosine ? sum : r * sum;
  return (quadrant & 2) != 0 ? -value : value;
}
#define FLAGSTONE_SINE(name, quarters)                                                    \
  extern "C" __device__ float FlagstoneClc_##name##f(float) __asm__("_Z3" #name "f");     \
  extern "C" __device__ double FlagstoneClc_##name(double) __asm__("_Z3" #name "d");      \
  FLAGSTONE_NV float __nv_##name##f(float a) { return FlagstoneClc_##name##f(a); }        \
  FLAGSTONE_NV double __nv_##name(double a) {                                             \
    return __builtin_fabs(a) < 1e5 ? FlagstoneSine(a, quarters) : FlagstoneClc_##name(a); \
  }
FLAGSTONE_SINE(sin, 0)
FLAGSTONE_SINE(cos, 1)
#undef FLAGSTONE_SINE

extern "C" {
__device__ float FlagstoneClc_frexpf(float, int*) __asm__("_Z5frexpfPi");
__device__ double FlagstoneClc_frexp(double, int*) __asm__("_Z5frexpdPi");
__device__ float FlagstoneClc_modff(float, float*) __asm__("_Z4modffPf");
__device__ double FlagstoneClc_modf(double, double*) __asm__("_Z4modfdPd");
__device__ float FlagstoneClc_remquof(float, float, int*) __asm__("_Z6remquoffPi");
__device__ double FlagstoneClc_remquo(double, double, int*) __asm__("_Z6remquoddPi");
__device__ float FlagstoneClc_ldexpf(float, int) __asm__("_Z5ldexpfi");
__device__ double FlagstoneClc_ldexp(double, int) __asm__("_Z5ldexpdi");
__device__ float FlagstoneClc_pownf(float, int) __asm__("_Z4pownfi");
__device__ double FlagstoneClc_pown(double, int) __asm__("_Z4powndi");
__device__ int FlagstoneClc_ilogbf(float) __asm__("_Z5ilogbf");
__device__ int FlagstoneClc_ilogb(double) __asm__("_Z5ilogbd");
}
FLAGSTONE_NV float __nv_frexpf(float a, int* b) { return FlagstoneClc_frexpf(a, b); }
FLAGSTONE_NV double __nv_frexp(double a, int* b) { return FlagstoneClc_frexp(a, b); }
FLAGSTONE_NV float __nv_modff(float a, float* b) { return FlagstoneClc_modff(a, b); }
FLAGSTONE_NV double __nv_modf(double a, double* b) { return FlagstoneClc_modf(a, b); }
FLAGSTONE_NV float __nv_remquof(float a, float b, int* c) { return FlagstoneClc_remquof(a, b, c); }
FLAGSTONE_NV double __nv_remquo(double a, double b, int* c) { return FlagstoneClc_remquo(a, b, c); }
FLAGSTONE_NV float __nv_ldexpf(float a, int b) { return FlagstoneClc_ldexpf(a, b); }
FLAGSTONE_NV double __nv_ldexp(double a, int b) { return FlagstoneClc_ldexp(a, b); }
FLAGSTONE_NV float __nv_scalbnf(float a, int b) { return FlagstoneClc_ldexpf(a, b); }
FLAGSTONE_NV double __nv_scalbn(double a, int b) { return FlagstoneClc_ldexp(a, b); }
FLAGSTONE_NV float __nv_powif(float a, int b) { return FlagstoneClc_pownf(a, b); }
FLAGSTONE_NV double __nv_powi(double a, int b) { return FlagstoneClc_pown(a, b); }
FLAGSTONE_NV int __nv_ilogbf(float a) { return FlagstoneClc_ilogbf(a); }
FLAGSTONE_NV int __nv_ilogb(double a) { return FlagstoneClc_ilogb(a); }

FLAGSTONE_NV void __nv_sincosf(float a, float* s, float* c) {
  *s = __nv_sinf(a);
  *c = __nv_cosf(a);
}
FLAGSTONE_NV void __nv_sincos(double a, double* s, double* c) {
  *s = __nv_sin(a);
  *c = __nv_cos(a);
}
FLAGSTONE_NV void __nv_sincospif(float a, float* s, float* c) {
  *s = __nv_sinpif(a);
  *c = __nv_cospif(a);
}
FLAGSTONE_NV void __nv_sincospi(double a, double* s, double* c) {
  *s = __nv_sinpi(a);
  *c = __nv_cospi(a);
}

// One PTX instruction each.
FLAGSTONE_NV int __nv_abs(int a) { return a < 0 ? -a : a; }
FLAGSTONE_NV long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
FLAGSTONE_NV int __nv_max(int a, int b) { return a > b ? a : b; }
FLAGSTONE_NV int __nv_min(int a, int b) { return a < b ? a : b; }
FLAGSTONE_NV long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
FLAGSTONE_NV long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
FLAGSTONE_NV unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
FLAGSTONE_NV unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
FLAGSTONE_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
FLAGSTONE_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
FLAGSTONE_NV int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned int)a); }
FLAGSTONE_NV int __nv_clzll(long long a) {
  return a == 0 ? 64 : __builtin_clzll((unsigned long long)a);
}
FLAGSTONE_NV int __nv_ffs(int a) { return __builtin_ffs(a); }
FLAGSTONE_NV int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
FLAGSTONE_NV int __nv_popc(int a) { return __builtin_popcount((unsigned int)a); }
FLAGSTONE_NV int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
FLAGSTONE_NV int __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned int)a); }
FLAGSTONE_NV long long __nv_brevll(long long a) {
  return (long long)__builtin_bitreverse64((unsigned long long)a);
}
FLAGSTONE_NV int __nv_byte_perm(int a, int b, int c) {
  int r;
  __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
  return r;
}
FLAGSTONE_NV int __nv_mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
FLAGSTONE_NV unsigned int __nv_umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
FLAGSTONE_NV int __nv_mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
FLAGSTONE_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)((unsigned long long)a * b >> 32);
}
FLAGSTONE_NV long long __nv_mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
FLAGSTONE_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
FLAGSTONE_NV int __nv_sad(int a, int b, int c) { return (a > b ? a - b : b - a) + c; }
FLAGSTONE_NV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}
FLAGSTONE_NV int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
FLAGSTONE_NV int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
FLAGSTONE_NV int __nv_uhadd(unsigned int a, unsigned int b) {
  return (int)(((unsigned long long)a + b) >> 1);
}
FLAGSTONE_NV unsigned int __nv_urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

FLAGSTONE_NV float __nv_fabsf(float a) { return __builtin_fabsf(a); }
FLAGSTONE_NV double __nv_fabs(double a) { return __builtin_fabs(a); }
FLAGSTONE_NV float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
FLAGSTONE_NV double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
FLAGSTONE_NV float __nv_fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
FLAGSTONE_NV double __nv_fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
FLAGSTONE_NV float __nv_fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
FLAGSTONE_NV double __nv_fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
FLAGSTONE_NV float __nv_floorf(float a) { return __nvvm_floor_f(a); }
FLAGSTONE_NV double __nv_floor(double a) { return __nvvm_floor_d(a); }
FLAGSTONE_NV float __nv_ceilf(float a) { return __nvvm_ceil_f(a); }
FLAGSTONE_NV double __nv_ceil(double a) { return __nvvm_ceil_d(a); }
FLAGSTONE_NV float __nv_truncf(float a) { return __nvvm_trunc_f(a); }
FLAGSTONE_NV double __nv_trunc(double a) { return __nvvm_trunc_d(a); }
FLAGSTONE_NV float __nv_nearbyintf(float a) { return __nv_rintf(a); }
FLAGSTONE_NV double __nv_nearbyint(double a) { return __nv_rint(a); }
FLAGSTONE_NV long long __nv_llrintf(float a) { return (long long)__nv_rintf(a); }
FLAGSTONE_NV long long __nv_llrint(double a) { return (long long)__nv_rint(a); }
FLAGSTONE_NV long long __nv_llroundf(float a) { return (long long)__nv_roundf(a); }
FLAGSTONE_NV long long __nv_llround(double a) { return (long long)__nv_round(a); }
FLAGSTONE_NV float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
FLAGSTONE_NV float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
FLAGSTONE_NV double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
FLAGSTONE_NV float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
FLAGSTONE_NV double __nv_rsqrt(double a) { return 1.0 / __nvvm_sqrt_rn_d(a); }
FLAGSTONE_NV float __nv_frsqrt_rn(float a) { return 1.0f / __nvvm_sqrt_rn_f(a); }
FLAGSTONE_NV float __nv_rcbrtf(float a) { return 1.0f / __nv_cbrtf(a); }
FLAGSTONE_NV double __nv_rcbrt(double a) { return 1.0 / __nv_cbrt(a); }
FLAGSTONE_NV float __nv_rhypotf(float a, float b) { return 1.0f / __nv_hypotf(a, b); }
FLAGSTONE_NV double __nv_rhypot(double a, double b) { return 1.0 / __nv_hypot(a, b); }
FLAGSTONE_NV float __nv_norm3df(float a, float b, float c) {
  return __nv_sqrtf(a * a + b * b + c * c);
}
FLAGSTONE_NV double __nv_norm3d(double a, double b, double c) {
  return __nv_sqrt(a * a + b * b + c * c);
}
FLAGSTONE_NV float __nv_normcdff(float a) { return 0.5f * __nv_erfcf(-a * 0.70710678f); }
FLAGSTONE_NV double __nv_normcdf(double a) { return 0.5 * __nv_erfc(-a * 0.70710678118654752); }
FLAGSTONE_NV int __nv_isnanf(float a) { return a != a; }
FLAGSTONE_NV int __nv_isnand(double a) { return a != a; }
FLAGSTONE_NV int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_huge_valf(); }
FLAGSTONE_NV int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_huge_val(); }
FLAGSTONE_NV int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_huge_valf(); }
FLAGSTONE_NV int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_huge_val(); }
FLAGSTONE_NV int __nv_signbitf(float a) { return __nvvm_bitcast_f2i(a) < 0; }
FLAGSTONE_NV int __nv_signbitd(double a) { return __nvvm_bitcast_d2ll(a) < 0; }
FLAGSTONE_NV float __nv_nanf(const signed char*) { return __builtin_nanf(""); }
FLAGSTONE_NV double __nv_nan(const signed char*) { return __builtin_nan(""); }
FLAGSTONE_NV float __nv_fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
FLAGSTONE_NV double __nv_fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }

// PTX's approximations.
FLAGSTONE_NV float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
FLAGSTONE_NV float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
FLAGSTONE_NV float __nv_fast_tanf(float a) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
FLAGSTONE_NV void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}
FLAGSTONE_NV float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
FLAGSTONE_NV float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f; }
FLAGSTONE_NV float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996f; }
FLAGSTONE_NV float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.442695041f); }
FLAGSTONE_NV float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.321928095f); }
FLAGSTONE_NV float __nv_fast_powf(float a, float b) {
  return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
FLAGSTONE_NV float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }

// Arithmetic with a rounding of its own.
#define FLAGSTONE_ROUNDED(r, v)                                                                 \
  FLAGSTONE_NV float __nv_fadd_##r(float a, float b) { return __nvvm_add_##v##_f(a, b); }       \
  FLAGSTONE_NV float __nv_fsub_##r(float a, float b) { return __nvvm_add_##v##_f(a, -b); }      \
  FLAGSTONE_NV float __nv_fmul_##r(float a, float b) { return __nvvm_mul_##v##_f(a, b); }       \
  FLAGSTONE_NV float __nv_fdiv_##r(float a, float b) { return __nvvm_div_##v##_f(a, b); }       \
  FLAGSTONE_NV float __nv_frcp_##r(float a) { return __nvvm_rcp_##v##_f(a); }                   \
  FLAGSTONE_NV float __nv_fsqrt_##r(float a) { return __nvvm_sqrt_##v##_f(a); }                 \
  FLAGSTONE_NV float __nv_fmaf_##r(float a, float b, float c) {                                 \
    return __nvvm_fma_##v##_f(a, b, c);                                                         \
  }                                                                                             \
  FLAGSTONE_NV double __nv_dadd_##r(double a, double b) { return __nvvm_add_##v##_d(a, b); }    \
  FLAGSTONE_NV double __nv_dsub_##r(double a, double b) { return __nvvm_add_##v##_d(a, -b); }   \
  FLAGSTONE_NV double __nv_dmul_##r(double a, double b) { return __nvvm_mul_##v##_d(a, b); }    \
  FLAGSTONE_NV double __nv_ddiv_##r(double a, double b) { return __nvvm_div_##v##_d(a, b); }    \
  FLAGSTONE_NV double __nv_drcp_##r(double a) { return __nvvm_rcp_##v##_d(a); }                 \
  FLAGSTONE_NV double __nv_dsqrt_##r(double a) { return __nvvm_sqrt_##v##_d(a); }               \
  FLAGSTONE_NV double __nv_fma_##r(double a, double b, double c) {                              \
    return __nvvm_fma_##v##_d(a, b, c);                                                         \
  }                                                                                             \
  FLAGSTONE_NV float __nv_double2float_##r(double a) { return __nvvm_d2f_##v(a); }              \
  FLAGSTONE_NV int __nv_double2int_##r(double a) { return __nvvm_d2i_##v(a); }                  \
  FLAGSTONE_NV unsigned int __nv_double2uint_##r(double a) { return __nvvm_d2ui_##v(a); }       \
  FLAGSTONE_NV long long __nv_double2ll_##r(double a) { return __nvvm_d2ll_##v(a); }            \
  FLAGSTONE_NV unsigned long long __nv_double2ull_##r(double a) { return __nvvm_d2ull_##v(a); } \
  FLAGSTONE_NV int __nv_float2int_##r(float a) { return __nvvm_f2i_##v(a); }                    \
  FLAGSTONE_NV unsigned int __nv_float2uint_##r(float a) { return __nvvm_f2ui_##v(a); }         \
  FLAGSTONE_NV long long __nv_float2ll_##r(float a) { return __nvvm_f2ll_##v(a); }              \
  FLAGSTONE_NV unsigned long long __nv_float2ull_##r(float a) { return __nvvm_f2ull_##v(a); }   \
  FLAGSTONE_NV float __nv_int2float_##r(int a) { return __nvvm_i2f_##v(a); }                    \
  FLAGSTONE_NV float __nv_uint2float_##r(unsigned int a) { return __nvvm_ui2f_##v(a); }         \
  FLAGSTONE_NV float __nv_ll2float_##r(long long a) { return __nvvm_ll2f_##v(a); }              \
  FLAGSTONE_NV float __nv_ull2float_##r(unsigned long long a) { return __nvvm_ull2f_##v(a); }   \
  FLAGSTONE_NV double __nv_ll2double_##r(long long a) { return __nvvm_ll2d_##v(a); }            \
  FLAGSTONE_NV double __nv_ull2double_##r(unsigned long long a) { return __nvvm_ull2d_##v(a); }
FLAGSTONE_ROUNDED(rn, rn)
FLAGSTONE_ROUNDED(rz, rz)
FLAGSTONE_ROUNDED(ru, rp)
FLAGSTONE_ROUNDED(rd, rm)
#undef FLAGSTONE_ROUNDED
FLAGSTONE_NV double __nv_int2double_rn(int a) { return a; }
FLAGSTONE_NV double __nv_uint2double_rn(unsigned int a) { return a; }
FLAGSTONE_NV int __nv_float_as_int(float a) { return __nvvm_bitcast_f2i(a); }
FLAGSTONE_NV float __nv_int_as_float(int a) { return __nvvm_bitcast_i2f(a); }
FLAGSTONE_NV unsigned int __nv_float_as_uint(float a) {
  return (unsigned int)__nvvm_bitcast_f2i(a);
}
FLAGSTONE_NV float __nv_uint_as_float(unsigned int a) { return __nvvm_bitcast_i2f((int)a); }
FLAGSTONE_NV unsigned long long __nv_double_as_longlong(double a) {
  return (unsigned long long)__nvvm_bitcast_d2ll(a);
}
FLAGSTONE_NV double __nv_longlong_as_double(long long a) { return __nvvm_bitcast_ll2d(a); }
FLAGSTONE_NV int __nv_double2hiint(double a) { return (int)(__nvvm_bitcast_d2ll(a) >> 32); }
FLAGSTONE_NV int __nv_double2loint(double a) { return (int)__nvvm_bitcast_d2ll(a); }
FLAGSTONE_NV double __nv_hiloint2double(int high, int low) {
  return __nvvm_bitcast_ll2d((long long)high << 32 | (unsigned int)low);
}
#undef FLAGSTONE_NV

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_LIBDEVICE_H_
