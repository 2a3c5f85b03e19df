// The weighted window at every pixel in f64, as a sum of shifted images.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {

void ComputeConv(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 3);
    const size_t pitch = data.Extent(launch, 4);
    const size_t window_width = data.Extent(launch, 5);
    const size_t window_height = data.Extent(launch, 6);
    const auto weights = data.Buffer<float>(launch, 1, window_width * window_height);
    const auto result = data.Buffer<float>(launch, 2);
    if (width == 0) continue;
    const size_t height = result.size() / width;
    const auto image = data.Buffer<float>(launch, 0, (height + window_height) * pitch);
    std::vector<double> sums(height * width);
    for (size_t tap = 0; tap < weights.size(); ++tap) {
      const size_t shift = tap / window_width * pitch + tap % window_width;
      for (size_t y = 0; y < height; ++y) {
        for (size_t x = 0; x < width; ++x) {
          sums[y * width + x] += double{weights[tap]} * double{image[shift + y * pitch + x]};
        }
      }
    }
    for (size_t i = 0; i < sums.size(); ++i) result[i] = static_cast<float>(sums[i]);
  }
}

}  // namespace flagstone
