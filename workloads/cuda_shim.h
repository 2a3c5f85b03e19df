// What CUDA C++ needs beyond the language, so that plain clang compiles the workloads' kernels to
// PTX on a machine without NVIDIA's toolkit. `workloads/compile` includes it before each kernel.
#ifndef FLAGSTONE_WORKLOADS_CUDA_SHIM_H_
#define FLAGSTONE_WORKLOADS_CUDA_SHIM_H_

#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __shared__ __attribute__((shared))

// threadIdx.x and its like are properties whose getters read PTX special registers; the objects
// themselves are never defined.
#define FLAGSTONE_SPECIAL_REGISTER(name, component)               \
  __declspec(property(get = Get_##component)) unsigned component; \
  __device__ static unsigned Get_##component() {                  \
    return __nvvm_read_ptx_sreg_##name##_##component();           \
  }
#define FLAGSTONE_SPECIAL_REGISTERS(variable, name) \
  struct variable##Registers {                      \
    FLAGSTONE_SPECIAL_REGISTER(name, x)             \
    FLAGSTONE_SPECIAL_REGISTER(name, y)             \
    FLAGSTONE_SPECIAL_REGISTER(name, z)             \
  };                                                \
  extern const __device__ variable##Registers variable;
FLAGSTONE_SPECIAL_REGISTERS(threadIdx, tid)
FLAGSTONE_SPECIAL_REGISTERS(blockIdx, ctaid)
FLAGSTONE_SPECIAL_REGISTERS(blockDim, ntid)
FLAGSTONE_SPECIAL_REGISTERS(gridDim, nctaid)
#undef FLAGSTONE_SPECIAL_REGISTERS
#undef FLAGSTONE_SPECIAL_REGISTER

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

// clang-14 holds that a barrier leaves shared variables alone, and moves loads of them across it;
// the empty assembly text, which may write any memory, keeps them in place.
__device__ static inline void FlagstoneKeepMemoryInOrder() { __asm__ volatile("" ::: "memory"); }
#define __syncthreads() (__syncthreads(), FlagstoneKeepMemoryInOrder())

using size_t = decltype(sizeof(0));
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long long;

// Vectors that are loaded and stored as one access.
#define FLAGSTONE_VECTOR2(name, type)                      \
  struct __attribute__((aligned(2 * sizeof(type)))) name { \
    type x, y;                                             \
  };                                                       \
  __device__ static inline name make_##name(type x, type y) { return {x, y}; }
#define FLAGSTONE_VECTOR4(name, type)                      \
  struct __attribute__((aligned(4 * sizeof(type)))) name { \
    type x, y, z, w;                                       \
  };                                                       \
  __device__ static inline name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }
FLAGSTONE_VECTOR2(float2, float)
FLAGSTONE_VECTOR2(int2, int)
FLAGSTONE_VECTOR2(uint2, unsigned)
FLAGSTONE_VECTOR4(float4, float)
FLAGSTONE_VECTOR4(int4, int)
FLAGSTONE_VECTOR4(uint4, unsigned)
FLAGSTONE_VECTOR4(char4, signed char)
FLAGSTONE_VECTOR4(uchar4, unsigned char)
FLAGSTONE_VECTOR4(ushort4, unsigned short)
#undef FLAGSTONE_VECTOR2
#undef FLAGSTONE_VECTOR4

