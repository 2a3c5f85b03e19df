// The grid of tiles behind the ids of a grid of one axis, as kernels have it that take their tile
// by quotients and remainders of a program id.
#ifndef FLAGSTONE_ANALYZER_REPLAY_TILE_GRID_H_
#define FLAGSTONE_ANALYZER_REPLAY_TILE_GRID_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/launch/kernel_launch.h"

namespace flagstone::replay {

struct TileGrid {
  Dim3 tiles = {0, 0, 0};
  // So many rows of tiles are gone through column by column, then the next ones; 1: row by row.
  uint32_t band = 1;
};

// `where`: the addresses at which a TB's accesses begin, in the same order in every TB. Where they
// go up by the same distances from TB to TB, but for every so many TBs, there is a row behind so
// many ids; and where rows do, a plane. Where a plane goes on as its rows do, it is a band of a
// larger one. Nothing where all ids are alike, or are no such grid.
std::optional<TileGrid> FindTileGrid(
    uint32_t tbs, const std::function<std::vector<uint64_t>(uint32_t tb)>& where);

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TILE_GRID_H_
