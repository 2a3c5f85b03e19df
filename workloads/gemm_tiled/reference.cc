// C = A * B in f64; a matrix of a batch after the other, or with the inner extent in parts.
#include "workloads/reference.h"

#include <algorithm>
#include <span>
#include <vector>

namespace flagstone {
namespace {

void Multiply(std::span<const float> a, std::span<const float> b, std::span<float> c,
              size_t columns, size_t inner) {
  const size_t rows = columns == 0 ? 0 : c.size() / columns;
  std::vector<double> sums(columns);
  for (size_t row = 0; row < rows; ++row) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t k = 0; k < inner; ++k) {
      const double factor = a[row * inner + k];
      for (size_t column = 0; column < columns; ++column) {
        sums[column] += factor * double{b[k * columns + column]};
      }
    }
    for (size_t column = 0; column < columns; ++column) {
      c[row * columns + column] = static_cast<float>(sums[column]);
    }
  }
}

}  // namespace

void ComputeGemmTiled(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const std::string& entry = data.Entry(launch);
    if (entry == "gemm_tiled") {
      const size_t columns = data.Extent(launch, 3);
      const size_t inner = data.Extent(launch, 4);
      const auto a = data.Buffer<float>(launch, 0);
      const auto c = data.Buffer<float>(launch, 2, inner == 0 ? 0 : a.size() / inner * columns);
      Multiply(a, data.Buffer<float>(launch, 1, inner * columns), c, columns, inner);
    } else if (entry == "gemm_batched") {
      const size_t rows = data.Extent(launch, 3);
      const size_t columns = data.Extent(launch, 4);
      const size_t inner = data.Extent(launch, 5);
      const auto a = data.Buffer<float>(launch, 0);
      const size_t matrices = rows * inner == 0 ? 0 : a.size() / (rows * inner);
      const auto b = data.Buffer<float>(launch, 1, matrices * inner * columns);
      const auto c = data.Buffer<float>(launch, 2, matrices * rows * columns);
      for (size_t m = 0; m < matrices; ++m) {
        Multiply(a.subspan(m * rows * inner, rows * inner),
                 b.subspan(m * inner * columns, inner * columns),
                 c.subspan(m * rows * columns, rows * columns), columns, inner);
      }
    } else if (entry == "gemm_split_k") {
      const size_t rows = data.Extent(launch, 3);
      const size_t columns = data.Extent(launch, 4);
      const size_t inner = data.Extent(launch, 5);
      // The launch after it adds the parts up; only the sum is looked at.
      const auto c = data.Buffer<float>(launch + 1, 1, rows * columns);
      Multiply(data.Buffer<float>(launch, 0, rows * inner),
               data.Buffer<float>(launch, 1, inner * columns), c, columns, inner);
    }
  }
}

}  // namespace flagstone
