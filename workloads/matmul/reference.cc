// C = A * B, summed in f64.
#include "workloads/reference.h"

namespace flagstone {

void ComputeMatmul(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t n = data.Extent(launch, 3);
    const auto a = data.Buffer<float>(launch, 0, n * n);
    const auto b = data.Buffer<float>(launch, 1, n * n);
    const auto c = data.Buffer<float>(launch, 2, n * n);
    for (size_t row = 0; row < n; ++row) {
      for (size_t column = 0; column < n; ++column) {
        double sum = 0;
        for (size_t k = 0; k < n; ++k) sum += double{a[row * n + k]} * double{b[k * n + column]};
        c[row * n + column] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace flagstone
