// Conversion to 32-bit weights, subgraphs and connected components.
#include "analyzer/partition/part_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace flagstone::partition {
namespace {

// METIS adds up edge weights in 32 bits while it coarsens; both directions count.
constexpr double kMaxWeightSum = 1 << 30;
constexpr uint64_t kMaxStoredEdges = uint64_t{1} << 29;

// Row by row copy of `vertices` of `part`, where `local` maps old vertices to new ones and `keeps`
// says which neighbours remain.
template <class Keeps>
PartGraph Copy(const PartGraph& part, std::span<const uint32_t> vertices,
               const std::vector<int32_t>& local, size_t stored_edges, Keeps keeps) {
  PartGraph result;
  result.tb.reserve(vertices.size());
  result.row_start.reserve(vertices.size() + 1);
  result.neighbour.reserve(stored_edges);
  result.weight.reserve(stored_edges);
  result.row_start.push_back(0);
  for (const uint32_t vertex : vertices) {
    result.tb.push_back(part.tb[vertex]);
    const std::span<const int32_t> neighbours = part.Neighbours(vertex);
    const std::span<const int32_t> weights = part.Weights(vertex);
    for (size_t i = 0; i < neighbours.size(); ++i) {
      const auto other = static_cast<size_t>(neighbours[i]);
      if (!keeps(other)) continue;
      result.neighbour.push_back(local[other]);
      result.weight.push_back(weights[i]);
    }
    result.row_start.push_back(static_cast<int32_t>(result.neighbour.size()));
  }
  return result;
}

}  // namespace

PartGraph MakePartGraph(const LocalityGraph& graph) {
  if (graph.neighbour.size() > kMaxStoredEdges) {
    ThrowBadInput("the locality graph has {} edges, expected at most {}: METIS counts in 32 bits",
                  graph.EdgeCount(), kMaxStoredEdges / 2);
  }
  PartGraph part;
  part.tb.resize(graph.tb_count);
  std::iota(part.tb.begin(), part.tb.end(), 0U);
  part.row_start.assign(graph.row_start.begin(), graph.row_start.end());
  if (part.row_start.empty()) part.row_start.push_back(0);
  part.neighbour.assign(graph.neighbour.begin(), graph.neighbour.end());

  uint64_t divisor = 0;
  double sum = 0;
  for (const uint64_t weight : graph.weight) {
    divisor = std::gcd(divisor, weight);
    sum += static_cast<double>(weight);
  }
  const double scaled_sum = divisor == 0 ? 0 : sum / static_cast<double>(divisor);
  const double factor = scaled_sum > kMaxWeightSum ? kMaxWeightSum / scaled_sum : 1;
  part.weight.reserve(graph.weight.size());
  for (const uint64_t weight : graph.weight) {
    const uint64_t reduced = divisor == 0 ? 1 : weight / divisor;
    const double scaled = std::floor(static_cast<double>(reduced) * factor);
    part.weight.push_back(static_cast<int32_t>(std::max(1.0, scaled)));
  }
  return part;
}

std::pair<PartGraph, PartGraph> Split(const PartGraph& part, std::span<const int32_t> side) {
  std::vector<int32_t> local(part.Size());
  std::vector<uint32_t> vertices[2];
  size_t stored_edges[2] = {0, 0};  // an upper bound: cut edges are counted too
  for (uint32_t vertex = 0; vertex < part.Size(); ++vertex) {
    const auto where = static_cast<size_t>(side[vertex]);
    local[vertex] = static_cast<int32_t>(vertices[where].size());
    vertices[where].push_back(vertex);
    stored_edges[where] += part.Neighbours(vertex).size();
  }
  const auto one_side = [&](size_t where) {
    return Copy(part, vertices[where], local, stored_edges[where],
                [&](size_t other) { return static_cast<size_t>(side[other]) == where; });
  };
  return {one_side(0), one_side(1)};
}

PartGraph Extract(const PartGraph& part, std::span<const uint32_t> vertices) {
  std::vector<int32_t> local(part.Size(), -1);
  size_t stored_edges = 0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    local[vertices[i]] = static_cast<int32_t>(i);
    stored_edges += part.Neighbours(vertices[i]).size();
  }
  return Copy(part, vertices, local, stored_edges, [&](size_t other) { return local[other] >= 0; });
}

Components FindComponents(const PartGraph& part) {
  constexpr uint32_t kNone = ~uint32_t{0};
  Components components;
  components.of_vertex.assign(part.Size(), kNone);
  std::vector<uint32_t> reached;  // a queue: a component's vertices in breadth-first order
  for (uint32_t start = 0; start < part.Size(); ++start) {
    if (components.of_vertex[start] != kNone) continue;
    const auto component = static_cast<uint32_t>(components.size.size());
    reached.assign(1, start);
    components.of_vertex[start] = component;
    for (size_t i = 0; i < reached.size(); ++i) {
      for (const int32_t neighbour : part.Neighbours(reached[i])) {
        const auto other = static_cast<uint32_t>(neighbour);
        if (components.of_vertex[other] != kNone) continue;
        components.of_vertex[other] = component;
        reached.push_back(other);
      }
    }
    components.size.push_back(static_cast<uint32_t>(reached.size()));
  }
  return components;
}

}  // namespace flagstone::partition
