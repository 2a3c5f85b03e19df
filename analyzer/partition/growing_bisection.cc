// Bisection of small graphs without METIS, whose fixed costs and loose balance do not suit them:
// grow one side from a few starting vertices, refine each by swaps, keep the best.
#include <algorithm>
#include <limits>

#include "analyzer/partition/bisection.h"

namespace flagstone::partition {
namespace {

// More starts lower the cut by less than 1 % and cost a third more time.
constexpr uint32_t kStarts = 2;

// A pass ends after this many swaps in a row without a new best.
constexpr size_t kPatience = 8;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

// Cut weight that each vertex would remove by changing sides.
std::vector<int64_t> Gains(const PartGraph& graph, std::span<const int32_t> side) {
  std::vector<int64_t> gain(graph.Size());
  for (uint32_t vertex = 0; vertex < graph.Size(); ++vertex) {
    const std::span<const int32_t> neighbours = graph.Neighbours(vertex);
    const std::span<const int32_t> weights = graph.Weights(vertex);
    for (size_t i = 0; i < neighbours.size(); ++i) {
      const bool cut = side[static_cast<size_t>(neighbours[i])] != side[vertex];
      gain[vertex] += cut ? weights[i] : -weights[i];
    }
  }
  return gain;
}

// Changes `vertex`'s side and keeps all gains up to date.
void Flip(const PartGraph& graph, uint32_t vertex, std::span<int32_t> side,
          std::span<int64_t> gain) {
  side[vertex] ^= 1;
  gain[vertex] = -gain[vertex];
  const std::span<const int32_t> neighbours = graph.Neighbours(vertex);
  const std::span<const int32_t> weights = graph.Weights(vertex);
  for (size_t i = 0; i < neighbours.size(); ++i) {
    const auto other = static_cast<size_t>(neighbours[i]);
    gain[other] += side[other] == side[vertex] ? -2 * int64_t{weights[i]} : 2 * int64_t{weights[i]};
  }
}

// The unlocked vertex of `from` with the highest gain, the lowest of them; Size() if there is none.
uint32_t BestOf(int32_t from, std::span<const int32_t> side, std::span<const int64_t> gain,
                std::span<const uint8_t> locked) {
  auto best = static_cast<uint32_t>(side.size());
  int64_t best_gain = kLowest;
  for (uint32_t vertex = 0; vertex < side.size(); ++vertex) {
    if (side[vertex] != from || locked[vertex] != 0 || gain[vertex] <= best_gain) continue;
    best = vertex;
    best_gain = gain[vertex];
  }
  return best;
}

// All on side 1, then `size` vertices one by one to side 0: the best-connected one each time.
std::vector<int32_t> Grow(const PartGraph& graph, uint32_t size, uint32_t start) {
  std::vector<int32_t> side(graph.Size(), 1);
  std::vector<int64_t> gain = Gains(graph, side);
  const std::vector<uint8_t> locked(graph.Size(), 0);
  Flip(graph, start, side, gain);
  for (uint32_t grown = 1; grown < size; ++grown) {
    Flip(graph, BestOf(1, side, gain, locked), side, gain);
  }
  return side;
}

}  // namespace

void RefineBySwaps(const PartGraph& graph, std::span<int32_t> side) {
  std::vector<int64_t> gain = Gains(graph, side);
  std::vector<uint8_t> locked(graph.Size());
  std::vector<uint32_t> flipped;  // in order, two per swap
  for (int64_t best = 1; best > 0;) {
    std::fill(locked.begin(), locked.end(), uint8_t{0});
    flipped.clear();
    best = 0;
    size_t best_length = 0;
    int64_t total = 0;
    while (flipped.size() < best_length + 2 * kPatience) {
      const size_t length = flipped.size();
      for (const int32_t from : {0, 1}) {
        const uint32_t vertex = BestOf(from, side, gain, locked);
        if (vertex == graph.Size()) break;
        total += gain[vertex];
        Flip(graph, vertex, side, gain);
        locked[vertex] = 1;
        flipped.push_back(vertex);
      }
      if (flipped.size() != length + 2) break;  // one side is all locked
      if (total > best) {
        best = total;
        best_length = flipped.size();
      }
    }
    while (flipped.size() > best_length) {
      Flip(graph, flipped.back(), side, gain);
      flipped.pop_back();
    }
  }
}

std::vector<int32_t> BisectByGrowing(const PartGraph& graph, uint32_t size) {
  std::vector<int32_t> best;
  int64_t best_cut = std::numeric_limits<int64_t>::max();
  const uint32_t starts = std::min(kStarts, graph.Size());
  for (uint32_t i = 0; i < starts; ++i) {
    // Spread over the ids, both ends included: neighbours in id are often neighbours in the graph.
    const uint32_t start = starts == 1 ? 0 : i * (graph.Size() - 1) / (starts - 1);
    std::vector<int32_t> side = Grow(graph, size, start);
    RefineBySwaps(graph, side);
    const int64_t cut = CutWeight(graph, side);
    if (cut < best_cut) {
      best_cut = cut;
      best = std::move(side);
    }
  }
  return best;
}

}  // namespace flagstone::partition
