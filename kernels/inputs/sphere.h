// The points of the fill sphere.
#ifndef FLAGSTONE_KERNELS_INPUTS_SPHERE_H_
#define FLAGSTONE_KERNELS_INPUTS_SPHERE_H_

#include <array>
#include <cstdint>
#include <vector>

namespace flagstone {

// Points evenly distributed on the unit sphere, x, y, z each (Marsaglia, Annals of Mathematical
// Statistics 43, 1972). Only square roots are taken, so that they are the same on every machine.
std::vector<std::array<double, 3>> SpherePoints(uint64_t count, uint64_t seed);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_SPHERE_H_
