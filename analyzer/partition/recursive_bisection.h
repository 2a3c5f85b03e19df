// The tree of bisections, which k-way partitioning also falls back to on small graphs.
#ifndef FLAGSTONE_ANALYZER_PARTITION_RECURSIVE_BISECTION_H_
#define FLAGSTONE_ANALYZER_PARTITION_RECURSIVE_BISECTION_H_

#include <cstdint>
#include <vector>

#include "analyzer/partition/part_graph.h"
#include "analyzer/partition/partitioners.h"

namespace flagstone::partition {

// `leaves` (1 to the graph's size) sets of TBs in left-to-right tree order, each ascending, with
// sizes that differ by at most one. Of two siblings, the one with the lowest TB comes first.
std::vector<std::vector<uint32_t>> BisectIntoLeaves(PartGraph graph, uint32_t leaves,
                                                    uint64_t seed);

// max(ceil(tbs / x), min(tbs, S)): as few groups as hold all TBs, but one for each SM. Of even ones
// the next multiple of S, unless that is more than there are TBs.
uint32_t LeafCount(uint32_t tbs, const PartitionRequest& request);

// Throws kInternal for a request without SMs or occupancy.
void CheckRequest(const PartitionRequest& request);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_RECURSIVE_BISECTION_H_
