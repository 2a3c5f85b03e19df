// The first launch's magnitudes, and the others' sums over samples as complex exponentials, in f64.
#include "workloads/reference.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace flagstone {

void ComputeMriQ(ReferenceData& data) {
  const size_t count = data.Extent(0, 3);
  const auto real = data.Buffer<float>(0, 0, count);
  const auto imaginary = data.Buffer<float>(0, 1, count);
  const auto magnitude = data.Buffer<float>(0, 2, count);
  for (size_t i = 0; i < count; ++i) {
    magnitude[i] = static_cast<float>(std::norm(std::complex<double>(real[i], imaginary[i])));
  }
  for (size_t launch = 1; launch < data.LaunchCount(); ++launch) {
    const size_t first = data.Extent(launch, 0);
    const size_t end = first + data.Extent(launch, 1);
    const auto samples = data.Symbol<float>("samples", 4 * end);
    const auto x = data.Buffer<float>(launch, 2);
    const auto y = data.Buffer<float>(launch, 3, x.size());
    const auto z = data.Buffer<float>(launch, 4, x.size());
    const auto q_real = data.Buffer<float>(launch, 5, x.size());
    const auto q_imaginary = data.Buffer<float>(launch, 6, x.size());
    for (size_t voxel = 0; voxel < x.size(); ++voxel) {
      std::complex<double> q(q_real[voxel], q_imaginary[voxel]);
      for (size_t i = first; i < end; ++i) {
        const auto k = samples.subspan(4 * i, 4);
        const double turns =
            double{k[0]} * x[voxel] + double{k[1]} * y[voxel] + double{k[2]} * z[voxel];
        q += std::polar<double>(1, 2 * std::numbers::pi * turns) * double{k[3]};
      }
      q_real[voxel] = static_cast<float>(q.real());
      q_imaginary[voxel] = static_cast<float>(q.imag());
    }
  }
}

}  // namespace flagstone
