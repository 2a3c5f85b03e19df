// C = alpha * (A * B^T + B * A^T) + beta * C, summed in f64 as P + P^T with P = A * B^T.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {

void ComputeSyr2k(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const double alpha = data.Real(launch, 3);
    const double beta = data.Real(launch, 4);
    const size_t n = data.Extent(launch, 5);
    const size_t m = data.Extent(launch, 6);
    const auto a = data.Buffer<float>(launch, 0, n * m);
    const auto b = data.Buffer<float>(launch, 1, n * m);
    const auto c = data.Buffer<float>(launch, 2, n * n);
    std::vector<double> product(n * n, 0.0);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        for (size_t k = 0; k < m; ++k) {
          product[i * n + j] += double{a[i * m + k]} * double{b[j * m + k]};
        }
      }
    }
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        const double symmetric = product[i * n + j] + product[j * n + i];
        c[i * n + j] = static_cast<float>(alpha * symmetric + beta * double{c[i * n + j]});
      }
    }
  }
}

}  // namespace flagstone