// Arithmetic for which CUDA has functions. The exact ones are one PTX instruction; those that CUDA
// takes from its device library (expf, sinf, ...) are PTX's approximations here, as -use_fast_math
// has them.
#define FLAGSTONE_MATH __device__ static inline
FLAGSTONE_MATH int min(int a, int b) { return a < b ? a : b; }
FLAGSTONE_MATH int max(int a, int b) { return a > b ? a : b; }
FLAGSTONE_MATH unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
FLAGSTONE_MATH unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
FLAGSTONE_MATH int abs(int a) { return a < 0 ? -a : a; }
FLAGSTONE_MATH float fabsf(float a) { return __builtin_fabsf(a); }
FLAGSTONE_MATH float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
FLAGSTONE_MATH float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
FLAGSTONE_MATH float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
FLAGSTONE_MATH double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
FLAGSTONE_MATH float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
FLAGSTONE_MATH double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
FLAGSTONE_MATH float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
FLAGSTONE_MATH float floorf(float a) { return __nvvm_floor_f(a); }
FLAGSTONE_MATH float ceilf(float a) { return __nvvm_ceil_f(a); }
FLAGSTONE_MATH float sinf(float a) { return __nvvm_sin_approx_f(a); }
FLAGSTONE_MATH float cosf(float a) { return __nvvm_cos_approx_f(a); }
FLAGSTONE_MATH float exp2f(float a) { return __nvvm_ex2_approx_f(a); }
FLAGSTONE_MATH float log2f(float a) { return __nvvm_lg2_approx_f(a); }
FLAGSTONE_MATH float expf(float a) { return exp2f(a * 1.4426950408889634F); }
FLAGSTONE_MATH float logf(float a) { return log2f(a) * 0.6931471805599453F; }
FLAGSTONE_MATH float powf(float a, float b) { return exp2f(b * log2f(a)); }
FLAGSTONE_MATH float __expf(float a) { return expf(a); }
FLAGSTONE_MATH float __exp10f(float a) { return exp2f(a * 3.3219280948873623F); }
FLAGSTONE_MATH float __logf(float a) { return logf(a); }
FLAGSTONE_MATH float __log2f(float a) { return log2f(a); }
FLAGSTONE_MATH float __log10f(float a) { return log2f(a) * 0.3010299956639812F; }
FLAGSTONE_MATH float __powf(float a, float b) { return powf(a, b); }
FLAGSTONE_MATH float __sinf(float a) { return sinf(a); }
FLAGSTONE_MATH float __cosf(float a) { return cosf(a); }
FLAGSTONE_MATH float __tanf(float a) { return __nvvm_div_approx_f(sinf(a), cosf(a)); }
FLAGSTONE_MATH void __sincosf(float a, float* sine, float* cosine) {
  *sine = sinf(a);
  *cosine = cosf(a);
}
FLAGSTONE_MATH float __saturatef(float a) { return __nvvm_saturate_f(a); }
FLAGSTONE_MATH float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
FLAGSTONE_MATH float __frsqrt_rn(float a) { return 1.0F / __nvvm_sqrt_rn_f(a); }
FLAGSTONE_MATH float __frcp_rn(float a) { return 1.0F / a; }
FLAGSTONE_MATH float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
FLAGSTONE_MATH float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
FLAGSTONE_MATH float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
FLAGSTONE_MATH float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
FLAGSTONE_MATH int __float2int_rz(float a) { return __nvvm_f2i_rz(a); }
FLAGSTONE_MATH int __float2int_rn(float a) { return __nvvm_f2i_rn(a); }
FLAGSTONE_MATH float __int_as_float(int a) { return __nvvm_bitcast_i2f(a); }
FLAGSTONE_MATH int __float_as_int(float a) { return __nvvm_bitcast_f2i(a); }
FLAGSTONE_MATH int __popc(unsigned a) { return __builtin_popcount(a); }
FLAGSTONE_MATH int __clz(int a) { return a == 0 ? 32 : __builtin_clz(static_cast<unsigned>(a)); }
FLAGSTONE_MATH int __ffs(int a) { return __builtin_ffs(a); }
FLAGSTONE_MATH int __mul24(int a, int b) { return a * b; }
FLAGSTONE_MATH unsigned __umul24(unsigned a, unsigned b) { return a * b; }
FLAGSTONE_MATH float exp(float a) { return expf(a); }
FLAGSTONE_MATH float log(float a) { return logf(a); }
FLAGSTONE_MATH float pow(float a, float b) { return powf(a, b); }
FLAGSTONE_MATH float sqrt(float a) { return sqrtf(a); }
FLAGSTONE_MATH float fabs(float a) { return fabsf(a); }
FLAGSTONE_MATH float floor(float a) { return floorf(a); }
FLAGSTONE_MATH float ceil(float a) { return ceilf(a); }
FLAGSTONE_MATH float min(float a, float b) { return fminf(a, b); }
FLAGSTONE_MATH float max(float a, float b) { return fmaxf(a, b); }
FLAGSTONE_MATH float tanhf(float a) { return 1.0F - 2.0F / (expf(2.0F * a) + 1.0F); }
FLAGSTONE_MATH double fabs(double a) { return __builtin_fabs(a); }
FLAGSTONE_MATH double floor(double a) { return __nvvm_floor_d(a); }
FLAGSTONE_MATH double ceil(double a) { return __nvvm_ceil_d(a); }
FLAGSTONE_MATH double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
FLAGSTONE_MATH double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
FLAGSTONE_MATH double min(double a, double b) { return fmin(a, b); }
FLAGSTONE_MATH double max(double a, double b) { return fmax(a, b); }
FLAGSTONE_MATH double rsqrt(double a) { return 1.0 / sqrt(a); }
FLAGSTONE_MATH long long min(long long a, long long b) { return a < b ? a : b; }
FLAGSTONE_MATH long long max(long long a, long long b) { return a > b ? a : b; }
FLAGSTONE_MATH ulong min(ulong a, ulong b) { return a < b ? a : b; }
FLAGSTONE_MATH ulong max(ulong a, ulong b) { return a > b ? a : b; }
FLAGSTONE_MATH long min(long a, long b) { return a < b ? a : b; }
FLAGSTONE_MATH long max(long a, long b) { return a > b ? a : b; }
FLAGSTONE_MATH size_t min(size_t a, size_t b) { return a < b ? a : b; }
FLAGSTONE_MATH size_t max(size_t a, size_t b) { return a > b ? a : b; }
// As CUDA has them: of a signed and an unsigned value both are unsigned.
FLAGSTONE_MATH unsigned min(int a, unsigned b) { return min(static_cast<unsigned>(a), b); }
FLAGSTONE_MATH unsigned min(unsigned a, int b) { return min(a, static_cast<unsigned>(b)); }
FLAGSTONE_MATH unsigned max(int a, unsigned b) { return max(static_cast<unsigned>(a), b); }
FLAGSTONE_MATH unsigned max(unsigned a, int b) { return max(a, static_cast<unsigned>(b)); }

