#include "analyzer/replay/tile_grid.h"

#include <algorithm>

namespace flagstone::replay {
namespace {

using Addresses = std::vector<uint64_t>;

// What is looked at: enough for some rows, and for some planes of few rows.
constexpr uint32_t kMostTbs = 4096;

Addresses Distance(const Addresses& from, const Addresses& to) {
  Addresses distance;
  for (size_t i = 0; i < from.size(); ++i) distance.push_back(to[i] - from[i]);
  return distance;
}

// Steps from one to the next are alike but for each `run`-th: its length, or that of all where none
// is another. Nothing where others differ.
std::optional<uint32_t> RunOf(const std::vector<Addresses>& at) {
  const auto count = static_cast<uint32_t>(at.size());
  if (count < 2) return count;
  const Addresses step = Distance(at[0], at[1]);
  uint32_t run = 0;
  for (uint32_t i = 1; i < count; ++i) {
    const bool alike = Distance(at[i - 1], at[i]) == step;
    if (run == 0 && !alike) run = i;
    if (run != 0 && alike == (i % run == 0)) return std::nullopt;
  }
  return run == 0 ? count : run;
}

std::optional<TileGrid> FindPlanes(uint32_t tbs, const std::vector<Addresses>& at) {
  const std::optional<uint32_t> width = RunOf(at);
  if (!width || *width < 2 || *width == at.size() || tbs % *width != 0) return std::nullopt;
  std::vector<Addresses> rows;
  for (size_t tb = 0; tb < at.size(); tb += *width) rows.push_back(at[tb]);
  const std::optional<uint32_t> found = RunOf(rows);
  if (!found) return std::nullopt;
  const uint32_t all = tbs / *width;
  const uint32_t height = *found == rows.size() ? all : *found;
  if (all % height != 0) return std::nullopt;
  return TileGrid{{*width, height, all / height}};
}

// How many steps from the first of `at`, each of `stride` TBs, are alike: all there are, or fewer.
uint32_t StepsAlike(const std::vector<Addresses>& at, uint32_t stride) {
  uint32_t steps = 1;
  const Addresses step = Distance(at[0], at[stride]);
  for (size_t tb = 2 * size_t{stride}; tb < at.size(); tb += stride, ++steps) {
    if (Distance(at[tb - stride], at[tb]) != step) break;
  }
  return steps;
}

std::optional<TileGrid> FindBands(uint32_t tbs, const std::vector<Addresses>& at) {
  if (at.size() < 2) return std::nullopt;
  const uint32_t band = StepsAlike(at, 1) + 1;
  if (band >= at.size()) return std::nullopt;
  const uint32_t width = StepsAlike(at, band) + 1, window = width * band;
  if (width < 2 || window >= at.size() || tbs % width != 0) return std::nullopt;
  const uint32_t height = tbs / width;
  const Addresses down = Distance(at[0], at[1]), right = Distance(at[0], at[band]);
  // The last band may have fewer rows.
  for (uint32_t tb = 0; tb < at.size(); ++tb) {
    const uint32_t first = tb / window * band, rows = std::min(band, height - first);
    const uint32_t y = first + tb % window % rows, x = tb % window / rows;
    for (size_t i = 0; i < down.size(); ++i) {
      if (at[tb][i] != at[0][i] + y * down[i] + x * right[i]) return std::nullopt;
    }
  }
  return TileGrid{{width, height, 1}, band};
}

}  // namespace

std::optional<TileGrid> FindTileGrid(uint32_t tbs,
                                     const std::function<Addresses(uint32_t tb)>& where) {
  std::vector<Addresses> at;
  for (uint32_t tb = 0; tb < std::min(tbs, kMostTbs); ++tb) {
    at.push_back(where(tb));
    if (at.back().size() != at.front().size()) return std::nullopt;
  }
  const std::optional<TileGrid> bands = FindBands(tbs, at);
  return bands ? bands : FindPlanes(tbs, at);
}

}  // namespace flagstone::replay
