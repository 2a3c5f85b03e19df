// The weighted stencil for every cell, in f64; a neighbour outside the stack is the cell itself.
#include "workloads/reference.h"

namespace flagstone {

void ComputeHotspot3d(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const double step_over_capacity = data.Real(launch, 3);
    const size_t nx = data.Extent(launch, 4);
    const size_t ny = data.Extent(launch, 5);
    const size_t nz = data.Extent(launch, 6);
    const auto power = data.Buffer<float>(launch, 0, nx * ny * nz);
    const auto before = data.Buffer<float>(launch, 1, nx * ny * nz);
    const auto after = data.Buffer<float>(launch, 2, nx * ny * nz);
    const double weight[] = {data.Real(launch, 7), data.Real(launch, 8), data.Real(launch, 9)};
    const double own = data.Real(launch, 10);
    const double ambient = data.Real(launch, 11) * data.Real(launch, 12);
    for (size_t cell = 0; cell < nx * ny * nz; ++cell) {
      double sum = own * before[cell] + step_over_capacity * power[cell] + ambient;
      const size_t position[] = {cell % nx, cell / nx % ny, cell / (nx * ny)};
      const size_t extent[] = {nx, ny, nz};
      const size_t step[] = {1, nx, nx * ny};
      for (int axis = 0; axis < 3; ++axis) {
        const bool first = position[axis] == 0;
        const bool last = position[axis] + 1 == extent[axis];
        sum += weight[axis] * before[first ? cell : cell - step[axis]];
        sum += weight[axis] * before[last ? cell : cell + step[axis]];
      }
      after[cell] = static_cast<float>(sum);
    }
  }
}

}  // namespace flagstone
