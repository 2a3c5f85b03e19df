// Each point's squared distance to the candidate in f64, and what it changes.
#include "workloads/reference.h"

#include <vector>

#include "base/error.h"

namespace flagstone {

void ComputeStreamcluster(ReferenceData& data) {
  constexpr size_t kWords = 6;  // a point's: weight, -, assignment, -, cost, -
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t count = data.Extent(launch, 5);
    const size_t dimensions = data.Extent(launch, 6);
    const size_t candidate = data.Extent(launch, 7);
    const size_t centres = data.Extent(launch, 8);
    const size_t spacing = data.Extent(launch, 9);
    const auto coordinates = data.Buffer<float>(launch, 0, count * dimensions);
    const auto points = data.Buffer<float>(launch, 1, count * kWords);
    const auto table = data.Buffer<int32_t>(launch, 2);
    const auto work = data.Buffer<float>(launch, 3, count * (centres + 1));
    const auto moves = data.Buffer<uint8_t>(launch, 4, count);
    if (candidate >= count) {
      ThrowBadInput("reference 'streamcluster': candidate {}: expected below {}", candidate, count);
    }
    std::vector<double> distance(count);
    for (size_t d = 0; d < dimensions; ++d) {
      const auto axis = coordinates.subspan(d * count, count);
      for (size_t i = 0; i < count; ++i) {
        const double apart = double{axis[i]} - double{axis[candidate]};
        distance[i] += apart * apart;
      }
    }
    for (size_t i = 0; i < count; ++i) {
      const auto point = points.subspan(i * kWords, kWords);
      const double saved = double{point[4]} - distance[i] * double{point[0]};
      size_t column = centres;
      if (saved > 0) {
        moves[i] = 1;
      } else {
        // In f32 as the kernel has it: the product decides on an index.
        const auto fraction = static_cast<size_t>(point[2] * static_cast<float>(centres));
        if (fraction * spacing >= table.size()) {
          ThrowBadInput("reference 'streamcluster': centre {}: expected below {}",
                        fraction * spacing, table.size());
        }
        column = static_cast<size_t>(table[fraction * spacing]);
      }
      if (column > centres) {
        ThrowBadInput("reference 'streamcluster': column {}: expected {} at most", column, centres);
      }
      const double change = saved > 0 ? -saved : saved;
      float& sum = work[i * (centres + 1) + column];
      sum = static_cast<float>(double{sum} + change);
    }
  }
}

}  // namespace flagstone
