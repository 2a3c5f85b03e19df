// Shortest distances from the source by Dijkstra's algorithm; 100,000,000 where no path leads.
#include "workloads/reference.h"

#include <queue>
#include <utility>
#include <vector>

#include "base/error.h"
#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputeSssp(ReferenceData& data) {
  constexpr int32_t kFar = 100'000'000;
  const size_t nodes = data.Extent(0, 2);
  const auto distance = data.Buffer<int32_t>(0, 0, nodes);
  const size_t source = CheckedIndex("sssp", data.Integer(0, 1), nodes, "source");
  const auto row_start = data.Buffer<int32_t>(1, 0, nodes + 1);
  const auto column = data.Buffer<int32_t>(1, 1);
  const auto weight = data.Buffer<int32_t>(1, 2, column.size());
  std::fill(distance.begin(), distance.end(), kFar);
  using Reached = std::pair<int32_t, size_t>;  // distance, node
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  distance[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [length, node] = queue.top();
    queue.pop();
    if (length != distance[node]) continue;  // a shorter way was found meanwhile
    const IndexRange row = CheckedRow("sssp", row_start, node, column.size());
    for (size_t i = row.begin; i < row.end; ++i) {
      if (weight[i] < 0 || weight[i] > kFar) {
        ThrowBadInput("reference 'sssp': weight {}: expected 0 to {}", weight[i], kFar);
      }
      const size_t other = CheckedIndex("sssp", column[i], nodes, "column");
      if (length + weight[i] >= distance[other]) continue;
      distance[other] = length + weight[i];
      queue.emplace(distance[other], other);
    }
  }
}

}  // namespace flagstone
