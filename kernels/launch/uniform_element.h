// One random element of a fill.
#ifndef FLAGSTONE_KERNELS_LAUNCH_UNIFORM_ELEMENT_H_
#define FLAGSTONE_KERNELS_LAUNCH_UNIFORM_ELEMENT_H_

#include <cstdint>
#include <type_traits>

#include "base/random.h"
#include "kernels/launch/workload.h"

namespace flagstone {

// min + (max - min) * Unit() for floats, computed in f64; for integers min + Below(max - min + 1).
template <class T>
T UniformElement(const Fill& fill, SplitMix64* random) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(fill.min + (fill.max - fill.min) * random->Unit());
  } else {
    // Unsigned arithmetic wraps around, so that it serves negative bounds too.
    const auto min = static_cast<uint64_t>(static_cast<int64_t>(fill.min));
    const uint64_t values = static_cast<uint64_t>(static_cast<int64_t>(fill.max)) - min + 1;
    return static_cast<T>(min + random->Below(values));
  }
}

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_UNIFORM_ELEMENT_H_
