// C = A * B, summed in f64. The matrices' heights follow from the widths and the buffers' sizes.
#include "workloads/reference.h"

#include "base/error.h"

namespace flagstone {

void ComputeMatmulTiled(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t depth = data.Extent(launch, 3);
    const size_t width = data.Extent(launch, 4);
    if (depth == 0) ThrowBadInput("reference 'matmul_tiled': expected a width of A of 1 or more");
    const auto a = data.Buffer<float>(launch, 1);
    const size_t height = a.size() / depth;
    const auto b = data.Buffer<float>(launch, 2, depth * width);
    const auto c = data.Buffer<float>(launch, 0, height * width);
    for (size_t row = 0; row < height; ++row) {
      for (size_t column = 0; column < width; ++column) {
        double sum = 0;
        for (size_t k = 0; k < depth; ++k) {
          sum += double{a[row * depth + k]} * double{b[k * width + column]};
        }
        c[row * width + column] = static_cast<float>(sum);
      }
    }
  }
}

}  // namespace flagstone
