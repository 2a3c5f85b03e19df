// Distances from the nodes of the frontier, by a queue.
#include "workloads/reference.h"

#include <queue>

#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputeBfs(ReferenceData& data) {
  const size_t count = data.Extent(0, 6);
  const auto nodes = data.Buffer<int32_t>(0, 0, 2 * count);
  const auto target = data.Buffer<int32_t>(0, 1);
  const auto frontier = data.Buffer<uint8_t>(0, 2, count);
  const auto visited = data.Buffer<uint8_t>(0, 4, count);
  const auto cost = data.Buffer<int32_t>(0, 5, count);
  std::queue<size_t> queue;
  for (size_t node = 0; node < count; ++node) {
    if (frontier[node] != 0) queue.push(node);
  }
  while (!queue.empty()) {
    const size_t node = queue.front();
    queue.pop();
    const size_t start = CheckedIndex("bfs", nodes[2 * node], target.size() + 1, "start");
    const size_t edges =
        CheckedIndex("bfs", nodes[2 * node + 1], target.size() - start + 1, "edge count");
    for (size_t i = start; i < start + edges; ++i) {
      const size_t other = CheckedIndex("bfs", target[i], count, "target");
      if (visited[other] != 0) continue;
      visited[other] = 1;
      cost[other] = cost[node] + 1;
      queue.push(other);
    }
  }
}

}  // namespace flagstone
