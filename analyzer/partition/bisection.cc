// Which method cuts which graph, and the packing of whole components.
#include "analyzer/partition/bisection.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "analyzer/partition/metis_partition.h"
#include "analyzer/partition/size_repair.h"

namespace flagstone::partition {
namespace {

// Up to here growing cuts as little as METIS does, keeps the size by itself, and needs no more time
// over a whole tree (measured with tests/benchmarks/partition_benchmark.cc).
constexpr uint32_t kGrowingVertices = 128;

std::vector<int32_t> BisectConnected(const PartGraph& graph, uint32_t size, uint64_t seed) {
  return graph.Size() <= kGrowingVertices ? BisectByGrowing(graph, size)
                                          : BisectByMetis(graph, size, seed);
}

// Whole components to side 0, the largest first, as long as they fit; then the smallest of those
// that did not fit is cut to fill the rest. So at most one component is cut.
std::vector<int32_t> BisectComponents(const PartGraph& graph, const Components& components,
                                      uint32_t size, uint64_t seed) {
  std::vector<uint32_t> order(components.size.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return components.size[a] > components.size[b]; });
  std::vector<int32_t> side_of_component(order.size(), 1);
  uint32_t rest = size;
  uint32_t cut = order.front();
  for (const uint32_t component : order) {
    if (components.size[component] <= rest) {
      side_of_component[component] = 0;
      rest -= components.size[component];
    } else if (side_of_component[cut] == 0 || components.size[component] < components.size[cut]) {
      cut = component;
    }
  }
  std::vector<int32_t> side(graph.Size());
  std::vector<uint32_t> cut_vertices;
  for (uint32_t vertex = 0; vertex < graph.Size(); ++vertex) {
    const uint32_t component = components.of_vertex[vertex];
    side[vertex] = side_of_component[component];
    if (rest > 0 && component == cut) cut_vertices.push_back(vertex);
  }
  if (rest > 0) {
    const std::vector<int32_t> inner = BisectConnected(Extract(graph, cut_vertices), rest, seed);
    for (size_t i = 0; i < inner.size(); ++i) side[cut_vertices[i]] = inner[i];
  }
  return side;
}

}  // namespace

std::vector<int32_t> Bisect(const PartGraph& graph, uint32_t size, uint64_t seed) {
  const Components components = FindComponents(graph);
  if (components.size.size() == 1) return BisectConnected(graph, size, seed);
  return BisectComponents(graph, components, size, seed);
}

std::vector<int32_t> BisectByMetis(const PartGraph& graph, uint32_t size, uint64_t seed) {
  const std::array<uint32_t, 2> targets = {size, graph.Size() - size};
  std::vector<int32_t> side = RunMetis(graph, targets, MetisMethod::kRecursive, seed);
  RepairSizes(graph, targets, side);
  return side;
}

int64_t CutWeight(const PartGraph& graph, std::span<const int32_t> side) {
  int64_t both_directions = 0;
  for (uint32_t vertex = 0; vertex < graph.Size(); ++vertex) {
    const std::span<const int32_t> neighbours = graph.Neighbours(vertex);
    const std::span<const int32_t> weights = graph.Weights(vertex);
    for (size_t i = 0; i < neighbours.size(); ++i) {
      if (side[static_cast<size_t>(neighbours[i])] != side[vertex]) both_directions += weights[i];
    }
  }
  return both_directions / 2;
}

}  // namespace flagstone::partition
