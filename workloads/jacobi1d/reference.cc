// Time steps of the three-point mean, in f64; the launches come in pairs, a step each.
#include "workloads/reference.h"

#include <vector>

namespace flagstone {

void ComputeJacobi1d(ReferenceData& data) {
  const size_t n = data.Extent(0, 2);
  const auto now = data.Buffer<float>(0, 0, n);
  const auto next = data.Buffer<float>(0, 1, n);
  std::vector<double> cells(now.begin(), now.end());
  for (size_t step = 0; step < data.LaunchCount() / 2; ++step) {
    const std::vector<double> before = cells;
    for (size_t i = 1; i + 1 < n; ++i) cells[i] = (before[i - 1] + before[i] + before[i + 1]) / 3;
  }
  for (size_t i = 1; i + 1 < n; ++i) now[i] = next[i] = static_cast<float>(cells[i]);
}

}  // namespace flagstone
