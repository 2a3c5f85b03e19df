#include "kernels/inputs/sphere.h"

#include <cmath>

#include "base/random.h"

namespace flagstone {

std::vector<std::array<double, 3>> SpherePoints(uint64_t count, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<std::array<double, 3>> points;
  points.reserve(count);
  while (points.size() < count) {
    const double u = 2 * random.Unit() - 1;
    const double v = 2 * random.Unit() - 1;
    const double square = u * u + v * v;
    if (square >= 1) continue;
    const double scale = 2 * std::sqrt(1 - square);
    points.push_back({u * scale, v * scale, 1 - 2 * square});
  }
  return points;
}

}  // namespace flagstone
