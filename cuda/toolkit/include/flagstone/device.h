// Device functions that clang's own headers leave to NVIDIA's: barriers that keep memory in order,
// atomics of more types, printf and assert.
#ifndef FLAGSTONE_CUDA_DEVICE_H_
#define FLAGSTONE_CUDA_DEVICE_H_

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ int printf(const char*, ...);
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

#endif  // FLAGSTONE_CUDA_DEVICE_H_
