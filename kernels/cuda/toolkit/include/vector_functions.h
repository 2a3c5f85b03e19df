// make_float4 and its like.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_VECTOR_FUNCTIONS_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_VECTOR_FUNCTIONS_H_

#include "vector_types.h"

#ifdef __cplusplus
#define FLAGSTONE_MAKE(type, name)                                                               \
  static __inline__ __host__ __device__ name##1 make_##name##1(type x) { return name##1 {x}; }   \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) {                 \
    return name##2 {x, y};                                                                       \
  }                                                                                              \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {         \
    return name##3 {x, y, z};                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { \
    return name##4 {x, y, z, w};                                                                 \
  }
FLAGSTONE_MAKE(signed char, char)
FLAGSTONE_MAKE(unsigned char, uchar)
FLAGSTONE_MAKE(short, short)
FLAGSTONE_MAKE(unsigned short, ushort)
FLAGSTONE_MAKE(int, int)
FLAGSTONE_MAKE(unsigned int, uint)
FLAGSTONE_MAKE(long, long)
FLAGSTONE_MAKE(unsigned long, ulong)
FLAGSTONE_MAKE(long long, longlong)
FLAGSTONE_MAKE(unsigned long long, ulonglong)
FLAGSTONE_MAKE(float, float)
FLAGSTONE_MAKE(double, double)
#undef FLAGSTONE_MAKE
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_VECTOR_FUNCTIONS_H_
