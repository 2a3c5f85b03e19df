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
#undef FLAGSTONE_MATH

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
FLAGSTONE_ATOMIC unsigned atomicInc(unsigned* p, unsigned limit) {
  return __nvvm_atom_inc_gen_ui(p, limit);
}
#undef FLAGSTONE_ATOMIC

// Exchanges within a warp, with all 32 lanes taking part where no mask is given.
#define FLAGSTONE_SHUFFLE(function, instruction, clamp)                                 \
  __device__ static inline int function(unsigned mask, int value, int lane) {           \
    return __nvvm_shfl_sync_##instruction##_i32(mask, value, lane, clamp);              \
  }                                                                                     \
  __device__ static inline unsigned function(unsigned mask, unsigned value, int lane) { \
    return static_cast<unsigned>(function(mask, static_cast<int>(value), lane));        \
  }                                                                                     \
  __device__ static inline float function(unsigned mask, float value, int lane) {       \
    return __nvvm_shfl_sync_##instruction##_f32(mask, value, lane, clamp);              \
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
