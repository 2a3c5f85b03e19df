// A pixel is a regional maximum when no pixel around it is higher.
#include "workloads/reference.h"

#include <algorithm>

namespace flagstone {

void ComputeImregionmax(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t width = data.Extent(launch, 2);
    const auto peak = data.Buffer<float>(launch, 1);
    if (width == 0) continue;
    const size_t height = peak.size() / width;
    const size_t pitch = width + 2;
    const auto image = data.Buffer<float>(launch, 0, pitch * (height + 2));
    for (size_t y = 0; y < height; ++y) {
      for (size_t x = 0; x < width; ++x) {
        const float own = image[(y + 1) * pitch + x + 1];
        bool exceeded = false;
        for (size_t row = y; row < y + 3; ++row) {
          const auto three = image.subspan(row * pitch + x, 3);
          exceeded |= std::ranges::any_of(three, [&](float other) { return other > own; });
        }
        peak[y * width + x] = exceeded ? 0 : 1;
      }
    }
  }
}

}  // namespace flagstone
