// DPX: sums, and the largest and least of two and three, in a word or in halves.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_DPX_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_DPX_H_

#include "flagstone/host_math.h"
#include "flagstone/simd_in_word.h"

#define FLAGSTONE_DEVICE __device__ static inline __attribute__((always_inline))

#define FLAGSTONE_DPX(name, op)                                                              \
  FLAGSTONE_DEVICE int __vi##name##3_s32(int a, int b, int c) { return op(op(a, b), c); }    \
  FLAGSTONE_DEVICE unsigned __vi##name##3_u32(unsigned a, unsigned b, unsigned c) {          \
    return op(op(a, b), c);                                                                  \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vi##name##3_s16x2(unsigned a, unsigned b, unsigned c) {        \
    return __v##name##s2(__v##name##s2(a, b), c);                                            \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vi##name##3_u16x2(unsigned a, unsigned b, unsigned c) {        \
    return __v##name##u2(__v##name##u2(a, b), c);                                            \
  }                                                                                          \
  FLAGSTONE_DEVICE int __vi##name##3_s32_relu(int a, int b, int c) {                         \
    return max(op(op(a, b), c), 0);                                                          \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vi##name##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {   \
    return __vmaxs2(__v##name##s2(__v##name##s2(a, b), c), 0);                               \
  }                                                                                          \
  FLAGSTONE_DEVICE int __vi##name##_s32_relu(int a, int b) { return max(op(a, b), 0); }      \
  FLAGSTONE_DEVICE unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b) {                \
    return __vmaxs2(__v##name##s2(a, b), 0);                                                 \
  }                                                                                          \
  FLAGSTONE_DEVICE int __viadd##name##_s32(int a, int b, int c) {                            \
    return op((int)((unsigned)a + (unsigned)b), c);                                          \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_u32(unsigned a, unsigned b, unsigned c) {        \
    return op(a + b, c);                                                                     \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_s16x2(unsigned a, unsigned b, unsigned c) {      \
    return __v##name##s2(__vadd2(a, b), c);                                                  \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_u16x2(unsigned a, unsigned b, unsigned c) {      \
    return __v##name##u2(__vadd2(a, b), c);                                                  \
  }                                                                                          \
  FLAGSTONE_DEVICE int __viadd##name##_s32_relu(int a, int b, int c) {                       \
    return max(__viadd##name##_s32(a, b, c), 0);                                             \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __viadd##name##_s16x2_relu(unsigned a, unsigned b, unsigned c) { \
    return __vmaxs2(__viadd##name##_s16x2(a, b, c), 0);                                      \
  }                                                                                          \
  FLAGSTONE_DEVICE int __vib##name##_s32(int a, int b, bool* first) {                        \
    *first = op(a, b) == a;                                                                  \
    return op(a, b);                                                                         \
  }                                                                                          \
  FLAGSTONE_DEVICE unsigned __vib##name##_u32(unsigned a, unsigned b, bool* first) {         \
    *first = op(a, b) == a;                                                                  \
    return op(a, b);                                                                         \
  }
FLAGSTONE_DPX(max, max)
FLAGSTONE_DPX(min, min)
#undef FLAGSTONE_DPX

#undef FLAGSTONE_DEVICE

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_DPX_H_
