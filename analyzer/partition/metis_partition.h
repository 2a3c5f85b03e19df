// The only door to METIS: fixed options, our seed, exact targets, its errors as ours.
#ifndef FLAGSTONE_ANALYZER_PARTITION_METIS_PARTITION_H_
#define FLAGSTONE_ANALYZER_PARTITION_METIS_PARTITION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/partition/part_graph.h"

namespace flagstone::partition {

enum class MetisMethod : uint8_t { kRecursive, kKway };

// METIS fails on tiny graphs (k-way returns one part; one vertex crashes): callers keep at least
// this many vertices.
inline constexpr uint32_t kMinMetisVertices = 32;

// Part of each vertex, 0 to targets.size() - 1. Sizes come near the targets; RepairSizes makes them
// exact. At least two targets, each at least 1, with the graph's size as their sum. The same
// arguments give the same result, from any thread. Throws kInternal when METIS fails.
std::vector<int32_t> RunMetis(const PartGraph& graph, std::span<const uint32_t> targets,
                              MetisMethod method, uint64_t seed);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_METIS_PARTITION_H_
