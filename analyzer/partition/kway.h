// The k-way cut of a graph into parts of equal sizes.
#ifndef FLAGSTONE_ANALYZER_PARTITION_KWAY_H_
#define FLAGSTONE_ANALYZER_PARTITION_KWAY_H_

#include <cstdint>
#include <vector>

#include "analyzer/partition/part_graph.h"

namespace flagstone::partition {

// `parts` (1 to the graph's size) sets of TBs, each ascending, with sizes that differ by at most
// one, in the order of their lowest TB: by METIS's k-way method where each part has TBs enough for
// it, else by bisection.
std::vector<std::vector<uint32_t>> CutKway(PartGraph graph, uint32_t parts, uint64_t seed);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_KWAY_H_
