// Locality graphs as files for other tools.
#ifndef FLAGSTONE_ANALYZER_LOCALITY_GRAPH_WRITER_H_
#define FLAGSTONE_ANALYZER_LOCALITY_GRAPH_WRITER_H_

#include <filesystem>
#include <string>

#include "analyzer/locality/locality_graph.h"

namespace flagstone {

// METIS's text format with edge weights (fmt 001): "vertices edges 001", then a line per vertex
// with pairs "neighbour weight", neighbours from 1. Universal data are in a comment ("%").
std::string ToMetis(const LocalityGraph& graph);
// GraphML: nodes n0, n1, ..., undirected edges with a "weight"; universal data as the graph's
// attribute "universal_weight".
std::string ToGraphMl(const LocalityGraph& graph);

// The format follows the extension, .graph or .graphml; another one is kBadInput. The file is
// written whole or not at all.
void WriteGraph(const LocalityGraph& graph, const std::filesystem::path& path);

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_LOCALITY_GRAPH_WRITER_H_
