// CUDA's functions that host code has too.
#ifndef FLAGSTONE_CUDA_HOST_MATH_H_
#define FLAGSTONE_CUDA_HOST_MATH_H_

static inline __host__ int min(int a, int b) { return a < b ? a : b; }
static inline __host__ int max(int a, int b) { return a > b ? a : b; }

#endif  // FLAGSTONE_CUDA_HOST_MATH_H_
