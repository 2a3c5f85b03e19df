// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the project's only source of pseudo-random numbers,
// because the standard library's distributions differ from one library to the next.
#ifndef FLAGSTONE_BASE_RANDOM_H_
#define FLAGSTONE_BASE_RANDOM_H_

#include <cstdint>

namespace flagstone {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15U;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound); bound > 0. The modulo bias is below 2^-32 for bounds under 2^32.
  uint64_t Below(uint64_t bound) { return Next() % bound; }

  // Uniform in [0, 1) with 53 random bits.
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

 private:
  uint64_t state_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_RANDOM_H_
