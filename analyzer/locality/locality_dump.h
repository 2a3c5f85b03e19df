// Stages of the locality analysis as text, for people and `--dump footprints|sharers|graph`.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_LOCALITY_DUMP_H_
#define FLAGSTONE_ANALYZER_LOCALITY_LOCALITY_DUMP_H_

#include <string>

#include "analyzer/locality/footprints.h"
#include "analyzer/locality/locality_graph.h"

namespace flagstone {

std::string Dump(const Footprints& footprints);
std::string Dump(const SharerSets& sharers);
std::string Dump(const LocalityGraph& graph);
std::string Dump(const LocalityStatistics& statistics);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_LOCALITY_DUMP_H_
