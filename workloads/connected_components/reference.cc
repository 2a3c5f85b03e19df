// The lowest node number of each node's component, by union-find over the edges.
#include "workloads/reference.h"

#include <numeric>
#include <vector>

#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputeConnectedComponents(ReferenceData& data) {
  const size_t nodes = data.Extent(0, 5);
  const auto row_start = data.Buffer<int32_t>(0, 0, nodes + 1);
  const auto neighbour = data.Buffer<int32_t>(0, 1);
  const auto label = data.Buffer<int32_t>(0, 2, nodes);
  std::vector<size_t> parent(nodes);
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root_of = [&](size_t node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (size_t node = 0; node < nodes; ++node) {
    const IndexRange row = CheckedRow("connected_components", row_start, node, neighbour.size());
    for (size_t i = row.begin; i < row.end; ++i) {
      const size_t a = root_of(node);
      const size_t b =
          root_of(CheckedIndex("connected_components", neighbour[i], nodes, "neighbour"));
      parent[std::max(a, b)] = std::min(a, b);  // so that the root is the lowest of all
    }
  }
  for (size_t node = 0; node < nodes; ++node) label[node] = static_cast<int32_t>(root_of(node));
}

}  // namespace flagstone
