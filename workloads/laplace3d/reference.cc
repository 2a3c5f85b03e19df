// The mean of six neighbours for every cell that has them, in f64; the others keep their values.
#include "workloads/reference.h"

namespace flagstone {

void ComputeLaplace3d(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t nx = data.Extent(launch, 0);
    const size_t ny = data.Extent(launch, 1);
    const size_t nz = data.Extent(launch, 2);
    const size_t pitch = data.Extent(launch, 3);
    const size_t plane = ny * pitch;
    const auto before = data.Buffer<float>(launch, 4, nz * plane);
    const auto after = data.Buffer<float>(launch, 5, nz * plane);
    const auto inside = [](size_t i, size_t n) { return i > 0 && i + 1 < n; };
    for (size_t z = 0; z < nz; ++z) {
      for (size_t y = 0; y < ny; ++y) {
        for (size_t x = 0; x < nx; ++x) {
          const size_t at = z * plane + y * pitch + x;
          after[at] = before[at];
          if (!inside(x, nx) || !inside(y, ny) || !inside(z, nz)) continue;
          double sum = 0;
          for (const size_t step : {size_t{1}, pitch, plane}) {
            sum += double{before[at - step]} + double{before[at + step]};
          }
          after[at] = static_cast<float>(sum / 6);
        }
      }
    }
  }
}

}  // namespace flagstone