// Double precision, for which PTX has no instruction and CUDA a library: series after a reduction
// of the argument, right to about two units in the last place.
FLAGSTONE_MATH double FlagstonePowerOfTwo(int n) {
  return __nvvm_bitcast_ll2d(static_cast<long long>(n + 1023) << 52);
}
FLAGSTONE_MATH double exp(double a) {
  if (a != a) return a;
  if (a > 709.79) return __nvvm_bitcast_ll2d(0x7ff0000000000000LL);
  if (a < -745.14) return 0.0;
  const double n = __nvvm_floor_d(a * 1.4426950408889634074 + 0.5);
  const double r = fma(-n, 1.9082149292705877e-10, fma(-n, 6.93147180369123816490e-01, a));
  double sum = 1.0;
#pragma unroll
  for (int k = 14; k > 0; --k) sum = fma(sum, r / k, 1.0);
  // In two steps: 2^n alone may not be a double.
  const int half = static_cast<int>(n) / 2;
  return sum * FlagstonePowerOfTwo(half) * FlagstonePowerOfTwo(static_cast<int>(n) - half);
}
FLAGSTONE_MATH double log(double a) {
  if (!(a > 0.0))
    return a == 0.0 ? __nvvm_bitcast_ll2d(static_cast<long long>(0xfffULL << 52))
                    : __nvvm_bitcast_ll2d(0x7ff8000000000000LL);
  const bool small = a < 2.2250738585072014e-308;
  const long long bits = __nvvm_bitcast_d2ll(small ? a * 18014398509481984.0 : a);
  if (bits == 0x7ff0000000000000LL) return a;
  int exponent = static_cast<int>(bits >> 52) - 1023 - (small ? 54 : 0);
  double m = __nvvm_bitcast_ll2d((bits & 0xfffffffffffffLL) | 0x3ff0000000000000LL);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double square = s * s;
  double sum = 0.0;
#pragma unroll
  for (int k = 23; k > 1; k -= 2) sum = fma(sum, square, 1.0 / k);
  const double fraction = fma(2.0 * s * square, sum, 2.0 * s);
  return fma(exponent, 6.93147180369123816490e-01, fma(exponent, 1.9082149292705877e-10, fraction));
}
// Of a > 0; what log(a) is wrong by counts b log(a) times.
FLAGSTONE_MATH double pow(double a, double b) { return exp(b * log(a)); }
// sin(a + quarters * pi / 2), for |a| up to some 100,000.
FLAGSTONE_MATH double FlagstoneSine(double a, int quarters) {
  const double n = __nvvm_floor_d(a * 0.63661977236758134308 + 0.5);
  const double r = fma(-n, 6.1232339957367574e-17, fma(-n, 1.5707963267948966, a));
  const int quadrant = static_cast<int>(n) + quarters;
  const double square = r * r;
  const bool cosine = (quadrant & 1) != 0;
  double sum = 1.0;
#pragma unroll
  for (int k = 18; k > 0; k -= 2) {
    sum = fma(-sum, square / (cosine ? k * (k - 1) : k * (k + 1)), 1.0);
  }
  const double value = cosine ? sum : r * sum;
  return (quadrant & 2) != 0 ? -value : value;
}
FLAGSTONE_MATH double sin(double a) { return FlagstoneSine(a, 0); }
FLAGSTONE_MATH double cos(double a) { return FlagstoneSine(a, 1); }
FLAGSTONE_MATH double tanh(double a) { return 1.0 - 2.0 / (exp(2.0 * a) + 1.0); }
#undef FLAGSTONE_MATH

