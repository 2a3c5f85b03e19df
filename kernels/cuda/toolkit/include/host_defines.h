// CUDA's words for where code and data live. Outside of CUDA C++ they mean nothing.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_HOST_DEFINES_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_HOST_DEFINES_H_
#define __HOST_DEFINES_H__  // by which others tell that the words below are there

#if defined(__CUDA__) && defined(__clang__)
#define __constant__ __attribute__((constant))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// clang-14 knows no managed variables. They are device variables whose host side lies in a section
// of its own, pages that the client library maps over with device memory (kernels/cuda/client).
#define __managed__ __attribute__((device, section("flagstone_managed"), aligned(4096)))
#else
#define __constant__
#define __device__
#define __global__
#define __host__
#define __shared__
#define __launch_bounds__(...)
#define __managed__
#endif

#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __annotate__(a) __attribute__((a))

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_HOST_DEFINES_H_
