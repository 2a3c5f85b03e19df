// C = A * B in f64, as a sum of outer products: column k of A times row k of B.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {

void ComputeMatmulNaive(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 3);
    const size_t inner = data.Extent(launch, 4);
    const auto b = data.Buffer<float>(launch, 1, inner * width);
    const auto c = data.Buffer<float>(launch, 2);
    if (width == 0 || c.size() % width != 0) continue;
    const size_t height = c.size() / width;
    const auto a = data.Buffer<float>(launch, 0, height * inner);
    for (size_t row = 0; row < height; ++row) {
      std::vector<double> sums(width);
      for (size_t k = 0; k < inner; ++k) {
        const double factor = a[row * inner + k];
        for (size_t column = 0; column < width; ++column) {
          sums[column] += factor * double{b[k * width + column]};
        }
      }
      for (size_t column = 0; column < width; ++column) {
        c[row * width + column] = static_cast<float>(sums[column]);
      }
    }
  }
}

}  // namespace flagstone