// Loads through the read-only path of the caches.
#define FLAGSTONE_LDG(type, letter) \
  __device__ static inline type __ldg(const type* p) { return __nvvm_ldg_##letter(p); }
FLAGSTONE_LDG(int, i)
FLAGSTONE_LDG(unsigned, ui)
FLAGSTONE_LDG(long long, ll)
FLAGSTONE_LDG(ulong, ull)
FLAGSTONE_LDG(uchar, uc)
FLAGSTONE_LDG(ushort, us)
FLAGSTONE_LDG(float, f)
FLAGSTONE_LDG(double, d)
#undef FLAGSTONE_LDG

// The compiler makes a call of vprintf of it.
extern "C" __device__ int printf(const char* format, ...);

// Atomics: the compiler turns the generic ones into .global or .shared where it knows the space.
#define FLAGSTONE_ATOMIC __device__ static inline
FLAGSTONE_ATOMIC int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
FLAGSTONE_ATOMIC unsigned atomicAdd(unsigned* p, unsigned v) {
  return static_cast<unsigned>(
      __nvvm_atom_add_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)));
}
FLAGSTONE_ATOMIC ulong atomicAdd(ulong* p, ulong v) {
  return static_cast<ulong>(
      __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(p), static_cast<long long>(v)));
}
FLAGSTONE_ATOMIC float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
FLAGSTONE_ATOMIC int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
FLAGSTONE_ATOMIC unsigned atomicMin(unsigned* p, unsigned v) {
  return __nvvm_atom_min_gen_ui(p, v);
}
FLAGSTONE_ATOMIC int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
FLAGSTONE_ATOMIC unsigned atomicMax(unsigned* p, unsigned v) {
  return __nvvm_atom_max_gen_ui(p, v);
}
FLAGSTONE_ATOMIC int atomicOr(int* p, int v) { return __nvvm_atom_or_gen_i(p, v); }
FLAGSTONE_ATOMIC int atomicAnd(int* p, int v) { return __nvvm_atom_and_gen_i(p, v); }
FLAGSTONE_ATOMIC int atomicXor(int* p, int v) { return __nvvm_atom_xor_gen_i(p, v); }
FLAGSTONE_ATOMIC int atomicExch(int* p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
FLAGSTONE_ATOMIC int atomicCAS(int* p, int expected, int v) {
  return __nvvm_atom_cas_gen_i(p, expected, v);
}
FLAGSTONE_ATOMIC ulong atomicCAS(ulong* p, ulong expected, ulong v) {
  return static_cast<ulong>(__nvvm_atom_cas_gen_ll(reinterpret_cast<long long*>(p),
                                                   static_cast<long long>(expected),
                                                   static_cast<long long>(v)));
}
#if __CUDA_ARCH__ >= 600
FLAGSTONE_ATOMIC double atomicAdd(double* p, double v) { return __nvvm_atom_add_gen_d(p, v); }
#else
// Older GPUs have no such instruction.
FLAGSTONE_ATOMIC double atomicAdd(double* p, double v) {
  ulong* const bits = reinterpret_cast<ulong*>(p);
  ulong seen = *bits, expected = 0;
  do {
    expected = seen;
    const double sum = __nvvm_bitcast_ll2d(static_cast<long long>(expected)) + v;
    seen = atomicCAS(bits, expected, static_cast<ulong>(__nvvm_bitcast_d2ll(sum)));
  } while (seen != expected);
  return __nvvm_bitcast_ll2d(static_cast<long long>(seen));
}
#endif
FLAGSTONE_ATOMIC unsigned atomicInc(unsigned* p, unsigned limit) {
  return __nvvm_atom_inc_gen_ui(p, limit);
}
#undef FLAGSTONE_ATOMIC

// Exchanges within a warp, or within its parts of `width` lanes: 1, 2, 4, 8, 16 or 32. Values of 64
// bits go as two words.
#define FLAGSTONE_SHUFFLE(function, instruction, clamp)                                           \
  __device__ static inline int function(unsigned mask, int value, int lane, int width = 32) {     \
    return __nvvm_shfl_sync_##instruction##_i32(mask, value, lane, (32 - width) << 8 | clamp);    \
  }                                                                                               \
  __device__ static inline unsigned function(unsigned mask, unsigned value, int lane,             \
                                             int width = 32) {                                    \
    return static_cast<unsigned>(function(mask, static_cast<int>(value), lane, width));           \
  }                                                                                               \
  __device__ static inline float function(unsigned mask, float value, int lane, int width = 32) { \
    return __nvvm_shfl_sync_##instruction##_f32(mask, value, lane, (32 - width) << 8 | clamp);    \
  }                                                                                               \
  __device__ static inline long long function(unsigned mask, long long value, int lane,           \
                                              int width = 32) {                                   \
    const unsigned low = function(mask, static_cast<unsigned>(value), lane, width);               \
    const int high = function(mask, static_cast<int>(value >> 32), lane, width);                  \
    return static_cast<long long>(high) << 32 | low;                                              \
  }                                                                                               \
  __device__ static inline ulong function(unsigned mask, ulong value, int lane, int width = 32) { \
    return static_cast<ulong>(function(mask, static_cast<long long>(value), lane, width));        \
  }                                                                                               \
  __device__ static inline double function(unsigned mask, double value, int lane,                 \
                                           int width = 32) {                                      \
    const long long bits = __nvvm_bitcast_d2ll(value);                                            \
    return __nvvm_bitcast_ll2d(function(mask, bits, lane, width));                                \
  }
FLAGSTONE_SHUFFLE(__shfl_sync, idx, 0x1f)
FLAGSTONE_SHUFFLE(__shfl_up_sync, up, 0)
FLAGSTONE_SHUFFLE(__shfl_down_sync, down, 0x1f)
FLAGSTONE_SHUFFLE(__shfl_xor_sync, bfly, 0x1f)
#undef FLAGSTONE_SHUFFLE
__device__ static inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
__device__ static inline int __any_sync(unsigned mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
__device__ static inline int __all_sync(unsigned mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
__device__ static inline void __syncwarp(unsigned mask = 0xffffffff) { __nvvm_bar_warp_sync(mask); }
__device__ static inline void __threadfence() { __nvvm_membar_gl(); }
__device__ static inline void __threadfence_block() { __nvvm_membar_cta(); }
__device__ static inline unsigned LaneId() { return __nvvm_read_ptx_sreg_laneid(); }

// Textures, by texture references: `texture<float, 2> image;` at file scope declares one, and
// [texture.image] of workload.toml binds it. The compiler makes a `.global .texref` of it and takes
// its address as the handle.
struct textureReference {
  int unused;
};
template <class T, int Dimensions = 1, int ReadMode = 0>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};

#define FLAGSTONE_TEX1D_FETCH(type, letter, constraint)                          \
  __device__ static inline type##4 tex1Dfetch4(texture<type, 1> t, int i) {      \
    type##4 r;                                                                   \
    __asm__("tex.1d.v4." letter "32.s32 {%0, %1, %2, %3}, [%4, {%5}];"           \
            : constraint(r.x), constraint(r.y), constraint(r.z), constraint(r.w) \
            : "l"(t), "r"(i));                                                   \
    return r;                                                                    \
  }                                                                              \
  __device__ static inline type tex1Dfetch(texture<type, 1> t, int i) {          \
    return tex1Dfetch4(t, i).x;                                                  \
  }
#define FLAGSTONE_TEX2D(type, letter, constraint)                                 \
  __device__ static inline type##4 tex2D4(texture<type, 2> t, float x, float y) { \
    type##4 r;                                                                    \
    __asm__("tex.2d.v4." letter "32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"        \
            : constraint(r.x), constraint(r.y), constraint(r.z), constraint(r.w)  \
            : "l"(t), "f"(x), "f"(y));                                            \
    return r;                                                                     \
  }                                                                               \
  __device__ static inline type tex2D(texture<type, 2> t, float x, float y) {     \
    return tex2D4(t, x, y).x;                                                     \
  }
FLAGSTONE_TEX1D_FETCH(float, "f", "=f")
FLAGSTONE_TEX1D_FETCH(int, "s", "=r")
FLAGSTONE_TEX1D_FETCH(uint, "u", "=r")
FLAGSTONE_TEX2D(float, "f", "=f")
FLAGSTONE_TEX2D(int, "s", "=r")
FLAGSTONE_TEX2D(uint, "u", "=r")
#undef FLAGSTONE_TEX1D_FETCH
#undef FLAGSTONE_TEX2D

#endif  // FLAGSTONE_WORKLOADS_CUDA_SHIM_H_
