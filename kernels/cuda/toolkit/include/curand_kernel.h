// Random numbers in kernels: Philox4x32-10 (Salmon et al. 2011; the vectors of Random123 hold) and
// XORWOW (Marsaglia 2003). Seeds, subsequences and the numbers made of 32 bits follow cuRAND's
// documentation, but sequences are not those of cuRAND.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CURAND_KERNEL_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CURAND_KERNEL_H_

#include <math.h>

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

// In host code too, for the generators of curand.h.
#define FLAGSTONE_RANDOM __host__ __device__ static inline

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned used;  // of the four words of `output`
};
struct curandStateXORWOW {
  unsigned d, v[5];
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

FLAGSTONE_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ULL * c.x, b = 0xCD9E8D57ULL * c.z;
    c = make_uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b),
                   static_cast<unsigned>(a >> 32) ^ c.w ^ k.y, static_cast<unsigned>(a));
    k.x += 0x9E3779B9;
    k.y += 0xBB67AE85;
  }
  return c;
}

// The counter's lower half counts blocks of four words, its upper half is the subsequence.
FLAGSTONE_RANDOM void FlagstoneMove(curandStatePhilox4_32_10_t* s, unsigned long long blocks) {
  const unsigned long long at =
      (static_cast<unsigned long long>(s->ctr.y) << 32 | s->ctr.x) + blocks;
  s->ctr.x = static_cast<unsigned>(at);
  s->ctr.y = static_cast<unsigned>(at >> 32);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
FLAGSTONE_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* s) {
  n += s->used;
  s->used = static_cast<unsigned>(n % 4);
  FlagstoneMove(s, n / 4);
}
FLAGSTONE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStatePhilox4_32_10_t* s) {
  s->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  s->ctr = make_uint4(0, 0, static_cast<unsigned>(subsequence),
                      static_cast<unsigned>(subsequence >> 32));
  s->used = 0;
  skipahead(offset, s);
}
FLAGSTONE_RANDOM unsigned curand(curandStatePhilox4_32_10_t* s) {
  const unsigned words[4] = {s->output.x, s->output.y, s->output.z, s->output.w};
  const unsigned word = words[s->used];
  skipahead(1, s);
  return word;
}
FLAGSTONE_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* s) {
  const unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return make_uint4(x, y, z, w);
}

FLAGSTONE_RANDOM unsigned curand(curandStateXORWOW_t* s) {
  const unsigned t = s->v[0] ^ s->v[0] >> 2;
  for (int i = 0; i < 4; ++i) s->v[i] = s->v[i + 1];
  s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
  s->d += 362437;
  return s->d + s->v[4];
}
FLAGSTONE_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* s) {
  for (; n != 0; --n) curand(s);
}
// Each subsequence starts from five words of its own, mixed by the steps of SplitMix64 (Steele,
// Lea, Flood 2014).
FLAGSTONE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStateXORWOW_t* s) {
  unsigned long long x = seed ^ subsequence * 0xD1342543DE82EF95ULL;
  for (int i = 0; i < 6; ++i) {
    unsigned long long z = x += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    (i < 5 ? s->v[i] : s->d) = static_cast<unsigned>((z ^ z >> 31) >> 32);
  }
  s->v[0] |= 1;  // not all zeros
  skipahead(offset, s);
}

// Numbers above 0, up to 1.
FLAGSTONE_RANDOM float FlagstoneUniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
FLAGSTONE_RANDOM double FlagstoneUniform(unsigned x, unsigned y) {
  const unsigned long long bits = static_cast<unsigned long long>(x) << 21 ^ y;
  return (bits & 0x1fffffffffffffULL) * 0x1p-53 + 0x1p-54;
}
// Two numbers of the normal distribution (Box and Muller 1958).
FLAGSTONE_RANDOM float2 FlagstoneNormal(unsigned x, unsigned y) {
  const float r = sqrtf(-2 * logf(FlagstoneUniform(x)));
  const float angle = 6.2831855f * FlagstoneUniform(y);
  return make_float2(r * sinf(angle), r * cosf(angle));
}

template <class S>
FLAGSTONE_RANDOM float curand_uniform(S* s) {
  return FlagstoneUniform(curand(s));
}
template <class S>
FLAGSTONE_RANDOM double curand_uniform_double(S* s) {
  const unsigned x = curand(s);
  return FlagstoneUniform(x, curand(s));
}
template <class S>
FLAGSTONE_RANDOM float2 curand_normal2(S* s) {
  const unsigned x = curand(s);
  return FlagstoneNormal(x, curand(s));
}
template <class S>
FLAGSTONE_RANDOM float curand_normal(S* s) {
  return curand_normal2(s).x;
}
template <class S>
FLAGSTONE_RANDOM double2 curand_normal2_double(S* s) {
  const double r = sqrt(-2 * log(curand_uniform_double(s)));
  const double angle = 6.283185307179586 * curand_uniform_double(s);
  return make_double2(r * sin(angle), r * cos(angle));
}
template <class S>
FLAGSTONE_RANDOM double curand_normal_double(S* s) {
  return curand_normal2_double(s).x;
}
template <class S>
FLAGSTONE_RANDOM float curand_log_normal(S* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <class S>
FLAGSTONE_RANDOM double curand_log_normal_double(S* s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
// Knuth's product for small means, the rounded normal distribution for large ones.
template <class S>
FLAGSTONE_RANDOM unsigned curand_poisson(S* s, double mean) {
  if (mean > 60) {
    const double n = floor(mean + sqrt(mean) * curand_normal_double(s) + 0.5);
    return n < 0 ? 0 : static_cast<unsigned>(n);
  }
  const double least = exp(-mean);
  unsigned n = 0;
  for (double p = curand_uniform_double(s); p > least; p *= curand_uniform_double(s)) ++n;
  return n;
}
FLAGSTONE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* s) {
  const uint4 w = curand4(s);
  return make_float4(FlagstoneUniform(w.x), FlagstoneUniform(w.y), FlagstoneUniform(w.z),
                     FlagstoneUniform(w.w));
}
FLAGSTONE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
  const uint4 w = curand4(s);
  return make_double2(FlagstoneUniform(w.x, w.y), FlagstoneUniform(w.z, w.w));
}
FLAGSTONE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* s) {
  const uint4 w = curand4(s);
  const float2 a = FlagstoneNormal(w.x, w.y), b = FlagstoneNormal(w.z, w.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

#undef FLAGSTONE_RANDOM

#include "curand.h"  // as cuRAND's own does

#endif  // CUDA C++

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_CURAND_KERNEL_H_
