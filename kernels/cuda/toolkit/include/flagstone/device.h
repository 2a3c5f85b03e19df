// Device functions that clang's own headers leave to NVIDIA's: barriers that keep memory in order,
// atomics of more types, printf and assert.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_DEVICE_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_DEVICE_H_

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
// A kernel that calls them is refused with its line; the others of its file run.
__device__ void* malloc(size_t);
__device__ void free(void*);
// Of launches from kernels: Thrust's headers name them.
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block,
                                        unsigned shared, cudaStream_t stream);
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t char_size);
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) noexcept {
  __assertfail(message, file, line, function, sizeof(char));
}
}

// clang-14 holds that a barrier leaves shared variables alone, and moves loads of them across it;
// the empty assembly text, which may write any memory, keeps them in place.
__device__ static inline void FlagstoneKeepMemoryInOrder() { __asm__ volatile("" ::: "memory"); }
#define __syncthreads() (__syncthreads(), FlagstoneKeepMemoryInOrder())

static inline __device__ float rsqrt(float a) { return rsqrtf(a); }

// Atomics: the compiler turns the generic ones into .global or .shared where it knows the space.
// Those of a block and of the system are at least as strong as asked for.
#define FLAGSTONE_ATOMIC(type, name, ...)                                                         \
  __device__ static inline type name(                                                             \
      type* p, type v){__VA_ARGS__} __device__ static inline type name##_block(type* p, type v) { \
    return name(p, v);                                                                            \
  }                                                                                               \
  __device__ static inline type name##_system(type* p, type v) { return name(p, v); }
FLAGSTONE_ATOMIC(int, atomicAdd, return __nvvm_atom_add_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicAdd, return __nvvm_atom_add_gen_i((int*)p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicAdd, return __nvvm_atom_add_gen_ll((long long*)p, v);)
FLAGSTONE_ATOMIC(float, atomicAdd, return __nvvm_atom_add_gen_f(p, v);)
FLAGSTONE_ATOMIC(double, atomicAdd, return __nvvm_atom_add_gen_d(p, v);)
FLAGSTONE_ATOMIC(int, atomicSub, return __nvvm_atom_add_gen_i(p, -v);)
FLAGSTONE_ATOMIC(unsigned, atomicSub, return __nvvm_atom_add_gen_i((int*)p, -v);)
FLAGSTONE_ATOMIC(int, atomicExch, return __nvvm_atom_xchg_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicExch, return __nvvm_atom_xchg_gen_i((int*)p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicExch, return __nvvm_atom_xchg_gen_ll((long long*)p, v);)
FLAGSTONE_ATOMIC(float, atomicExch,
                 return __int_as_float(__nvvm_atom_xchg_gen_i((int*)p, __float_as_int(v)));)
FLAGSTONE_ATOMIC(int, atomicMin, return __nvvm_atom_min_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicMin, return __nvvm_atom_min_gen_ui(p, v);)
FLAGSTONE_ATOMIC(long long, atomicMin, return __nvvm_atom_min_gen_ll(p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicMin, return __nvvm_atom_min_gen_ull(p, v);)
FLAGSTONE_ATOMIC(int, atomicMax, return __nvvm_atom_max_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicMax, return __nvvm_atom_max_gen_ui(p, v);)
FLAGSTONE_ATOMIC(long long, atomicMax, return __nvvm_atom_max_gen_ll(p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicMax, return __nvvm_atom_max_gen_ull(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicInc, return __nvvm_atom_inc_gen_ui(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicDec, return __nvvm_atom_dec_gen_ui(p, v);)
FLAGSTONE_ATOMIC(int, atomicAnd, return __nvvm_atom_and_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicAnd, return __nvvm_atom_and_gen_i((int*)p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicAnd, return __nvvm_atom_and_gen_ll((long long*)p, v);)
FLAGSTONE_ATOMIC(int, atomicOr, return __nvvm_atom_or_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicOr, return __nvvm_atom_or_gen_i((int*)p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicOr, return __nvvm_atom_or_gen_ll((long long*)p, v);)
FLAGSTONE_ATOMIC(int, atomicXor, return __nvvm_atom_xor_gen_i(p, v);)
FLAGSTONE_ATOMIC(unsigned, atomicXor, return __nvvm_atom_xor_gen_i((int*)p, v);)
FLAGSTONE_ATOMIC(unsigned long long, atomicXor, return __nvvm_atom_xor_gen_ll((long long*)p, v);)
#undef FLAGSTONE_ATOMIC
#define FLAGSTONE_CAS(type, name, call)                                                       \
  __device__ static inline type name(type* p, type expected, type v) { return call; }         \
  __device__ static inline type name##_block(type* p, type expected, type v) { return call; } \
  __device__ static inline type name##_system(type* p, type expected, type v) { return call; }
FLAGSTONE_CAS(int, atomicCAS, __nvvm_atom_cas_gen_i(p, expected, v))
FLAGSTONE_CAS(unsigned, atomicCAS, __nvvm_atom_cas_gen_i((int*)p, expected, v))
FLAGSTONE_CAS(unsigned long long, atomicCAS, __nvvm_atom_cas_gen_ll((long long*)p, expected, v))
#undef FLAGSTONE_CAS

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_DEVICE_H_
