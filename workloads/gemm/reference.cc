// C = alpha * A * B + beta * C in f64, as a sum of outer products.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {

void ComputeGemm(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const double alpha = data.Real(launch, 3);
    const double beta = data.Real(launch, 4);
    const size_t rows = data.Extent(launch, 5);
    const size_t columns = data.Extent(launch, 6);
    const size_t inner = data.Extent(launch, 7);
    const auto a = data.Buffer<float>(launch, 0, rows * inner);
    const auto b = data.Buffer<float>(launch, 1, inner * columns);
    const auto c = data.Buffer<float>(launch, 2, rows * columns);
    for (size_t i = 0; i < rows; ++i) {
      const auto row = c.subspan(i * columns, columns);
      std::vector<double> products(columns);
      for (size_t k = 0; k < inner; ++k) {
        for (size_t j = 0; j < columns; ++j) {
          products[j] += double{a[i * inner + k]} * double{b[k * columns + j]};
        }
      }
      for (size_t j = 0; j < columns; ++j) {
        row[j] = static_cast<float>(alpha * products[j] + beta * double{row[j]});
      }
    }
  }
}

}  // namespace flagstone
