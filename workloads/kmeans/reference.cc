// Each point's features to their arrays, and the first of the nearest centres, in f64.
#include "workloads/reference.h"

#include <algorithm>
#include <vector>

namespace flagstone {

void ComputeKmeans(ReferenceData& data) {
  const size_t count = data.Extent(0, 2);
  const size_t per_point = data.Extent(0, 3);
  const size_t clusters = data.Extent(1, 3);
  const auto points = data.Buffer<float>(0, 0, count * per_point);
  const auto features = data.Buffer<float>(0, 1, count * per_point);
  const auto membership = data.Buffer<int32_t>(1, 4, count);
  const auto centers = data.Symbol<float>("centers", clusters * per_point);
  for (size_t point = 0; point < count; ++point) {
    const auto own = points.subspan(point * per_point, per_point);
    std::vector<double> distances(clusters);
    for (size_t f = 0; f < per_point; ++f) {
      features[f * count + point] = own[f];
      for (size_t c = 0; c < clusters; ++c) {
        const double difference = double{own[f]} - double{centers[c * per_point + f]};
        distances[c] += difference * difference;
      }
    }
    const auto least = std::min_element(distances.begin(), distances.end());
    membership[point] = static_cast<int32_t>(least - distances.begin());
  }
}

}  // namespace flagstone
