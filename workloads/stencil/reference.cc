// The weighted sum of six neighbours less the weighted cell, for every inner cell, in f64.
#include "workloads/reference.h"

namespace flagstone {

void ComputeStencil(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const double centre = data.Real(launch, 0);
    const double neighbours = data.Real(launch, 1);
    const size_t nx = data.Extent(launch, 4);
    const size_t ny = data.Extent(launch, 5);
    const size_t nz = data.Extent(launch, 6);
    const auto now = data.Buffer<float>(launch, 2, nx * ny * nz);
    const auto next = data.Buffer<float>(launch, 3, nx * ny * nz);
    for (size_t z = 1; z + 1 < nz; ++z) {
      for (size_t y = 1; y + 1 < ny; ++y) {
        for (size_t x = 1; x + 1 < nx; ++x) {
          const size_t at = (z * ny + y) * nx + x;
          double sum = 0;
          for (const size_t step : {size_t{1}, nx, nx * ny}) {
            sum += double{now[at - step]} + double{now[at + step]};
          }
          next[at] = static_cast<float>(neighbours * sum - centre * double{now[at]});
        }
      }
    }
  }
}

}  // namespace flagstone
