// The partitioners' working graph: compressed sparse rows with 32-bit weights, as METIS takes it,
// and the linear-time cuts of it into parts.
#ifndef FLAGSTONE_ANALYZER_PARTITION_PART_GRAPH_H_
#define FLAGSTONE_ANALYZER_PARTITION_PART_GRAPH_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/locality/locality_graph.h"

namespace flagstone::partition {

// A subset of the TBs with the edges among them. Vertices are local: 0 to Size() - 1, in ascending
// order of TB id, so that "lowest vertex" means "lowest TB".
struct PartGraph {
  std::vector<uint32_t> tb;        // vertex -> TB id
  std::vector<int32_t> row_start;  // Size() + 1
  std::vector<int32_t> neighbour;  // both directions are stored
  std::vector<int32_t> weight;     // at least 1

  uint32_t Size() const { return static_cast<uint32_t>(tb.size()); }
  bool HasEdges() const { return !neighbour.empty(); }
  std::span<const int32_t> Neighbours(uint32_t vertex) const { return Row(neighbour, vertex); }
  std::span<const int32_t> Weights(uint32_t vertex) const { return Row(weight, vertex); }

 private:
  std::span<const int32_t> Row(const std::vector<int32_t>& values, uint32_t vertex) const {
    const auto begin = static_cast<size_t>(row_start[vertex]);
    return {values.data() + begin, static_cast<size_t>(row_start[vertex + 1]) - begin};
  }
};

// The whole graph. Weights are divided by their greatest common divisor and, where the sum would
// still overflow METIS's 32-bit arithmetic, scaled down (not below 1): so cuts must be valued on
// the LocalityGraph. Throws kBadInput for a graph with more edges than METIS can index.
PartGraph MakePartGraph(const LocalityGraph& graph);

// The two subgraphs of the vertices with side 0 and side 1. Linear in vertices and edges.
std::pair<PartGraph, PartGraph> Split(const PartGraph& part, std::span<const int32_t> side);

// The subgraph of `vertices` (ascending). Linear in Size() and in the edges of `vertices`.
PartGraph Extract(const PartGraph& part, std::span<const uint32_t> vertices);

// Connected components, numbered in the order of their lowest vertex.
struct Components {
  std::vector<uint32_t> of_vertex;
  std::vector<uint32_t> size;  // by component
};
Components FindComponents(const PartGraph& part);

}  // namespace flagstone::partition

#endif  // FLAGSTONE_ANALYZER_PARTITION_PART_GRAPH_H_
