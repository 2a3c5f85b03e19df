// CUDA C++ for clang-14 without NVIDIA's toolkit: the runtime API, and in CUDA C++ all that device
// code finds without an include. In plain C and C++ only the API is here.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_RUNTIME_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_RUNTIME_H_
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "host_defines.h"
#include "vector_functions.h"
#include "vector_types.h"

// Programs count on these.
#ifdef __cplusplus
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

#if defined(__CUDA__) && defined(__clang__)

#include <limits.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
// clang's own headers, of the package libclang-common-14-dev. The first makes the host's functions
// of the same names step back in device code.
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_math_forward_declares.h>

#include "flagstone/libdevice.h"
#pragma push_macro("__forceinline__")
#undef __forceinline__
#define __forceinline__ __device__ __inline__ __attribute__((always_inline))
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("__forceinline__")

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include <__clang_cuda_intrinsics.h>

#include "flagstone/device.h"
#include "flagstone/dpx.h"
#include "flagstone/host_math.h"
#include "flagstone/intrinsics.h"
#include "flagstone/launch.h"
#include "flagstone/simd_in_word.h"

#endif  // CUDA C++

#if defined(__cplusplus)
// Casts of the old kind: pointers to const are allocated too.
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  return cudaMalloc((void**)pointer, size);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                     unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void**)pointer, size, stream);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}

// Variables are named by themselves, or, as before CUDA 5, by their names.
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size,
                                      size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, size, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), size, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size,
                                           size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                           cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), from, size, offset, kind,
                                 stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void*>(&symbol), size, offset, kind,
                                   stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return cudaGetSymbolAddress(address, reinterpret_cast<const void*>(&symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, reinterpret_cast<const void*>(&symbol));
}

// Kernels as functions of their own types.
template <class T>
inline cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                    size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, arguments, shared,
                          stream);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                               size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block,
                                     arguments, shared, stream);
}
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                      void (*kernel)(Parameters...), Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* places[sizeof...(Parameters) + 1] = {(void*)&converted...};
    return cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), places);
  }(static_cast<Arguments&&>(arguments)...);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* function) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* function, enum cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* function, enum cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* function, enum cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(function), config);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function,
                                                                 int block_size, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(function), block_size, shared);
}
// The largest power-of-two block that fills an SM best.
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T function,
                                                      size_t shared = 0, int limit = 0) {
  int best = 0, sms = 1;
  *grid = *block = 0;
  for (int size = 1024; size >= 32; size /= 2) {
    if (limit > 0 && size > limit) continue;
    int blocks = 0;
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size, shared);
    if (error != cudaSuccess) continue;
    if (blocks * size > best) {
      best = blocks * size;
      *block = size;
      *grid = blocks;
    }
  }
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  *grid *= sms;
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define FLAGSTONE_CHANNELS(type, name, kind)                                           \
  template <>                                                                          \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                         \
    return cudaCreateChannelDesc(8 * sizeof(type), 0, 0, 0, kind);                     \
  }                                                                                    \
  template <>                                                                          \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##1>() {                      \
    return cudaCreateChannelDesc(8 * sizeof(type), 0, 0, 0, kind);                     \
  }                                                                                    \
  template <>                                                                          \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##2>() {                      \
    return cudaCreateChannelDesc(8 * sizeof(type), 8 * sizeof(type), 0, 0, kind);      \
  }                                                                                    \
  template <>                                                                          \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##4>() {                      \
    return cudaCreateChannelDesc(8 * sizeof(type), 8 * sizeof(type), 8 * sizeof(type), \
                                 8 * sizeof(type), kind);                              \
  }
FLAGSTONE_CHANNELS(signed char, char, cudaChannelFormatKindSigned)
FLAGSTONE_CHANNELS(unsigned char, uchar, cudaChannelFormatKindUnsigned)
FLAGSTONE_CHANNELS(short, short, cudaChannelFormatKindSigned)
FLAGSTONE_CHANNELS(unsigned short, ushort, cudaChannelFormatKindUnsigned)
FLAGSTONE_CHANNELS(int, int, cudaChannelFormatKindSigned)
FLAGSTONE_CHANNELS(unsigned int, uint, cudaChannelFormatKindUnsigned)
FLAGSTONE_CHANNELS(float, float, cudaChannelFormatKindFloat)
#undef FLAGSTONE_CHANNELS
template <>
inline cudaChannelFormatDesc cudaCreateChannelDesc<char>() {
  return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
}

#endif  // __cplusplus

#if defined(__CUDA__) && defined(__clang__)
#include "flagstone/surface.h"
#include "flagstone/texture.h"
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CUDA_RUNTIME_H_
