// Copies from global to shared memory that a thread waits for later: cp.async.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

__device__ static inline void __pipeline_memcpy_async(void* to, const void* from, size_t size,
                                                      size_t zeros = 0) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const unsigned there = static_cast<unsigned>(size - zeros);
  if (size == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from),
                 "r"(there)
                 : "memory");
  } else if (size == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(from), "r"(there)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(there)
                 : "memory");
  }
}
__device__ static inline void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
// Copies are made when they are asked for: a wait for all is a wait for some.
__device__ static inline void __pipeline_wait_prior(size_t) {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
typedef uint64_t __mbarrier_t;
__device__ static inline void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(barrier)))
               : "memory");
}

#endif  // CUDA C++

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_PIPELINE_PRIMITIVES_H_
