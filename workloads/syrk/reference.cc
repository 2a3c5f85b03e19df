// C = alpha * A * A^T + beta * C, summed in f64.
#include "workloads/reference.h"

namespace flagstone {

void ComputeSyrk(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const double alpha = data.Real(launch, 2);
    const double beta = data.Real(launch, 3);
    const size_t n = data.Extent(launch, 4);
    const size_t m = data.Extent(launch, 5);
    const auto a = data.Buffer<float>(launch, 0, n * m);
    const auto c = data.Buffer<float>(launch, 1, n * n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (size_t k = 0; k < m; ++k) sum += double{a[i * m + k]} * double{a[j * m + k]};
        c[i * n + j] = static_cast<float>(alpha * sum + beta * double{c[i * n + j]});
      }
    }
  }
}

}  // namespace flagstone
