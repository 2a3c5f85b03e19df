// Layer norm in f64.
#include "workloads/reference.h"

#include <cmath>

namespace flagstone {

void ComputeLayerNorm(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t columns = data.Extent(launch, 4);
    if (columns == 0) continue;
    const auto in = data.Buffer<float>(launch, 0);
    const auto scale = data.Buffer<float>(launch, 1, columns);
    const auto shift = data.Buffer<float>(launch, 2, columns);
    const auto out = data.Buffer<float>(launch, 3, in.size());
    for (size_t row = 0; row + columns <= in.size(); row += columns) {
      double sum = 0, squares = 0;
      for (size_t i = 0; i < columns; ++i) sum += in[row + i];
      const double mean = sum / static_cast<double>(columns);
      for (size_t i = 0; i < columns; ++i) squares += (in[row + i] - mean) * (in[row + i] - mean);
      const double factor = 1 / std::sqrt(squares / static_cast<double>(columns) + 1e-5);
      for (size_t i = 0; i < columns; ++i) {
        out[row + i] = static_cast<float>((in[row + i] - mean) * factor * scale[i] + shift[i]);
      }
    }
  }
}

}  // namespace flagstone
