// The potential of all atoms at every point of the plane, in f64.
#include "workloads/reference.h"

#include <cmath>

#include "base/error.h"

namespace flagstone {

void ComputeCp(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t count = data.Extent(launch, 0);
    const double spacing = data.Real(launch, 1);
    const auto energy = data.Buffer<float>(launch, 2);
    const size_t width = data.Extent(launch, 3);
    if (width == 0) ThrowBadInput("reference 'cp': expected rows of 1 or more points");
    const auto atoms = data.Symbol<float>("atoms", 4 * count);
    for (size_t point = 0; point < energy.size(); ++point) {
      const double x = spacing * static_cast<double>(point % width);
      const size_t row = point / width;
      const double y = spacing * static_cast<double>(row);
      double potential = energy[point];
      for (size_t atom = 0; atom < count; ++atom) {
        const auto values = atoms.subspan(4 * atom, 4);
        const double dx = x - values[0];
        const double dy = y - values[1];
        potential += values[3] / std::sqrt(dx * dx + dy * dy + values[2]);
      }
      energy[point] = static_cast<float>(potential);
    }
  }
}

}  // namespace flagstone
