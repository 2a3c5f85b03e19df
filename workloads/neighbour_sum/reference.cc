// Each element plus the one a block further right. The width of a block is what the rows of the
// input have more than those of the sum.
#include "workloads/reference.h"

namespace flagstone {

void ComputeNeighbourSum(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 2);
    const size_t height = data.Extent(launch, 3);
    const auto in = data.Buffer<float>(launch, 0);
    const auto sum = data.Buffer<float>(launch, 1, width * height);
    if (height == 0 || in.size() < sum.size()) continue;
    const size_t pitch = in.size() / height;
    for (size_t y = 0; y < height; ++y) {
      const auto row = in.subspan(y * pitch, pitch);
      for (size_t x = 0; x < width; ++x) sum[y * width + x] = row[x] + row[x + pitch - width];
    }
  }
}

}  // namespace flagstone
