// PageRank as each page handing its rank to those it links to, in f64: the graph has each link both
// ways, so the row of a page in the matrix is also the list of its own links.
#include "workloads/reference.h"

#include <vector>

#include "workloads/sparse_rows.h"

namespace flagstone {

void ComputePagerank(ReferenceData& data) {
  const size_t nodes = data.Extent(0, 1);
  const auto row_start = data.Buffer<int32_t>(1, 0, nodes + 1);
  const auto target = data.Buffer<int32_t>(1, 1);
  const auto rank = data.Buffer<float>(0, 0, nodes);
  const size_t rounds = (data.LaunchCount() - 2) / 2;
  const double damping = data.Real(3, 2);
  std::vector<double> ranks(nodes, 1.0 / static_cast<double>(nodes));
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<double> next(nodes, (1 - damping) / static_cast<double>(nodes));
    for (size_t node = 0; node < nodes; ++node) {
      const IndexRange links = CheckedRow("pagerank", row_start, node, target.size());
      const double share = ranks[node] / static_cast<double>(links.end - links.begin);
      for (size_t i = links.begin; i < links.end; ++i) {
        next[CheckedIndex("pagerank", target[i], nodes, "link")] += damping * share;
      }
    }
    ranks = std::move(next);
  }
  for (size_t node = 0; node < nodes; ++node) rank[node] = static_cast<float>(ranks[node]);
}

}  // namespace flagstone
