// One bisection with an exact size, the step that recursive bisection repeats.
#ifndef FLAGSTONE_ANALYZER_PARTITION_BISECTION_H_
#define FLAGSTONE_ANALYZER_PARTITION_BISECTION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/partition/part_graph.h"

namespace flagstone::partition {

// Side (0 or 1) of each vertex, with exactly `size` vertices on side 0 and a small cut.
// 0 < size < graph.Size(). Connected components are kept whole as far as the size allows; without
// edges, side 0 gets the lowest ids. Deterministic for a seed.
std::vector<int32_t> Bisect(const PartGraph& graph, uint32_t size, uint64_t seed);

// The two ways to cut a connected graph, apart for tests and benchmarks.
std::vector<int32_t> BisectByMetis(const PartGraph& graph, uint32_t size, uint64_t seed);
std::vector<int32_t> BisectByGrowing(const PartGraph& graph, uint32_t size);

// Kernighan-Lin passes: swaps pairs across the cut, best first, keeps the best prefix of each
// pass, until a pass gains nothing. Side sizes do not change.
void RefineBySwaps(const PartGraph& graph, std::span<int32_t> side);

// Weight of the edges between the sides, in the graph's scaled weights.
int64_t CutWeight(const PartGraph& graph, std::span<const int32_t> side);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_BISECTION_H_
