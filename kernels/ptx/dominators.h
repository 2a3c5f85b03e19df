// Immediate dominators of any directed graph.
#ifndef FLAGSTONE_KERNELS_PTX_DOMINATORS_H_
#define FLAGSTONE_KERNELS_PTX_DOMINATORS_H_

#include <cstdint>
#include <vector>

namespace flagstone::ptx {

using Edges = std::vector<std::vector<uint32_t>>;  // per node, the nodes it leads to

inline constexpr uint32_t kNoDominator = ~uint32_t{0};

// Of each node; kNoDominator for the root and for what it does not reach. `previous` is `next`
// reversed. By Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph", 1979)
// with path compression: m edges and n nodes take O(m log n) whatever the graph, so that no input
// makes it crawl.
std::vector<uint32_t> ImmediateDominators(uint32_t root, const Edges& next, const Edges& previous);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_DOMINATORS_H_
