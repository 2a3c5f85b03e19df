// The cheapest way to each cell of a row, over the whole grid, one row after the other.
#include "workloads/reference.h"

#include <algorithm>
#include <vector>

namespace flagstone {

void ComputePathfinder(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const size_t columns = data.Extent(launch, 3);
    const size_t first_row = data.Extent(launch, 4);
    const size_t steps = data.Extent(launch, 5);
    const auto wall = data.Buffer<int32_t>(launch, 0, (first_row + steps) * columns);
    const auto above = data.Buffer<int32_t>(launch, 1, columns);
    const auto below = data.Buffer<int32_t>(launch, 2, columns);
    std::vector<int32_t> cost(above.begin(), above.end());
    for (size_t row = first_row; row < first_row + steps; ++row) {
      std::vector<int32_t> next(columns);
      for (size_t x = 0; x < columns; ++x) {
        int32_t cheapest = cost[x];
        if (x > 0) cheapest = std::min(cheapest, cost[x - 1]);
        if (x + 1 < columns) cheapest = std::min(cheapest, cost[x + 1]);
        next[x] = cheapest + wall[row * columns + x];
      }
      cost = next;
    }
    std::copy(cost.begin(), cost.end(), below.begin());
  }
}

}  // namespace flagstone
