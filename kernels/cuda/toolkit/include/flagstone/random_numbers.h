// What curand.h fills buffers with: each kind of number as a function of one block of
// Philox4x32-10.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_RANDOM_NUMBERS_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_RANDOM_NUMBERS_H_

#include "../curand_kernel.h"

namespace flagstone_random {

// Each kind makes kNumbers of what `state` draws, which begins at a block: of its four words, save
// Poisson.
struct Words {
  static constexpr int kNumbers = 4;
  __host__ __device__ void operator()(curandStatePhilox4_32_10_t* state, unsigned* out) const {
    for (int i = 0; i < kNumbers; ++i) out[i] = curand(state);
  }
};
template <class T>
struct Uniform;
template <>
struct Uniform<float> {
  static constexpr int kNumbers = 4;
  __host__ __device__ void operator()(curandStatePhilox4_32_10_t* state, float* out) const {
    for (int i = 0; i < kNumbers; ++i) out[i] = curand_uniform(state);
  }
};
template <>
struct Uniform<double> {
  static constexpr int kNumbers = 2;
  __host__ __device__ void operator()(curandStatePhilox4_32_10_t* state, double* out) const {
    for (int i = 0; i < kNumbers; ++i) out[i] = curand_uniform_double(state);
  }
};
template <class T>
struct Normal;
template <>
struct Normal<float> {
  static constexpr int kNumbers = 4;
  float mean, deviation;
  bool logarithm;  // of the numbers it is that are normal
  __host__ __device__ void operator()(curandStatePhilox4_32_10_t* state, float* out) const {
    for (int i = 0; i < kNumbers; i += 2) {
      const float2 two = curand_normal2(state);
      out[i] = mean + deviation * two.x;
      out[i + 1] = mean + deviation * two.y;
    }
    for (int i = 0; logarithm && i < kNumbers; ++i) out[i] = expf(out[i]);
  }
};
template <>
struct Normal<double> {
  static constexpr int kNumbers = 2;
  double mean, deviation;
  bool logarithm;
  __host__ __device__ void operator()(curandStatePhilox4_32_10_t* state, double* out) const {
    const double2 two = curand_normal2_double(state);
    out[0] = mean + deviation * two.x;
    out[1] = mean + deviation * two.y;
    for (int i = 0; logarithm && i < kNumbers; ++i) out[i] = exp(out[i]);
  }
};
// A number takes as many words as it needs: those of a subsequence of its own, counted by blocks.
struct Poisson {
  static constexpr int kNumbers = 1;
  double mean;
  __host__ __device__ void operator()(curandStatePhilox4_32_10_t* state, unsigned* out) const {
    const unsigned long long block =
        static_cast<unsigned long long>(state->ctr.y) << 32 | state->ctr.x;
    const unsigned long long seed =
        static_cast<unsigned long long>(state->key.y) << 32 | state->key.x;
    curand_init(seed, 1 + block, 0, state);
    out[0] = curand_poisson(state, mean);
  }
};

// Stores the numbers of block `first` + `block` of the generator, as block `block` of the buffer.
template <class T, class Draw>
__host__ __device__ void Store(T* out, size_t count, size_t block, unsigned long long seed,
                               unsigned long long first, const Draw& draw) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, 0, 4 * (first + block), &state);
  T numbers[Draw::kNumbers];
  draw(&state, numbers);
  for (int i = 0; i < Draw::kNumbers && Draw::kNumbers * block + i < count; ++i) {
    out[Draw::kNumbers * block + i] = numbers[i];
  }
}

template <class T, class Draw>
static __global__ void Fill(T* out, size_t count, size_t blocks, unsigned long long seed,
                            unsigned long long first, Draw draw) {
  const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t block = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; block < blocks;
       block += threads) {
    Store(out, count, block, seed, first, draw);
  }
}

}  // namespace flagstone_random

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_RANDOM_NUMBERS_H_
