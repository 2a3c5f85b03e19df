// Gives parts their exact sizes after METIS, which keeps balance only roughly and not at all on
// tiny graphs.
#ifndef FLAGSTONE_ANALYZER_PARTITION_SIZE_REPAIR_H_
#define FLAGSTONE_ANALYZER_PARTITION_SIZE_REPAIR_H_

#include <cstdint>
#include <span>

#include "analyzer/partition/part_graph.h"

namespace flagstone::partition {

// Moves vertices from parts above their target to parts below it, the cheapest move (least cut
// weight added) first, ties to the lowest vertex and then the lowest part, until part p has
// targets[p] vertices. The targets' sum is the graph's size; where[v] < targets.size().
void RepairSizes(const PartGraph& graph, std::span<const uint32_t> targets,
                 std::span<int32_t> where);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_SIZE_REPAIR_H_
