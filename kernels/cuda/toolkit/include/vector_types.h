// CUDA's vector types and dim3: for device code, host code, and plain C.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_VECTOR_TYPES_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_VECTOR_TYPES_H_

#include "host_defines.h"

#define FLAGSTONE_VECTORS(type, name, align2, align4)       \
  typedef struct name##1 {                                  \
    type x;                                                 \
  }                                                         \
  name##1;                                                  \
  typedef struct __attribute__((aligned(align2))) name##2 { \
    type x, y;                                              \
  }                                                         \
  name##2;                                                  \
  typedef struct name##3 {                                  \
    type x, y, z;                                           \
  }                                                         \
  name##3;                                                  \
  typedef struct __attribute__((aligned(align4))) name##4 { \
    type x, y, z, w;                                        \
  }                                                         \
  name##4;
FLAGSTONE_VECTORS(signed char, char, 2, 4)
FLAGSTONE_VECTORS(unsigned char, uchar, 2, 4)
FLAGSTONE_VECTORS(short, short, 4, 8)
FLAGSTONE_VECTORS(unsigned short, ushort, 4, 8)
FLAGSTONE_VECTORS(int, int, 8, 16)
FLAGSTONE_VECTORS(unsigned int, uint, 8, 16)
FLAGSTONE_VECTORS(long, long, 16, 16)
FLAGSTONE_VECTORS(unsigned long, ulong, 16, 16)
FLAGSTONE_VECTORS(long long, longlong, 16, 16)
FLAGSTONE_VECTORS(unsigned long long, ulonglong, 16, 16)
FLAGSTONE_VECTORS(float, float, 8, 16)
FLAGSTONE_VECTORS(double, double, 16, 16)
#undef FLAGSTONE_VECTORS

#ifdef __cplusplus
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 {
  unsigned int x, y, z;
} dim3;
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_VECTOR_TYPES_H_
