// Graphs of known shape for the partitioners' tests and benchmarks.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_PARTITION_GRAPHS_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_PARTITION_GRAPHS_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/locality/locality_graph.h"
#include "base/random.h"

namespace flagstone::graphs {

struct Edge {
  uint32_t a;
  uint32_t b;
  uint64_t weight;
};

// Weights of edges given twice add up.
inline LocalityGraph MakeGraph(uint32_t tbs, const std::vector<Edge>& edges) {
  std::vector<std::pair<uint64_t, uint64_t>> stored;  // (row, column) and weight
  stored.reserve(edges.size() * 2);
  for (const Edge& edge : edges) {
    stored.emplace_back(uint64_t{edge.a} << 32 | edge.b, edge.weight);
    stored.emplace_back(uint64_t{edge.b} << 32 | edge.a, edge.weight);
  }
  std::sort(stored.begin(), stored.end());
  LocalityGraph graph;
  graph.tb_count = tbs;
  graph.row_start.assign(tbs + size_t{1}, 0);
  for (size_t i = 0; i < stored.size(); ++i) {
    if (i > 0 && stored[i].first == stored[i - 1].first) {
      graph.weight.back() += stored[i].second;
      continue;
    }
    graph.neighbour.push_back(static_cast<uint32_t>(stored[i].first));
    graph.weight.push_back(stored[i].second);
    ++graph.row_start[(stored[i].first >> 32) + 1];
  }
  for (uint32_t tb = 0; tb < tbs; ++tb) graph.row_start[tb + 1] += graph.row_start[tb];
  return graph;
}

// A stencil over a grid of TBs: `side` for each of the 4 direct neighbours, `corner` (0 = none)
// for each of the 4 diagonal ones.
inline LocalityGraph StencilGraph(uint32_t width, uint32_t height, uint64_t side, uint64_t corner) {
  std::vector<Edge> edges;
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const uint32_t tb = y * width + x;
      if (x + 1 < width) edges.push_back({tb, tb + 1, side});
      if (y + 1 < height) edges.push_back({tb, tb + width, side});
      if (corner == 0 || y + 1 == height) continue;
      if (x + 1 < width) edges.push_back({tb, tb + width + 1, corner});
      if (x > 0) edges.push_back({tb, tb + width - 1, corner});
    }
  }
  return MakeGraph(width * height, edges);
}

// So many edges between TBs drawn by chance, of weights up to 1000.
inline LocalityGraph RandomGraph(uint32_t tbs, uint32_t edges, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<Edge> list;
  while (tbs > 1 && list.size() < edges) {
    const auto a = static_cast<uint32_t>(random.Below(tbs));
    const auto b = static_cast<uint32_t>(random.Below(tbs));
    if (a != b) list.push_back({a, b, 1 + random.Below(1000)});
  }
  return MakeGraph(tbs, list);
}

// Every two TBs of a set share its weight.
inline LocalityGraph ExpandSets(const SharerSets& sharers) {
  std::vector<Edge> edges;
  sharers.ForEachSet([&](std::span<const uint32_t> tbs, uint64_t weight) {
    for (size_t i = 0; i < tbs.size(); ++i) {
      for (size_t j = i + 1; j < tbs.size(); ++j) edges.push_back({tbs[i], tbs[j], weight});
    }
  });
  return MakeGraph(sharers.tb_count, edges);
}

// C = A * B with one tile of C per TB: row y of tiles shares A's panel y, column x B's panel x.
inline SharerSets MatmulSharers(uint32_t tiles, uint64_t panel) {
  SharerSets sharers;
  sharers.tb_count = tiles * tiles;
  sharers.total_references = uint64_t{2} * tiles * panel;
  for (uint32_t i = 0; i < tiles; ++i) {
    std::vector<uint32_t> row;
    std::vector<uint32_t> column;
    for (uint32_t j = 0; j < tiles; ++j) {
      row.push_back(i * tiles + j);
      column.push_back(j * tiles + i);
    }
    sharers.Add(row, panel);
    sharers.Add(column, panel);
  }
  return sharers;
}

// C = A * A^T: TB (x, y) reads A's panels x and y.
inline SharerSets SyrkSharers(uint32_t tiles, uint64_t panel) {
  SharerSets sharers;
  sharers.tb_count = tiles * tiles;
  for (uint32_t i = 0; i < tiles; ++i) {
    std::vector<uint32_t> set;
    for (uint32_t tb = 0; tb < sharers.tb_count; ++tb) {
      if (tb % tiles == i || tb / tiles == i) set.push_back(tb);
    }
    sharers.total_references += panel;
    sharers.Add(set, panel);
  }
  return sharers;
}

}  // namespace flagstone::graphs

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_PARTITION_GRAPHS_H_
