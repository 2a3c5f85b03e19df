// cuRAND's host interface, on kernels of flagstone/random_numbers.h: a generator fills a buffer of
// the device, or of the host, with integers, uniform, normal, log-normal or Poisson numbers.
//
// All pseudo-random kinds draw from Philox4x32-10 (curand_kernel.h): the same seed and offset give
// the same numbers, but not cuRAND's. Block b of four words gives elements 4b to 4b + 3, or 2b and
// 2b + 1 of doubles; each call begins at a new block. Quasi-random kinds are
// CURAND_STATUS_TYPE_ERROR.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CURAND_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CURAND_H_

#include <set>

#include "curand_kernel.h"

#if !defined(__CUDA__)
#error "curand.h (flagstone): its kernels need CUDA C++: expected a .cu file, or nvcc -x cu"
#endif

#include "flagstone/random_numbers.h"

#define CURAND_VERSION 10205

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
struct curandGenerator_st {
  unsigned long long seed;
  unsigned long long block;  // of four words, the next to draw
  bool host;
  cudaStream_t stream;
};
typedef struct curandGenerator_st* curandGenerator_t;

// The generators that there are: programs pass handles that are none, and hear of it.
inline std::set<curandGenerator_t>& FlagstoneGenerators() {
  static std::set<curandGenerator_t> generators;
  return generators;
}
inline curandStatus_t FlagstoneCreateGenerator(curandGenerator_t* generator, curandRngType_t kind,
                                               bool host) {
  if (kind < CURAND_RNG_PSEUDO_DEFAULT || kind >= CURAND_RNG_QUASI_DEFAULT) {
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{0, 0, host, 0};
  FlagstoneGenerators().insert(*generator);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t kind) {
  return FlagstoneCreateGenerator(generator, kind, false);
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator,
                                                curandRngType_t kind) {
  return FlagstoneCreateGenerator(generator, kind, true);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (FlagstoneGenerators().erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

#define FLAGSTONE_SET(name, type, statement)                                               \
  inline curandStatus_t curand##name(curandGenerator_t generator, type value) {            \
    if (FlagstoneGenerators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED; \
    statement;                                                                             \
    return CURAND_STATUS_SUCCESS;                                                          \
  }
FLAGSTONE_SET(SetStream, cudaStream_t, generator->stream = value)
FLAGSTONE_SET(SetPseudoRandomGeneratorSeed, unsigned long long,
              (generator->seed = value, generator->block = 0))
// Counted in words; the rest of a block is left out.
FLAGSTONE_SET(SetGeneratorOffset, unsigned long long, generator->block = (value + 3) / 4)
FLAGSTONE_SET(SetGeneratorOrdering, curandOrdering_t, (void)value)
FLAGSTONE_SET(SetQuasiRandomGeneratorDimensions, unsigned,
              return ((void)value, CURAND_STATUS_TYPE_ERROR))
#undef FLAGSTONE_SET
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return FlagstoneGenerators().count(generator) == 0 ? CURAND_STATUS_NOT_INITIALIZED
                                                     : CURAND_STATUS_SUCCESS;
}

// Fills `out` with `count` numbers that `draw` makes of blocks; `count` must be a multiple of
// `step`.
template <class T, class Draw>
inline curandStatus_t FlagstoneGenerate(curandGenerator_t generator, T* out, size_t count,
                                        size_t step, Draw draw) {
  if (FlagstoneGenerators().count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  if (count % step != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const size_t blocks = (count + Draw::kNumbers - 1) / Draw::kNumbers;
  const unsigned long long first = generator->block;
  generator->block += blocks;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  if (generator->host) {
    for (size_t block = 0; block < blocks; ++block) {
      flagstone_random::Store(out, count, block, generator->seed, first, draw);
    }
    return CURAND_STATUS_SUCCESS;
  }
  const size_t tbs = (blocks + 127) / 128;
  flagstone_random::
      Fill<<<static_cast<unsigned>(tbs < 65535 ? tbs : 65535), 128, 0, generator->stream>>>(
          out, count, blocks, generator->seed, first, draw);
  return cudaPeekAtLastError() == cudaSuccess ? CURAND_STATUS_SUCCESS
                                              : CURAND_STATUS_LAUNCH_FAILURE;
}
inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* out, size_t count) {
  return FlagstoneGenerate(generator, out, count, 1, flagstone_random::Words());
}
inline curandStatus_t curandGenerateLongLong(curandGenerator_t, unsigned long long*, size_t) {
  return CURAND_STATUS_TYPE_ERROR;  // of the quasi-random kinds of 64 bits alone
}
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* out,
                                            size_t count, double mean) {
  if (!(mean > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return FlagstoneGenerate(generator, out, count, 1, flagstone_random::Poisson{mean});
}
#define FLAGSTONE_GENERATE(suffix, type)                                                           \
  inline curandStatus_t curandGenerateUniform##suffix(curandGenerator_t generator, type* out,      \
                                                      size_t count) {                              \
    return FlagstoneGenerate(generator, out, count, 1, flagstone_random::Uniform<type>());         \
  }                                                                                                \
  inline curandStatus_t curandGenerateNormal##suffix(curandGenerator_t generator, type* out,       \
                                                     size_t count, type mean, type deviation) {    \
    return FlagstoneGenerate(generator, out, count, 2,                                             \
                             flagstone_random::Normal<type>{mean, deviation, false});              \
  }                                                                                                \
  inline curandStatus_t curandGenerateLogNormal##suffix(curandGenerator_t generator, type* out,    \
                                                        size_t count, type mean, type deviation) { \
    return FlagstoneGenerate(generator, out, count, 2,                                             \
                             flagstone_random::Normal<type>{mean, deviation, true});               \
  }
FLAGSTONE_GENERATE(, float)
FLAGSTONE_GENERATE(Double, double)
#undef FLAGSTONE_GENERATE

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CURAND_H_
