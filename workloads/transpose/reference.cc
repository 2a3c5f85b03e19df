// Element (y, x) of the one is element (x, y) of the other.
#include "workloads/reference.h"

namespace flagstone {

void ComputeTranspose(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 2);
    const size_t height = data.Extent(launch, 3);
    const auto in = data.Buffer<float>(launch, 0, width * height);
    const auto out = data.Buffer<float>(launch, 1, width * height);
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < width; ++x) out[x * height + y] = in[y * width + x];
    }
  }
}

}  // namespace flagstone
