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

// `where`: the addresses at which a TB's accesses begin, in the same order in every TB. Where they
// go up by the same distances from TB to TB, but for every so many TBs, there is a row behind so
// many ids; and where rows do, a plane. Nothing where all ids are alike, or are no such grid.
std::optional<Dim3> FindTileGrid(uint32_t tbs,
                                 const std::function<std::vector<uint64_t>(uint32_t tb)>& where);

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_TILE_GRID_H_
