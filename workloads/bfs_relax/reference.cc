// Distances in edges from the source, level by level over all nodes; 2^30 where none leads.
#include "workloads/reference.h"

#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputeBfsRelax(ReferenceData& data) {
  constexpr int32_t kFar = 1 << 30;
  const size_t nodes = data.Extent(0, 4);
  const auto distance = data.Buffer<int32_t>(0, 0, nodes);
  const auto source = CheckedIndex("bfs_relax", data.Integer(0, 3), nodes, "source");
  const auto row_start = data.Buffer<int32_t>(1, 0, nodes + 1);
  const auto target = data.Buffer<int32_t>(1, 1);
  std::fill(distance.begin(), distance.end(), kFar);
  distance[source] = 0;
  bool found = true;
  for (int32_t level = 0; found; ++level) {
    found = false;
    for (size_t node = 0; node < nodes; ++node) {
      if (distance[node] != level) continue;
      const IndexRange row = CheckedRow("bfs_relax", row_start, node, target.size());
      for (size_t k = row.begin; k < row.end; ++k) {
        const size_t other = CheckedIndex("bfs_relax", target[k], nodes, "target");
        if (distance[other] != kFar) continue;
        distance[other] = level + 1;
        found = true;
      }
    }
  }
}

}  // namespace flagstone
